import { ALNUM, BASE64, BASE64URL, DIGITS, HEX, type Maker, UPPER } from './make.ts';

/** A secret that only its surroundings give away, or a vendor's prefix: nothing of `value` may survive in `text`. */
export interface InContext {
  readonly id: string;
  readonly value: string;
  readonly text: string;
}

const b64 = (text: string) => Buffer.from(text).toString('base64');
const LOWER = 'abcdefghijklmnopqrstuvwxyz';

/** Secrets of the kinds without a label of their own, each with what stands around it in real texts. */
export function inContext(maker: Maker): InContext[] {
  const t = (length: number, alphabet = ALNUM) => maker.text(length, alphabet);
  // A password that somebody made up: a word, then characters of several kinds.
  const word = () =>
    `${maker.pick(['Harbour', 'quay', 'Sextant', 'pilot', 'Buoy'])}${t(6)}${maker.pick([...'#!@$%^&*'])}${t(2, DIGITS)}`;
  const made: InContext[] = [];
  const add = (id: string, value: string, text: (value: string) => string) =>
    made.push({ id, value, text: text(value) });
  const prefixed = (id: string, prefix: string, body: string, text = (value: string) => `use ${value} here`) =>
    add(id, prefix + body, text);

  prefixed('hugging face', 'hf_', t(34, UPPER + LOWER));
  prefixed('npm', 'npm_', t(36));
  prefixed('pypi', 'pypi-AgEIcHlwaS5vcmcC', t(150, BASE64URL));
  prefixed('digitalocean', 'dop_v1_', t(64, HEX));
  prefixed('sendgrid', `SG.${t(22, BASE64URL)}.`, t(43, BASE64URL));
  prefixed('stripe restricted', 'rk_live_', t(24));
  prefixed('stripe test', 'sk_test_', t(24));
  prefixed('shopify', 'shpss_', t(32, HEX));
  prefixed('perplexity', 'pplx-', t(48));
  prefixed('nvidia', 'nvapi-', t(64, BASE64URL));
  prefixed('replicate', 'r8_', t(37));
  prefixed('langsmith', 'lsv2_pt_', `${t(32, HEX)}_${t(10, HEX)}`);
  prefixed('vault batch', 'hvb.', t(130, BASE64URL));
  prefixed('grafana cloud', 'glc_eyJ', t(120));
  prefixed('tailscale', 'tskey-api-', `${t(16)}CNTRL-${t(32)}`);
  prefixed('brevo', 'xkeysib-', `${t(64, HEX)}-${t(16)}`);
  prefixed('supabase', 'sbp_', t(40, HEX));
  prefixed('supabase secret', 'sb_secret_', t(31, BASE64URL));
  prefixed('netlify', 'nfp_', t(36));
  prefixed('heroku', 'HRKU-AA', t(58, BASE64URL));
  prefixed('docker', 'dckr_pat_', t(27, BASE64URL));
  prefixed('sentry', 'sntryu_', t(64, HEX));
  prefixed('new relic', 'NRAK-', t(27, UPPER + DIGITS));
  prefixed('postman', 'PMAK-', `${t(24, HEX)}-${t(34, HEX)}`);
  prefixed('atlassian', 'ATATT3xFfGF0', `${t(180, BASE64URL)}=${t(8, HEX.toUpperCase())}`);
  prefixed('doppler', 'dp.pt.', t(43));
  prefixed('pulumi', 'pul-', t(40, HEX));
  prefixed('rubygems', 'rubygems_', t(48, HEX));
  prefixed('crates.io', 'cio', t(32));
  prefixed('nuget', 'oy2', t(43, LOWER + DIGITS));
  prefixed('square', 'sq0atp-', t(22, BASE64URL));
  prefixed('terraform', `${t(14)}.atlasv1.`, t(67, BASE64URL));
  prefixed('planetscale', 'pscale_tkn_', t(43, BASE64URL));
  prefixed('age', 'AGE-SECRET-KEY-1', t(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'));
  prefixed('telegram', `${t(1, '123456789')}${t(9, DIGITS)}:AA`, t(33, BASE64URL));
  prefixed('discord bot', `${b64(`1${t(17, DIGITS)}`)}.`, `G${t(5)}.${t(38, BASE64URL)}`);
  prefixed('google refresh', '1//0', t(60, BASE64URL));
  prefixed('mailchimp', t(32, HEX), `-us${t(2, '12')}`);
  prefixed('devin user', 'apk_user_', t(64));
  prefixed('dynatrace', 'dt0c01.', `${t(24, UPPER + DIGITS)}.${t(64, UPPER + DIGITS)}`);
  prefixed('azure devops', t(76), `AZDO${t(4)}`);
  prefixed('twilio', 'SK', t(32, HEX));
  prefixed('plaid', 'access-production-', `8${t(7, HEX)}-${t(4, HEX)}-${t(4, HEX)}-${t(4, HEX)}-${t(12, HEX)}`);

  add('aws secret, ini', t(40, BASE64), (v) => `[default]\naws_secret_access_key = ${v}\nregion = eu-west-1`);
  add('aws secret, configure', t(40), (v) => `aws configure set aws_secret_access_key ${v} --profile x`);
  add('env, exported', t(32, HEX), (v) => `export WEATHER_API_KEY=${v}`);
  add('env, quoted', word(), (v) => `SMTP_PASSWORD="${v}"\nSMTP_HOST=mail`);
  add('env, single quotes', word(), (v) => `DB_PASS='${v}'`);
  add('env, some key', t(40), (v) => `ACME_KEY=${v}`);
  add('env, docker -e', word(), (v) => `docker run -e POSTGRES_PASSWORD=${v} postgres`);
  add('env, in a Dockerfile', t(40), (v) => `ENV GITEA_TOKEN ${v}`.replace('TOKEN ', 'TOKEN='));
  add(
    'django',
    t(50, `${LOWER}${DIGITS}!@#$%^&*(-_=+)`.replace('(', '').replace(')', '')),
    (v) => `SECRET_KEY = 'django-insecure-${v}'`,
  );
  add('json', word(), (v) => `{"host": "db", "password": "${v}", "port": 5432}`);
  add('json, camelCase', t(40), (v) => `{"clientSecret":"${v}"}`);
  add('json, in json', t(40), (v) => JSON.stringify({ body: JSON.stringify({ refresh_token: v }) }));
  add('yaml', word(), (v) => `database:\n  user: app\n  password: ${v}\n  pool: 5`);
  add('toml', t(43, BASE64URL), (v) => `[auth]\ntoken = "${v}"`);
  add('properties', word(), (v) => `spring.datasource.password=${v}`);
  add('xml', word(), (v) => `<server><password>${v}</password></server>`);
  add('python', t(32, HEX), (v) => `client = Client(api_key="${v}", timeout=3)`);
  add('javascript', t(40), (v) => `const accessToken = '${v}';`);
  add('typescript', t(40), (v) => `const apiSecret: string = "${v}";`);
  add('go', t(40), (v) => `authToken := "${v}"`);
  add('rust', t(40), (v) => `let api_key = "${v}".to_string();`);
  add('ruby', t(40), (v) => `config[:secret_key] = "${v}"\n:api_key => "${v}"`);
  add('php', word(), (v) => `'password' => '${v}',`);
  add('c#', t(40), (v) => `"ConnectionString": "Server=db;User Id=sa;Password=${v};Encrypt=true"`);
  add('mssql', word().replace('"', ''), (v) => `Server=tcp:x.database.windows.net;Database=d;User ID=u;Pwd=${v};`);
  add(
    'azure service bus',
    `${t(43, BASE64)}=`,
    (v) => `Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=${v}`,
  );
  add(
    'azure signature',
    `${t(43)}%3D`,
    (v) => `https://x.blob.core.windows.net/c/b?sv=2024-11-04&se=2026-12-01&sr=b&sp=r&sig=${v}`,
  );
  add('aws signature', t(64, HEX), (v) => `https://b.s3.amazonaws.com/k?X-Amz-Expires=3600&X-Amz-Signature=${v}&x=1`);
  add('query', t(32), (v) => `GET /v1/weather?q=Kiel&api_key=${v}&units=m`);
  add('url', t(16), (v) => `https://deploy:${v}@git.harbour.io/app.git`);
  add('url, special characters', `${t(6)}#!${t(6)}`.replace('#', '%23'), (v) => `amqp://app:${v}@mq.internal:5672/v`);
  add('url, an @ in it', `${t(6)}@${t(8)}`, (v) => `postgresql://app:${v}@db.internal/prod`);
  add('url, token alone', t(40), (v) => `git clone https://${v}@git.harbour.io/app.git`);
  add('redis', t(24), (v) => `redis://:${v}@cache:6379`);
  add('discord webhook', t(68, BASE64URL), (v) => `https://discord.com/api/webhooks/${t(18, DIGITS)}/${v}`);
  add(
    'teams webhook',
    `${t(8, HEX)}-${t(12, HEX)}@${t(32, HEX)}/IncomingWebhook/${t(32, HEX)}`,
    (v) => `https://acme.webhook.office.com/webhookb2/${v}`,
  );
  add('telegram url', t(35, BASE64URL), (v) => `https://api.telegram.org/bot12345678:AA${v}/getMe`);
  add('bearer', t(40), (v) => `Authorization: Bearer ${v}`);
  add('bearer, curl', t(40), (v) => `curl -H 'Authorization: Bearer ${v}' https://x`);
  add('bearer, fetch', t(40), (v) => `headers: { "Authorization": "Bearer ${v}" }`);
  add('basic', b64(`bot:${t(18)}`), (v) => `Authorization: Basic ${v}`);
  add('x-api-key', t(40), (v) => `X-Api-Key: ${v}`);
  add('private-token', t(20), (v) => `curl --header "PRIVATE-TOKEN: ${v}" https://x`);
  add('cookie', t(32), (v) => `Cookie: theme=dark; session=${v}; lang=de`);
  add('set-cookie', t(40, HEX), (v) => `Set-Cookie: sid=${v}; HttpOnly; Path=/`);
  add('curl -u', t(16), (v) => `curl -u admin:${v} https://ci`);
  add('curl --user', t(16), (v) => `curl -s --user "admin:${v}" https://ci`);
  add('flag', word(), (v) => `mysqldump --user=root --password=${v} app`);
  add('flag and blank', t(24), (v) => `vault login --token ${v}`);
  add('flag, client secret', t(40), (v) => `az login --service-principal --client-secret ${v}`);
  add('docker login', t(24), (v) => `docker login registry.io -u ci -p ${v}`);
  add('sshpass', word(), (v) => `sshpass -p '${v}' ssh root@host`);
  add('mysql -p', t(14), (v) => `mysql -h db -u root -p${v} app`);
  add('redis-cli', t(20), (v) => `redis-cli -h cache -a ${v} ping`);
  add('netrc', t(16), (v) => `machine git.harbour.io login bot password ${v}`);
  add('netrc, on lines', t(16), (v) => `machine git.harbour.io\n  login bot\n  password ${v}`);
  add(
    'npmrc',
    `${t(8, HEX)}-${t(4, HEX)}-${t(4, HEX)}-${t(4, HEX)}-${t(12, HEX)}`,
    (v) => `//npm.harbour.io/:_authToken=${v}`,
  );
  add('npmrc, old', b64(`bot:${t(20)}`), (v) => `_auth=${v}`);
  add('docker config', b64(`bot:${t(20)}`), (v) => `{"auths":{"ghcr.io":{"auth":"${v}"}}}`);
  add(
    'kubernetes',
    b64(t(18)),
    (v) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  url: ${v}\ntype: Opaque`,
  );
  add(
    'kubernetes, data first',
    b64(t(18)),
    (v) => `apiVersion: v1\ndata:\n  dsn: ${v}\nkind: Secret\nmetadata:\n  name: db`,
  );
  add('kubernetes, json', b64(t(18)), (v) => `{"kind":"Secret","data":{"dsn":"${v}"}}`);
  add('kubectl', word(), (v) => `kubectl create secret generic db --from-literal=dsn=${v}`);
  add('openssl', word(), (v) => `openssl rsa -passin pass:${v} -in k.pem`);
  add('eth key', t(64, HEX), (v) => `PRIVATE_KEY=0x${v}`);
  add('long token', t(900), (v) => `session_token = "${v}"`);
  add('log line', t(40), (v) => `2026-11-30 08:00:00 DEBUG using api-key: ${v} for weather`);
  return made;
}
