import { parse } from 'smol-toml';

/** Whether a program can read its file of settings: TOML and JSON by their whole grammar. */
export function isWellFormed(path: string, text: string): boolean {
  try {
    if (path.endsWith('.toml')) parse(text.replace(/^\uFEFF/, ''));
    else if (path.endsWith('.json')) JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}
