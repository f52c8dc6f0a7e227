import { describe, expect, it } from 'vitest';
import { tellsSecrets, withoutTold } from '../../src/redact/telling.ts';

describe('a command that prints secrets', () => {
  it.each([
    'kubectl get secret db -o jsonpath="{.data.password}" | base64 -d',
    "kubectl -n prod get secret db -o jsonpath='{.data.password}' | base64 --decode; echo",
    'kubectl get secrets db -o go-template="{{.data.password}}"',
    'kubectl get secret db -o json | jq -r .data.password | base64 -d',
    'op read op://Private/db/password',
    'op item get db --fields password',
    'gcloud secrets versions access latest --secret=db',
    'gcloud --project quay secrets versions access latest --secret db',
    'gcloud auth print-access-token',
    'heroku auth:token',
    'gh auth token',
    'pass show web/db',
    'gopass show -o web/db',
    'security find-generic-password -s db -w',
    'aws secretsmanager get-secret-value --secret-id db --query SecretString --output text',
    'aws --profile quay secretsmanager get-secret-value --secret-id db',
    'aws ssm get-parameter --name /db/password --with-decryption',
    'aws ecr get-login-password',
    'vault kv get -field=password secret/db',
    'vault read -field=token auth/token',
    'az keyvault secret show --name db --vault-name quay --query value -o tsv',
    'doppler secrets get DB_PASSWORD --plain',
    'sops -d secrets.yaml',
    'ansible-vault view group_vars/all/vault.yml',
    'bw get password db',
    'terraform output -raw db_password',
    'openssl rand -hex 32',
    'head -c 32 /dev/urandom | base64',
    `node -e "console.log(require('crypto').randomBytes(32).toString('hex'))"`,
    'python3 -c "import secrets; print(secrets.token_urlsafe(32))"',
    'npm config get //registry.npmjs.org/:_authToken',
    'cat /run/secrets/db_password',
    'sudo cat /var/run/secrets/kubernetes.io/serviceaccount/token',
    'printenv GITHUB_TOKEN',
    'echo $DB_PASSWORD',
    `echo "$${'{'}STRIPE_KEY}"`,
    'cd infra && export VAULT_ADDR=https://vault && vault kv get -field=password secret/db',
    'VAULT_ADDR=https://vault vault kv get -field=password secret/db 2>/dev/null',
  ])('%s', (command) => {
    expect(tellsSecrets(command)).toBe('all');
  });

  it.each([
    'op read op://Private/db/password; ls -la',
    'kubectl get pods\nkubectl get secret db -o jsonpath="{.data.password}" | base64 -d',
    'whoami && gh auth token',
  ])('among others: %s', (command) => {
    expect(tellsSecrets(command)).toBe('some');
  });

  it.each([
    'TOKEN=$(op read op://Private/db/password) && curl -H "Authorization: $TOKEN" https://quay.example',
    'export T=`gh auth token`',
    'gh auth token > token.txt',
    'gh auth token | docker login ghcr.io -u x --password-stdin',
    'vault kv get -field=password secret/db | wc -c',
    'aws secretsmanager get-secret-value --secret-id db | sha256sum',
    'kubectl get secrets',
    'kubectl describe secret db',
    'kubectl get secret db -o yaml',
    'aws secretsmanager list-secrets',
    'grep -rn "op read" docs',
    'git log --grep "gh auth token"',
    'terraform output -raw bucket_name',
    'npm config set //npm.quay.example/:_authToken x',
    'git config user.email',
    'echo $HOME',
    'echo $TOKEN_FILE',
    'echo "done"',
    'npm test',
    'cat README.md',
    'pass',
    '',
  ])('is none of these: %s', (command) => {
    expect(tellsSecrets(command)).toBeUndefined();
  });

  it('keeps nothing of its output where that is all that it prints', () => {
    expect(withoutTold('correct horse battery\n', 'all', false)).toEqual({ text: '[SECRET]', count: 1 });
    expect(withoutTold('[SECRET]', 'all', false)).toEqual({ text: '[SECRET]', count: 0 });
    expect(withoutTold('\n', 'all', false)).toEqual({ text: '\n', count: 0 });
  });

  it('keeps its messages where it failed, and the other words where it prints more', () => {
    const failed = 'Error from server (NotFound): secrets "db" not found';
    expect(withoutTold(failed, 'all', true)).toEqual({ text: failed, count: 0 });
    expect(withoutTold('error: no such item', 'all', false).count).toBe(0);
    expect(withoutTold('README.md notes\nq7Zx9-kP3v\nok', 'some', false)).toEqual({
      text: 'README.md notes\n[SECRET]\nok',
      count: 1,
    });
  });

  it('is looked at in time that grows with its length alone', () => {
    for (const unit of ['$(', '`', '|', ';', 'op read ', '$(op read) ', '> ', 'X=1 '])
      expect(tellsSecrets(`ls ${unit.repeat(200_000)}`)).not.toBe('all');
  });
});
