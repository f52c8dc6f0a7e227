import { type Fields, fields, list, text } from '../fields.ts';
import { INJECTED_ORIGINS, injectedWhole } from './injected.ts';
import type { Said } from './prompts.ts';

/** Newer versions say of each text where it comes from. */
export function asProgram(said: Said, kind: string | undefined): Said {
  if (said.as !== 'prompt' || kind === undefined || kind === 'unknown' || kind.startsWith('user.')) return said;
  if (INJECTED_ORIGINS.has(kind)) return { as: 'injected', kind: `injected/${kind}`, text: said.text };
  return { as: 'notice', kind: 'system', text: said.text };
}

/** What a developer's message tells: mostly instructions, of which newer versions say where they come from. */
export function developerText(said: string, kind: string | undefined): Said {
  const injected = kind !== undefined && INJECTED_ORIGINS.has(kind) ? `injected/${kind}` : injectedWhole(said);
  return injected === undefined
    ? { as: 'notice', kind: 'system', text: said }
    : { as: 'injected', kind: injected, text: said };
}

/** What stands around a picture in the model's input. */
export function isPictureTag(said: string): boolean {
  return /^\s*<\/?image\b[^>]*>\s*$/.test(said);
}

/** What came encrypted stays so; some servers put plain words there. */
export function plainWords(encrypted: unknown): string | undefined {
  const said = text(encrypted);
  return said !== undefined && /\s/.test(said.trim()) ? said : undefined;
}

/** A goal that was set, in words. */
export function goal(said: Fields): string {
  const objective = text(said.objective);
  return objective === undefined ? '' : `Goal: ${objective}`;
}

/** What a review found, in words. */
export function review(output: Fields): string {
  const findings = list(output.findings)
    .map(fields)
    .map((finding) => [text(finding.title), text(finding.body)].filter((one) => one).join('\n'));
  return [text(output.overall_explanation), ...findings].filter((one) => one).join('\n\n');
}
