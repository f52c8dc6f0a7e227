import { describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { BASE64, dashes, Maker, survivor } from './make.ts';

const SHAPES: Record<string, (key: string) => string> = {
  plain: (key) => `before\n${key}\nafter`,
  crlf: (key) => key.replaceAll('\n', '\r\n'),
  escaped: (key) => key.replaceAll('\n', '\\n'),
  'escaped twice': (key) => key.replaceAll('\n', '\\\\n'),
  'escaped slashes': (key) => JSON.stringify({ key }).replaceAll('/', '\\/'),
  'percent-encoded breaks': (key) => key.replaceAll('\n', '%0A'),
  'one line': (key) => key.replaceAll('\n', ' '),
  'added lines of a diff': (key) => key.replace(/^/gm, '+'),
  'removed lines of a diff': (key) => key.replace(/^/gm, '-'),
  quoted: (key) => key.replace(/^/gm, '> '),
  indented: (key) => key.replace(/^/gm, '      '),
  'numbered by cat': (key) =>
    key
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
      .join('\n'),
  'numbered by an agent': (key) =>
    key
      .split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
      .join('\n'),
  'found by grep': (key) =>
    key
      .split('\n')
      .map((line, index) => `conf/id_rsa-${index + 1}-${line}`)
      .join('\n'),
  'joined in code': (key) =>
    key
      .split('\n')
      .map((line) => `  "${line}\\n" +`)
      .join('\n'),
  'block of YAML': (key) => `key: |\n${key.replace(/^/gm, '  ')}\nother: value`,
};

describe('private keys', () => {
  it.each(Object.keys(SHAPES))('are hidden: %s', (shape) => {
    for (let seed = 0; seed < 40; seed++) {
      const key = new Maker(seed).key(['RSA ', 'EC ', '', 'OPENSSH ', 'ENCRYPTED ', 'DSA '][seed % 6], 90 + seed * 21);
      const { text } = redactText(SHAPES[shape]!(key.text));
      for (const line of key.lines) expect(survivor(line, text)).toBeUndefined();
      expect(text).toContain('[PEM_BLOCK]');
      expect(redactText(text)).toEqual({ text, count: 0 });
    }
  });

  it.each(Object.keys(SHAPES).filter((shape) => shape !== 'found by grep'))(
    'are hidden wherever they are cut: %s',
    (shape) => {
      const { lines, text: key } = new Maker(7).key('', 300);
      for (const tail of ['', '...', '…']) {
        const whole = SHAPES[shape]!(key);
        for (let at = 1; at < whole.length; at++) {
          const { text } = redactText(whole.slice(0, at) + tail);
          // Of a body cut to its first few characters no more than those stand.
          for (const line of lines) expect(survivor(line, text, 20)).toBeUndefined();
          for (const line of lines.slice(1)) expect(survivor(line, text)).toBeUndefined();
        }
      }
    },
  );

  it.each(['plain', 'crlf', 'escaped', 'added lines of a diff', 'indented', 'numbered by an agent'])(
    'are hidden without their beginning: %s',
    (shape) => {
      const { lines, text: key } = new Maker(8).key('', 300);
      const whole = SHAPES[shape]!(key);
      const end = whole.lastIndexOf(lines.at(-2)!.slice(-41));
      for (let at = whole.indexOf(lines[1]!); at < end; at += 3) {
        const { text } = redactText(whole.slice(at));
        for (const line of lines.slice(-2)) expect(survivor(line, text, 16)).toBeUndefined();
        expect(redactText(text)).toEqual({ text, count: 0 });
      }
    },
  );

  it('are hidden behind the headers of an encrypted key or a PGP block', () => {
    const { lines, text } = new Maker(9).key('PGP ', 200);
    const armoured = text.replaceAll('KEY-', 'KEY BLOCK-').replace('-\n', `-\nVersion: GnuPG v2\nComment: of ours\n\n`);
    const legacy = text.replace('-\n', `-\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B2C3D\n\n`);
    for (const form of [armoured, legacy, armoured.slice(0, 160), legacy.slice(0, 200)]) {
      const out = redactText(form).text;
      for (const line of lines) expect(survivor(line, out)).toBeUndefined();
    }
  });

  it('are hidden beyond a decoy of an end', () => {
    const { lines } = new Maker(10).key('', 400);
    const text = [
      dashes('BEGIN', ''),
      ...lines.slice(0, 2),
      dashes('END', 'EC '),
      ...lines.slice(2),
      dashes('END', ''),
    ].join('\n');
    const out = redactText(`${text}\nprose after it`);
    expect(out).toEqual({ text: '[PEM_BLOCK]\nprose after it', count: 1 });
  });

  it('leave prose, patterns and placeholders that only name the markers', () => {
    const [begin, end] = [dashes('BEGIN', 'RSA '), dashes('END', 'RSA ')];
    for (const text of [
      `The file begins with ${begin} and ends with ${end}, as every such file does.`,
      `grep -r '${begin}' src/redact test/redact`,
      `if (line === "${begin}") return parsePrivateKeyFromText(line);`,
      `${begin}\n...\n${end}`,
      `${begin}\n<your key here>\n${end}`,
      `looks for ${begin}\n\nThen it reads on until the end of the file.\nDone`,
      begin,
      end,
      `${end}\n${begin}`,
      `/${'-'.repeat(5)}BEGIN [A-Z ]+PRIVATE KEY${'-'.repeat(5)}/`,
    ]) {
      expect(redactText(text)).toEqual({ text, count: 0 });
    }
  });

  it('are no certificates and no public keys', () => {
    const body = new Maker(11)
      .text(400, BASE64)
      .match(/.{1,64}/g)!
      .join('\n');
    for (const kind of ['CERTIFICATE', 'PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE REQUEST', 'PGP SIGNATURE']) {
      const fence = '-'.repeat(5);
      const text = `${fence}BEGIN ${kind}${fence}\n${body}\n${fence}END ${kind}${fence}\n`;
      expect(redactText(text).text).toBe(text);
    }
  });

  it('end where the next text begins', () => {
    const { text } = new Maker(12).key('', 300);
    const cut = text.slice(0, 200);
    expect(redactText(`${cut}\n\nThis is what the file holds.`).text).toBe(
      '[PEM_BLOCK]\n\nThis is what the file holds.',
    );
    expect(redactText(`${text}\n${text}`)).toEqual({ text: '[PEM_BLOCK]\n[PEM_BLOCK]', count: 2 });
  });
});
