// Secrets are made at run time, so that no file of ours holds anything shaped like one.
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const DIGITS = '0123456789';
export const ALNUM = `${UPPER}${UPPER.toLowerCase()}${DIGITS}`;
export const BASE64 = `${ALNUM}+/`;
export const BASE64URL = `${ALNUM}-_`;
export const HEX = '0123456789abcdef';

/** A deterministic source of random numbers (mulberry32), in [0, 1). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes random strings, choices and secrets of every labelled kind from one seed. */
export class Maker {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = generator(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  text(length: number, alphabet = ALNUM): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]!).join('');
  }

  /** A private key in PEM: what is random in it, and the whole. */
  key(kind = 'RSA ', length = 800): { lines: string[]; text: string } {
    const lines = this.text(length, BASE64).match(/.{1,64}/g)!;
    return { lines, text: [dashes('BEGIN', kind), ...lines, dashes('END', kind)].join('\n') };
  }

  /** Secrets of the kinds that have a form of their own: a label, what is random, the whole. */
  secrets(): { label: string; body: string; value: string }[] {
    const made: { label: string; body: string; value: string }[] = [];
    const add = (label: string, prefix: string, body: string) => made.push({ label, body, value: prefix + body });
    for (const prefix of ['AKIA', 'ASIA', 'ABIA']) add('AWS_KEY', prefix, this.text(16, `${UPPER}234567`));
    add('AWS_KEY', 'ABSK', this.text(128, BASE64));
    for (const kind of ['p', 'o', 'u', 's', 'r']) add('GH_TOKEN', `gh${kind}_`, this.text(36));
    add('GH_TOKEN', 'github_pat_', `${this.text(22)}_${this.text(59)}`);
    const parts = `eyJ${this.text(60, BASE64URL)}.eyJ${this.text(90, BASE64URL)}.${this.text(43, BASE64URL)}`;
    add('GH_TOKEN', `ghs_${this.text(6, DIGITS)}_`, parts);
    add('JWT', '', parts);
    add('JWT', 'eyJ', [60, 0, 16, 200, 22].map((length) => this.text(length, BASE64URL)).join('.'));
    for (const kind of ['pat', 'dt', 'rt', 'rtr', 'ptt', 'ft', 'soat', 'cbt', 'imt', 'agent'])
      add('GL_TOKEN', `gl${kind}-`, this.text(20));
    add('GL_TOKEN', 'glpat-', `${this.text(27, BASE64URL)}.${this.text(2, DIGITS)}.${this.text(9, HEX)}`);
    add('GL_TOKEN', 'GR1348941', this.text(20));
    for (const kind of [
      'ant-api03',
      'ant-oat01',
      'ant-ort01',
      'ant-sid01',
      'ant-admin01',
      'proj',
      'svcacct',
      'admin',
      'None',
    ])
      add('API_KEY', `sk-${kind}-`, this.text(93, BASE64URL));
    add('API_KEY', 'sk-or-v1-', this.text(64, HEX));
    add('API_KEY', 'sk-', this.text(48));
    for (const kind of ['b', 'p', 'a', 'r', 's'])
      add('SLACK_TOKEN', `xox${kind}-`, `${this.text(12, DIGITS)}-${this.text(13, DIGITS)}-${this.text(24)}`);
    add('SLACK_TOKEN', 'xoxe-1-', this.text(140));
    add('SLACK_TOKEN', 'xoxd-', `${this.text(60)}%2B${this.text(40)}%3D`);
    add('SLACK_TOKEN', `xapp-1-A`, `${this.text(10)}-${this.text(13, DIGITS)}-${this.text(64, HEX)}`);
    add('GOOGLE_KEY', 'AIza', this.text(35, BASE64URL));
    add('GOOGLE_KEY', 'AQ.A', `b${this.text(46, BASE64URL)}`);
    add('GOOGLE_KEY', 'GOCSPX-', this.text(28, BASE64URL));
    add('GOOGLE_KEY', 'ya29.', this.text(120, BASE64URL));
    return made;
  }
}

/** A PEM marker, put together here. */
export function dashes(edge: 'BEGIN' | 'END', kind: string): string {
  return `${'-'.repeat(5)}${edge} ${kind}PRIVATE KEY${'-'.repeat(5)}`;
}

/** The first stretch of `size` characters of a secret that a text still holds. */
export function survivor(secret: string, text: string, size = 8): string | undefined {
  for (let at = 0; at + size <= secret.length; at++) {
    if (text.includes(secret.slice(at, at + size))) return secret.slice(at, at + size);
  }
  return undefined;
}
