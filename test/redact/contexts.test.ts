import { describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { inContext } from './contexts.ts';
import { Maker, survivor } from './make.ts';

const DRAWS = 20;

/** How often a kind is to be hidden at least: a password may happen to look like a word. */
const MOSTLY = 0.95;

describe('secrets that their surroundings give away', () => {
  const kinds = inContext(new Maker(0)).map(({ id }) => id);

  it.each(kinds)('%s: hidden, plain and in JSON, and nothing is found the second time', (id) => {
    let hidden = 0;
    let tried = 0;
    for (let seed = 0; seed < DRAWS; seed++)
      for (const { value, text } of inContext(new Maker(seed)).filter((each) => each.id === id))
        for (const form of [text, JSON.stringify({ output: text }), JSON.stringify(JSON.stringify({ text }))]) {
          const out = redactText(form);
          tried++;
          if (survivor(value, out.text) === undefined) hidden++;
          expect(redactText(out.text)).toEqual({ text: out.text, count: 0 });
        }
    expect(hidden / tried).toBeGreaterThanOrEqual(MOSTLY);
  });

  it('is shielded by no label, marker or placeholder glued to the secret', () => {
    const maker = new Maker(8);
    for (let round = 0; round < 20; round++) {
      const secret = maker.text(32);
      for (const glued of [
        `[SECRET]${secret}`,
        `[REDACTED]${secret}`,
        `${secret}[GH_TOKEN]`,
        `<redacted>${secret}`,
        `example${secret}`,
        `xxxx${secret}`,
        `your-${secret}`,
        `<${secret}>`,
      ])
        for (const text of [`API_KEY=${glued}`, `"api_key": "${glued}"`, `--token ${glued}`])
          expect(survivor(secret, redactText(text).text), text).toBeUndefined();
    }
  });
});

describe('look-alikes', () => {
  it.each([
    'const token = req.headers["x-token"];',
    'password: z.string().min(8).max(128),',
    'let secret = config.auth.secret2;',
    'apiKey: process.env.WEATHER_API_KEY_2,',
    'api_key = os.environ["WEATHER_KEY_V2"]',
    'password=$DB_PASSWORD',
    'token: {{ secrets.DEPLOY_TOKEN }}',
    'GITHUB_TOKEN: $' + '{{ secrets.GITHUB_TOKEN }}',
    'secretName: database-credentials-v2',
    'API_KEY=your-api-key-goes-here-123',
    'password: "must have 8 to 64 characters"',
    'token_endpoint=https://login.example.com/oauth2/v2.0/token',
    'private_key_path: ~/.ssh/id_ed25519_2026',
    'maxTokens: 200000, tokenCount: 18234',
    '"nextPageToken": "CAoQAhoKCgYIABABGAEQ4B"',
    'const cacheKey = `user:$' + '{id}:v2`;',
    'primary key: customer_id_2',
    'sort_key = "created_at_2026"',
    '"next-auth": "^5.0.0-beta.31",',
    'API_KEYS=key1,key2,key3',
    'elements.password:!0,image:!0})b.pseudos[e]=function(t){return',
    '<h4 id="crypto_password-callback"><code>crypto.pbkdf2(password, salt2)</code></h4>',
    'const is1PasswordToken = (base64String) => base64String;',
    '--- PASS: TestTokenRefresh/returns_401 (0.00s)',
    'at passwordReset (src/auth/passwordReset.ts:120:14)',
    'tests/auth/credentials.test.ts:51:18',
    'docker run -u 1000:1000 -p 8080:8080 app',
    'git push -u origin feature/2026-redaction',
    'http://localhost:4873/@scope/pkg',
    'npm install @scope/pkg@1.2.3',
    'postgres://postgres:password@localhost:5432/app',
    'mysql -u root -p mydb_2026',
    'kind: Secret\nmetadata:\n  name: db-credentials-2',
    'Authorization: Bearer <token>',
    'Bearer authentication is needed for version 2',
    'cookie: theme=dark; lang=en-GB',
    'The secret: write every day, for 10 years.',
    'author: jane2026@example.com',
    '"authorId": "64f1a2b3c4d5e6f7a8b9c0d1"',
    'Author: jdoe42x9k7 <jdoe42@harbour1.io>',
    'GIT_AUTHOR_EMAIL=jdoe42x9@harbour-x1.io',
    'authority=k8s-9f8e7d6c5b4a',
    '"creditId": "9f8e7d6c5b4a3210"',
    '"tokenizer": "cl100k_base-v1x2y3"',
    '"tokenOwnerId":"64f1a2b3c4d5e6f7a8b9c0d1"',
    'AUTH0_CLIENT_ID=k3Jd8sLq0pXz7VbN2mRt5YwA9cEf1HgU',
    'AUTH_DOMAIN=dev-x9k2q7v8.eu.auth0.com',
    'KMS_KEY_ID=8e3b7d2a-1f6c-4e2b-9a77-5d3c8f1b2a90',
    'AWS_KMS_KEY=alias/harbour-eu1-x2',
    'CACHE_KEY=9f8e7d6c5b4a3210',
    '"SecretVersionId": "8e3b7d2a-1f6c-4e2b-9a77-5d3c8f1b2a90"',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-a1B2c3',
    'SSH_AUTH_SOCK=/x9k2/wT3k9qB7x2/agent.21345',
    'cd .. && pwd: /x9k2q7/B4n8',
    'OLDPWD=/x9k2/q7v8B4n8',
    'GOOGLE_APPLICATION_CREDENTIALS=gcp/harbour-4821-9f8e7d6c5b4a.json',
    'export GOOGLE_APPLICATION_CREDENTIALS="./keys/k9x2q7-9f8e7d6c5b4a"',
    '"hostKey": "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"',
    '"project_key": "pl1:sha256:333e5f19bc8ed34f56fa89e51a9307bbc972d173498993ed02e564d32162196f"',
    'user.signingkey=9F8E7D6C5B4A3210',
    'expected token: IDENT_9x2k7v8b',
    'tokens: 12.5k/200k',
    'bypass=x9k2q7v8b',
    '/usr/share/man/man3/Authen::SASL::Perl::DIGEST_MD5.3pm.gz',
    'use crate::auth::Session2::x9K2q7V8b4;',
    'DB_PASSWORD=vault:secret/data/eu1/db2#key',
    'data:image/png;base64,iVBORw0KGgo',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  ])('%s', (text) => {
    expect(redactText(text)).toEqual({ text, count: 0 });
  });
});
