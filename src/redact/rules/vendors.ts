import { looksRandom, meanWord } from '../plausible.ts';
import type { Rule } from '../rule.ts';
import { fresh } from './fresh.ts';

const ALNUM = 'A-Za-z0-9';
const HEX = '0-9a-f';
const WORD = '\\w-';

/** Tokens that begin with a prefix of their vendor's: the prefixes, the characters behind, the fewest of them. */
const PREFIXED: readonly (readonly [prefixes: string, characters: string, least: number])[] = [
  ['hf_ api_org_', ALNUM, 30], // Hugging Face
  ['npm_', ALNUM, 36],
  ['pypi-Ag', WORD, 50],
  ['dop_v1_ doo_v1_ dor_v1_', HEX, 60], // DigitalOcean
  ['sk_live_ sk_test_ rk_live_ rk_test_', ALNUM, 16], // Stripe; pk_ is public
  ['whsec_', `${ALNUM}+/=`, 24], // Stripe, Svix
  ['shpat_ shpca_ shppa_ shpss_ shptka_', ALNUM, 32], // Shopify
  ['gsk_', ALNUM, 40], // Groq
  ['xai-', ALNUM, 60],
  ['pplx-', ALNUM, 40], // Perplexity
  ['nvapi-', WORD, 50], // NVIDIA
  ['r8_', ALNUM, 37], // Replicate
  ['fw_', ALNUM, 22], // Fireworks
  ['tgp_v1_', WORD, 40], // Together
  ['csk-', ALNUM, 40], // Cerebras
  ['lsv2_pt_ lsv2_sk_', `${HEX}_`, 40], // LangSmith
  ['hvs. hvb. hvr.', WORD, 24], // HashiCorp Vault
  ['ops_eyJ', `${ALNUM}+/=_-`, 100], // 1Password
  ['glsa_', WORD, 40], // Grafana
  ['glc_eyJ', `${ALNUM}+/=`, 40],
  ['tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-', WORD, 20], // Tailscale
  ['figd_ figo_ figu_ figoh_ figor_', WORD, 36], // Figma
  ['key-', HEX, 32], // Mailgun
  ['xkeysib- xsmtpsib-', WORD, 60], // Brevo
  ['lin_api_ lin_oauth_', ALNUM, 32], // Linear
  ['ntn_', ALNUM, 40], // Notion
  ['secret_', ALNUM, 43],
  ['dapi dkea dose', `${HEX}-`, 32], // Databricks
  ['cog_', 'a-z0-9', 40], // Devin
  ['apk_user_ apk_', `${ALNUM}=_-`, 32],
  ['sbp_', HEX, 40], // Supabase
  ['sb_secret_', WORD, 20],
  ['nfp_ nfc_ nfo_', ALNUM, 36], // Netlify
  ['vcp_ vci_ vca_ vcr_ vck_', ALNUM, 40], // Vercel
  ['rnd_', ALNUM, 32], // Render
  ['HRKU-', WORD, 36], // Heroku
  ['dckr_pat_ dckr_oat_', WORD, 27], // Docker
  ['sntrys_', `${ALNUM}+/=_-`, 60], // Sentry
  ['sntryu_', HEX, 60],
  ['NRAK-', 'A-Z0-9', 27], // New Relic
  ['PMAK-', `${HEX}-`, 59], // Postman
  ['ATATT3 ATCTT3 ATBB', `${ALNUM}_=-`, 24], // Atlassian
  ['dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', `${WORD}.`, 40], // Doppler
  ['pul-', HEX, 40], // Pulumi
  ['rubygems_', HEX, 48],
  ['cio', ALNUM, 32], // crates.io
  ['oy2', 'a-z0-9', 43], // NuGet
  ['sq0atp- sq0csp-', WORD, 22], // Square
  ['EAAA', WORD, 56],
  ['EAACEdEose0cBA EAAG EAAM EAAC', ALNUM, 80], // Facebook
  ['shippo_live_ shippo_test_', HEX, 40],
  ['EZAK EZTK', ALNUM, 54], // EasyPost
  ['CFPAT-', WORD, 40], // Contentful
  ['v1.0-', `${HEX}-`, 100], // Cloudflare's origin CA
  ['cfut_ cfat_ cfk_', WORD, 36],
  ['tfp_', `${WORD}.`, 40], // Typeform
  ['pnu_', ALNUM, 36], // Prefect
  ['rdme_', ALNUM, 60], // ReadMe
  ['sess-', ALNUM, 40], // OpenAI's sessions
  ['phx_', ALNUM, 40], // PostHog; phc_ is public
  ['LTAI', ALNUM, 20], // Alibaba
  ['AKID', ALNUM, 32], // Tencent
  ['aio_', ALNUM, 28], // Adafruit
  ['pscale_tkn_ pscale_pw_ pscale_oauth_', `${WORD}.=`, 32], // PlanetScale
  ['bkua_ bkct_', HEX, 40], // Buildkite
  ['CCIPAT_ CCIPRJ_', WORD, 40], // CircleCI
  ['AKCp', ALNUM, 60], // JFrog
  ['sqp_ squ_ sqa_', HEX, 40], // SonarQube
  ['re_', `${ALNUM}_`, 30], // Resend
  ['sk_', HEX, 48], // ElevenLabs
  ['ico-', ALNUM, 32], // Infracost
  ['amzn.mws. amzn1.oa2-cs.v1.', `${HEX}-`, 32],
  ['access-production- access-sandbox- access-development-', `${HEX}-`, 36], // Plaid
  ['1//0', WORD, 40], // Google's refresh tokens
  ['AGE-SECRET-KEY-1', 'A-Z0-9', 50], // age
  ['mfa.', WORD, 80], // Discord
  ['dt0c01. dt0s01. dt0s16.', '\\w.', 80], // Dynatrace
  ['CLOJARS_', ALNUM, 60],
  ['SWMTKN-1-', 'a-z0-9-', 50], // Docker Swarm
  ['tvly-', WORD, 30], // Tavily
  ['fc-', HEX, 32], // Firecrawl
  ['e2b_', HEX, 40],
  ['crsr_', ALNUM, 32], // Cursor
  ['ctx7sk-', `${HEX}-`, 32], // Context7
  ['pcsk_', WORD, 60], // Pinecone
  ['m0-', ALNUM, 40], // Mem0
  ['polar_oat_ polar_pat_', ALNUM, 40],
  ['wandb_v1_', WORD, 60], // Weights & Biases
  ['tr_prod_ tr_dev_ tr_stg_ tr_preview_', ALNUM, 20], // Trigger.dev
  ['unkey_', ALNUM, 20],
  ['signkey-prod- signkey-test- signkey-branch-', HEX, 48], // Inngest
];

function prefixed([prefixes, characters, least]: (typeof PREFIXED)[number]): Rule[] {
  return prefixes.split(' ').map((prefix) => ({
    label: 'SECRET',
    literals: [prefix],
    // A prefix that reads like any letters is one only where nothing else of a blob stands before it.
    // Letters and digits behind a body of fewer characters are glued to it: they go too.
    pattern: fresh(
      RegExp.escape(prefix),
      `(?<body>[${characters}]{${least},})[${ALNUM}]{0,200}`,
      (/^\w+$/.test(prefix) && !prefix.endsWith('_')) || /^.{1,2}-$/.test(prefix) ? '[^\\w+/-]' : undefined,
    ),
    plausible: looksRandom,
  }));
}

/** `SK` and an id of Twilio's: two letters are too few to look for. */
const TWILIO = [...'0123456789abcdef'].map((digit) => `SK${digit}`);
/** How the base64 of an account's number begins: a bot's token of Discord's begins with it. */
const DISCORD = Array.from({ length: 90 }, (_, number) => btoa(String(number + 10)).slice(0, 3));

/** Tokens of services without a label of their own, known by their form alone. */
export const VENDORS: readonly Rule[] = [
  ...PREFIXED.flatMap(prefixed),
  {
    label: 'SECRET',
    literals: TWILIO,
    pattern: fresh('SK', '(?<body>[0-9a-f]{32})[A-Za-z0-9]{0,200}'),
    plausible: looksRandom,
  },
  {
    // SendGrid
    label: 'SECRET',
    literals: ['SG.'],
    pattern: fresh('SG\\.', '(?<body>[\\w-]{16,64}\\.[\\w-]{32,})'),
    plausible: looksRandom,
  },
  {
    label: 'SECRET',
    literals: DISCORD,
    pattern: fresh('[MNO][A-Za-z0-9][A-Za-z0-9]', '(?<body>[\\w-]{17,27}\\.[\\w-]{6,7}\\.[\\w-]{27,})'),
    plausible: looksRandom,
  },
  {
    // A bot of Telegram's: its number, then this.
    label: 'SECRET',
    literals: [':AA'],
    pattern: /(?<=(?<head>(?<!\d)\d{8,10}))(?<body>:AA[\w-]{33,})/y,
    plausible: looksRandom,
  },
  {
    // Mailchimp: the data centre stands at the end.
    label: 'SECRET',
    literals: ['-us'],
    pattern: /(?<=(?<head>(?<![0-9A-Za-z])[0-9a-f]{32}))-us\d{1,2}/y,
  },
  {
    // An application's secret in Microsoft Entra.
    label: 'SECRET',
    literals: [...'0123456789'].map((digit) => `${digit}Q~`),
    pattern: /(?<=(?<head>[\w~.-]{3}))(?<body>\dQ~[\w~.-]{31,})/y,
    plausible: looksRandom,
  },
  {
    // Keys of Azure's services and of Azure DevOps: a signature stands in the middle.
    label: 'SECRET',
    literals: ['JQQJ99', 'AZDO'],
    pattern: /(?<=(?<head>[A-Za-z0-9]{40,80}))(?:JQQJ99|AZDO)[A-Za-z0-9+/=]{4,}/y,
  },
  {
    // Jina: a number in hexadecimal, then letters.
    label: 'SECRET',
    literals: ['jina_'],
    pattern: fresh('jina_', '(?<body>[0-9a-f]{32}[\\w-]{20,})'),
    plausible: looksRandom,
  },
  {
    // Voyage
    label: 'SECRET',
    literals: ['pa-'],
    pattern: fresh('pa-', '(?<body>[\\w-]{43,})', '[^\\w+/-]'),
    plausible: (body) => looksRandom(body) && meanWord(body.slice(0, 43)) < 3,
  },
  {
    // A secret of Modal's: its identifier (`ak-…`) is none.
    label: 'SECRET',
    literals: ['as-'],
    pattern: fresh('as-', '(?<body>[A-Za-z0-9]{22})(?![\\w-])', '[^\\w+/-]'),
    plausible: (body) => looksRandom(body) && meanWord(body) < 3 && /\d/.test(body) && /[A-Z]/.test(body),
  },
  {
    // Airtable
    label: 'SECRET',
    literals: ['pat'],
    pattern: fresh('pat', '(?<body>[A-Za-z0-9]{14}\\.[0-9a-f]{64})[A-Za-z0-9]{0,200}'),
    plausible: looksRandom,
  },
  {
    // Mapbox; `pk.` is public
    label: 'SECRET',
    literals: ['sk.eyJ', 'tk.eyJ'],
    pattern: fresh('[st]k', '\\.(?<body>eyJ[\\w-]{30,1024}\\.[\\w-]{20,})'),
    plausible: looksRandom,
  },
  {
    // Service tokens of Infisical
    label: 'SECRET',
    literals: ['st.'],
    pattern: fresh('st\\.', '(?<body>[0-9a-f-]{24,36}\\.[0-9a-f]{32,}\\.[0-9a-f]{32,})', '[^\\w+/-]'),
    plausible: looksRandom,
  },
  {
    label: 'SECRET',
    literals: ['hooks.zapier.com/'],
    pattern: /(?<=(?<head>(?:https?:\/\/)?))hooks\.zapier\.com\/hooks\/catch\/(?<body>\d{4,12}\/\w{5,})\/?/y,
  },
  {
    // Terraform Cloud
    label: 'SECRET',
    literals: ['.atlasv1.'],
    pattern: /(?<=(?<head>[A-Za-z0-9]{14}))\.atlasv1\.[\w=-]{40,}/y,
  },
  {
    // Fly
    label: 'SECRET',
    literals: ['fm1_', 'fm2_', 'fm1r_', 'fm1a_', 'fo1_'],
    pattern: fresh('f[mo][12]', '[ar]?_(?<body>[\\w+/=-]{40,})'),
    plausible: looksRandom,
  },
];
