import { isLikelySecret, looksRandom, withoutFiller } from '../plausible.ts';
import type { Rule } from '../rule.ts';

/** What stands for a password where anybody may read it: documentation, and databases on the developer's own machine. */
const WELL_KNOWN =
  /^(?:pass(?:word|wd)?|pwd|secret|token|postgres|root|admin|user(?:name)?|test(?:ing)?|guest|example|changeme|mysql|redis|mongo|rabbitmq|demo|dev|local(?:host)?|my[-_]?pass(?:word)?|mysecretpassword|foo|bar|baz|x{1,40}|\*{1,40}|\.{3}|x-oauth-basic|x-access-token|oauth2?)$/i;

/** Credentials in addresses of any scheme, in their queries, and addresses that are secrets themselves. */
export const URLS: readonly Rule[] = [
  {
    // scheme://user:password@host; the user may be none. A password may hold an @ that is not escaped.
    label: 'SECRET',
    literals: ['://'],
    pattern: /:\/\/(?<user>[^\s/?#@:"'<>]{0,128}):(?<secret>(?!\d{1,5}\/)[^\s/"'<>]{1,256})(?=@[\w.[%$-])/y,
    plausible: (password, match) => isUrlPassword(password, match.groups?.user ?? ''),
  },
  {
    // scheme://token@host
    label: 'SECRET',
    literals: ['://'],
    pattern: /:\/\/(?<secret>[^\s/?#@:"'<>]{16,256})(?=@[\w.[-])/y,
    plausible: (token) => isLikelySecret(token, 'token'),
  },
  {
    // The signature of a signed address.
    label: 'SECRET',
    literals: ['sig=', 'signature='],
    fold: true,
    pattern: /(?<=[?&;](?:\w|-){0,16})sig(?:nature)?=(?<secret>[\w%+/=~-]{20,512})/iy,
    rest: /[\w%+/=~-]*/y,
    plausible: looksRandom,
  },
  {
    label: 'SECRET',
    literals: ['/api/webhooks/'],
    pattern:
      /(?<=(?<head>(?:https?:\/\/)?(?:\w{1,16}\.)?discord(?:app)?\.com))\/api\/webhooks\/\d{8,24}\/(?<body>[\w-]{24,})/y,
    plausible: looksRandom,
  },
  {
    // Microsoft Teams
    label: 'SECRET',
    literals: ['.webhook.office.com/'],
    pattern: /(?<=(?<head>(?:https?:\/\/)?\w{1,64}))\.webhook\.office\.com\/(?<body>[\w@/-]{40,})/y,
    plausible: looksRandom,
  },
];

/** Whether a password that stands beside its user is none of those that anybody may read. */
export function isUrlPassword(password: string, user: string): boolean {
  if (password === user || WELL_KNOWN.test(password)) return false;
  const bare = withoutFiller(password);
  if (/^(?:\$|\{|%\w+%|<|\[[A-Z_ ]+\]$|\*+$|\.+$)/.test(password)) return false;
  // Words in lower case are more often an example than a password.
  return bare.length >= 6 && !/^[a-z_-]*$/.test(bare);
}
