export * from './hash.ts';
export * from './json.ts';
export * from './session.ts';
export * from './turn.ts';
