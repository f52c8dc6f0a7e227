import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { homeOf } from '../../src/home/paths.ts';
import { beginRedaction } from '../../src/redact/begin.ts';
import { knownSecrets } from '../../src/redact/known.ts';
import { redactText, redactWith } from '../../src/redact/redact.ts';
import { temporaryFolder, writeAt } from '../support/folders.ts';
import { Maker } from './make.ts';

const maker = new Maker(99);
afterEach(() => redactWith({ values: [], patterns: [], allow: [] }));

describe('knownSecrets', () => {
  it('takes values of the environment that a name calls secret', () => {
    const value = maker.text(20);
    for (const name of ['WEATHER_TOKEN', 'DB_PASSWORD', 'secretThing', 'X_API_KEY', 'MY_CREDENTIALS'])
      expect(knownSecrets({ [name]: value }, undefined)).toEqual([value]);
    expect(
      knownSecrets({ PATH: value, TOKEN_FILE: value, PUBLIC_URL: value, MAX_TOKENS_COUNT: value }, undefined),
    ).toEqual([]);
  });

  it('leaves what is short, of one kind of characters, a path, an address, a reference or words', () => {
    for (const value of [
      maker.text(11),
      '123456789012345678',
      'correcthorsebattery',
      '/run/user/1000/ssh-agent.socket',
      'https://auth.example.com/v2/login',
      '$' + '{OTHER_TOKEN}',
      'oauth-personal-login',
    ])
      expect(knownSecrets({ ACME_TOKEN: value }, undefined), value).toEqual([]);
  });

  it('takes no folder for a password, whatever its name', () => {
    const folder = `x1/${maker.text(20)}`;
    for (const path of [`/home/dev/${folder}`, `/tmp/${folder}`, `~/${folder}`, `C:\\${folder}`, `D:/${folder}`])
      for (const name of ['PWD', 'DEPLOY_KEY', 'DB_PWD'])
        expect(knownSecrets({ [name]: path }, undefined), path).toEqual([]);
    expect(knownSecrets({ PWD: `/${folder}`, OLDPWD: `/q7/${folder}` }, undefined)).toEqual([]);
  });

  it.each([
    ['GIT_AUTHOR_EMAIL', 'jdoe42@harbour-x1.io'],
    ['GIT_AUTHOR_NAME', 'jdoe42-harbour-x9k2q'],
    ['CI_COMMIT_AUTHOR', 'dev42-x9k2q <dev42@harbour1.io>'],
    ['XAUTHORITY', 'x9k2q7/v8b4n1m3'],
    ['CREDIT_SERVICE_HOST', 'credit-7f9c8x2.prod.svc1'],
    ['TOKENIZER_MODEL', 'cl100k_base-v1x2'],
    ['SECRETARY_PHONE', 'x49-k151-q2345'],
    ['AUTH0_CLIENT_ID', 'k3Jd8sLq0pXz7VbN2mRt5YwA9cEf1HgU'],
    ['AUTH0_DOMAIN', 'dev-x9k2q7v8.eu.auth0.com'],
    ['AWS_CREDENTIAL_EXPIRATION', '2026-11-30T18:21:44Z'],
    ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', '/v2/x/7c3f8a1e-2b4d-4f6a-9c8e-1d2f3a4b5c6d'],
    ['LAST_CREDENTIAL', '2026-11-30T18:21:44Z'],
    ['SECRET_KEY_FILE', 'conf/k9x2q7/v8b4'],
    ['GOOGLE_APPLICATION_CREDENTIALS', 'gcp/harbour-4821-9f8e7d6c5b4a.json'],
    ['KEYCLOAK_AUTH_GROUP', 'harbour-eu1-prod2'],
    ['SONAR_PROJECT_KEY', 'harbour_portolan2_x1'],
    ['STORAGE_KEY', 'app-v2-state1'],
  ])('takes no harmless value for a secret: %s', (name, value) => {
    expect(knownSecrets({ [name]: value }, undefined)).toEqual([]);
  });

  it('takes the secrets of a document in a variable, not the document', () => {
    const value = maker.text(24);
    const document = JSON.stringify({ auths: { 'ghcr.io': { auth: value, email: 'jdoe42@harbour-x1.io' } } });
    expect(knownSecrets({ DOCKER_AUTH_CONFIG: document }, undefined)).toEqual([value]);
  });

  it('takes them from files in which programs keep credentials', () => {
    const home = temporaryFolder();
    const [netrc, git, npm, docker, agent, aws] = Array.from({ length: 6 }, () => maker.text(24)) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    writeAt(join(home, '.netrc'), `machine git.harbour.io\n  login bot\n  password ${netrc}\n`);
    writeAt(join(home, '.git-credentials'), `https://bot:${git}@git.harbour.io\n`);
    writeAt(join(home, '.npmrc'), `//npm.harbour.io/:_authToken=${npm}\nregistry=https://npm.harbour.io/some/path1\n`);
    writeAt(join(home, '.docker/config.json'), JSON.stringify({ auths: { 'ghcr.io': { auth: docker } } }));
    writeAt(
      join(home, '.codex/auth.json'),
      JSON.stringify({ tokens: { access_token: agent }, last_refresh: '2026-11-30' }),
    );
    const kube = maker.text(24);
    writeAt(join(home, '.kube/config'), `users: [{user: {auth-provider: {config: {access-token: ${kube}}}}}]\n`);
    writeAt(join(home, '.aws/credentials'), `[default]\naws_access_key_id = x\naws_secret_access_key = ${aws}\n`);
    expect(knownSecrets({}, home).sort()).toEqual([netrc, git, npm, docker, agent, aws, kube].sort());
  });

  it('is not stopped by a file that cannot be read', () => {
    const home = temporaryFolder();
    chmodSync(writeAt(join(home, '.netrc'), 'password x'), 0o000);
    writeAt(join(home, '.npmrc/folder'), '');
    expect(knownSecrets({}, home)).toEqual([]);
  });
});

describe('beginRedaction', () => {
  it('hides values whatever they stand in, and what the user has set', () => {
    const home = homeOf({ PORTOLAN_HOME: temporaryFolder() }, 'linux');
    writeAt(home.config, JSON.stringify({ redaction: { patterns: ['QUAY-\\d{4,}'], allow: ['QUAY-00001'] } }));
    const value = 'dunlin and 7 knots!'.replaceAll(' ', '_');
    beginRedaction(home, { HOME: temporaryFolder(), TIDE_SECRET: value });
    expect(redactText(`say ${value}: QUAY-12345 QUAY-00001`).text).toBe('say [SECRET]: [SECRET] QUAY-00001');
  });

  it('tells of a pattern that cannot be run, with what is wrong; values are hidden all the same', () => {
    const home = homeOf({ PORTOLAN_HOME: temporaryFolder() }, 'linux');
    const value = maker.text(20);
    for (const [pattern, problem] of [
      ['(QUAY', /Unterminated group/],
      ['(?=QUAY)', /forever/],
      ['(Q)\\1', /forever/],
      ['Q*', /empty text/],
    ] as const) {
      writeAt(home.config, JSON.stringify({ redaction: { patterns: [pattern] } }));
      expect(() => beginRedaction(home, { HOME: temporaryFolder(), A_TOKEN: value })).toThrow(problem);
      expect(redactText(`x ${value} y`).text).toBe('x [SECRET] y');
    }
  });
});
