import { hasRandomRun, isAwsKey, looksRandom } from '../plausible.ts';
import type { Rule } from '../rule.ts';
import { fresh } from './fresh.ts';
import { fromSecondPart } from './jwt.ts';
import { fromBegin, fromEnd } from './private-key.ts';

/**
 * The secrets with a form of their own, under the eight labels. Each pattern ends by taking every letter and digit that
 * follows: no tail stays in clear, and nothing becomes the beginning of a word that was none, so that a second pass
 * finds nothing. Prefixes that no word or blob holds by chance are found in mid-word too.
 */
export const LABELLED: readonly Rule[] = [
  {
    label: 'AWS_KEY',
    literals: ['AKIA', 'ASIA', 'ABIA'],
    pattern: fresh('A[BKS]IA', '[A-Z0-9]{16}(?![A-Z0-9])[A-Za-z0-9]*'),
    plausible: isAwsKey,
  },
  {
    label: 'AWS_KEY',
    literals: ['ABSK'],
    pattern: fresh('ABSK', '(?<body>[A-Za-z0-9+/]{100,}={0,2})'),
    plausible: looksRandom,
  },
  {
    // An installation's token may be a JWT behind its prefix.
    label: 'GH_TOKEN',
    literals: ['ghs_'],
    pattern: /ghs_[0-9]{1,20}_eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/y,
  },
  {
    label: 'GH_TOKEN',
    literals: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /(?:gh[pousr]|github_pat)_(?<body>\w{20,})/y,
    plausible: looksRandom,
  },
  {
    // Personal (also routable), deploy, runner, trigger, feed, mail, CI, agent, feature flag and OAuth application tokens.
    label: 'GL_TOKEN',
    literals: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glptt-',
      'glft-',
      'glsoat-',
      'glimt-',
      'glcbt-',
      'glagent-',
      'glffct-',
      'gloas-',
    ],
    pattern:
      /gl(?:pat|dt|rtr?|ptt|ft|soat|imt|cbt|agent|ffct|oas)-(?<body>[\w-]{20,})(?:\.[0-9a-z]{2}\.?[0-9A-Za-z]{7,})?/y,
    plausible: looksRandom,
  },
  {
    label: 'GL_TOKEN',
    literals: ['GR1348941'],
    pattern: fresh('GR1348941', '(?<body>[\\w-]{20,})'),
    plausible: looksRandom,
  },
  {
    // Anthropic's keys and OAuth tokens, OpenRouter's keys: their numbered prefixes are no words.
    label: 'API_KEY',
    literals: ['sk-ant-', 'sk-or-v'],
    pattern: /sk-(?:ant-[a-z]{2,8}\d{2}|or-v\d)-(?<body>[\w-]{16,})/y,
    plausible: looksRandom,
  },
  {
    label: 'API_KEY',
    literals: ['sk-'],
    pattern: fresh(
      'sk-',
      '(?:ant-(?![a-z]{2,8}\\d{2}-)|or-(?!v\\d-)|proj-|svcacct-|admin-|service-|None-|lf-)(?<body>[\\w-]{16,})',
    ),
    plausible: looksRandom,
  },
  {
    label: 'API_KEY',
    literals: ['sk-'],
    pattern: fresh('sk-', '(?<body>[\\w-]{20,})'),
    plausible: hasRandomRun,
  },
  {
    // Bot, user, configuration, refresh and legacy tokens; a browser's `xoxd-` cookie is percent-encoded.
    label: 'SLACK_TOKEN',
    literals: ['xox'],
    pattern: /xox(?:[a-ce-z](?:\.xox[a-z])?-(?<body>[A-Za-z0-9-]{10,})|d-[\w%+/=-]{16,})/y,
    plausible: looksRandom,
  },
  {
    label: 'SLACK_TOKEN',
    literals: ['xapp-'],
    pattern: /xapp-\d-(?<body>[A-Za-z0-9-]{10,})/y,
    plausible: looksRandom,
  },
  {
    label: 'SLACK_TOKEN',
    literals: ['hooks.slack.com/'],
    pattern: /(?<=(?<head>(?:https?:\/\/)?))hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<body>[\w/-]{24,})/y,
    plausible: looksRandom,
  },
  {
    label: 'GOOGLE_KEY',
    literals: ['AIza'],
    pattern: fresh('AIza', '(?<body>[\\w-]{35,})'),
    plausible: looksRandom,
  },
  {
    // The newer form of an API key, bound to a service account.
    label: 'GOOGLE_KEY',
    literals: ['AQ.A'],
    pattern: fresh('AQ\\.A', '(?<body>[\\w-]{35,})'),
    plausible: looksRandom,
  },
  {
    label: 'GOOGLE_KEY',
    literals: ['GOCSPX-'],
    pattern: fresh('GOCSPX-', '(?<body>[\\w-]{20,})'),
    plausible: looksRandom,
  },
  {
    label: 'GOOGLE_KEY',
    literals: ['ya29.'],
    pattern: fresh('ya29\\.', '(?<body>[\\w.-]{20,})'),
    plausible: looksRandom,
  },
  {
    // Signed or unsigned, also cut after its second part.
    label: 'JWT',
    literals: ['.eyJ'],
    pattern: /\.eyJ[\w-]{4,}={0,2}(?:\.[\w+/=-]*)?/y,
    reach: fromSecondPart,
  },
  {
    // Encrypted, in five parts. Dashes count as inside, so that each run of characters is read from its beginning only.
    label: 'JWT',
    literals: ['eyJ'],
    pattern: fresh('eyJ', '[\\w-]{12,1024}\\.[\\w-]*\\.[\\w-]{8,}\\.[\\w-]{4,}\\.[\\w-]{8,}', '[^\\w-]|-{5}'),
  },
  {
    // Private keys only: a certificate or a public key is no secret.
    label: 'PEM_BLOCK',
    literals: ['PRIVATE KEY'],
    pattern: /(?<=(?<head>-{4,5} ?BEGIN [A-Z0-9 ]{0,40}))PRIVATE KEY(?: BLOCK)? ?-{4,5}/y,
    reach: fromBegin,
  },
  {
    // The end of a private key whose beginning was cut off.
    label: 'PEM_BLOCK',
    literals: ['PRIVATE KEY'],
    pattern: /(?<=(?<head>-{4,5} ?END [A-Z0-9 ]{0,40}))PRIVATE KEY(?: BLOCK)? ?-{4,5}/y,
    reach: fromEnd,
  },
];
