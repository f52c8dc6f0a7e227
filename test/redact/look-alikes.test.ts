import { describe, expect, it } from 'vitest';
import { redactDeep, redactText } from '../../src/redact/redact.ts';
import { ALNUM, BASE64URL, DIGITS, HEX, Maker, UPPER } from './make.ts';

const maker = new Maker(411);
const hex = (length: number) => maker.text(length, HEX);
const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');
const ESC = '\u001b';

/** What looks like the forms of secrets and is none, by kind. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'tokens that a text cuts short, and digits in their order': [
    `Authorization: Bearer ${'eyJ'}hbGciOiJIUzI1NiIs...`,
    `"token": "${'eyJ'}hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9..."`,
    'api_key=8f3kQ2xz71Lm…',
    `ghp_${'1234567890abcdefghij1234567890abcdef'}`,
    `ghp_${'abcdefghij1234567890'}`,
    `glpat-${'12345678901234567890'}`,
    `sk-${'1234567890abcdef1234567890abcdef'}`,
    `AIza${'1234567890abcdefghij1234567890abcdef'}`,
  ],
  'colours around words': [
    `${ESC}[32mpassword${ESC}[0m: ${ESC}[33mstring${ESC}[0m`,
    `${ESC}[1mtoken${ESC}[0m=${ESC}[2m$TOKEN${ESC}[0m`,
    `${ESC}[31m- const secret = config.secret2${ESC}[0m`,
    `${ESC}[36msrc/auth/token2.ts${ESC}[0m:${ESC}[33m12${ESC}[0m - error TS2304`,
    'a[0m] = b[1m]',
  ],
  'lines that end in something random': [
    `commit ${hex(40)}\nAuthor: Jane <jane@quay.example>`,
    `${hex(7)} Fix the token\n${hex(7)} Add the key\n${hex(7)} Hide the secret`,
    `${hex(64)}  a.txt\n${hex(64)}  b.txt`,
    `see the token\n${hex(40)}`,
    `export KEY_FILE=a\nv2beta1 is out`,
    `docker pull\n${hex(12)}: Pull complete\n${hex(12)}: Already exists`,
    `│ id     │ ${hex(8)} │\n│ parent │ ${hex(8)} │`,
    `${uuid()}\n${uuid()}\n${uuid()}`,
    maker.text(400, `${ALNUM}+/`).replace(/.{64}/g, '$&\n'),
  ],
  'names apart from values that are none': [
    "define('DB_PASSWORD', getenv('DB_PASSWORD'));",
    "define('WP_DEBUG_KEY', true);",
    "define('AUTH_KEY', 'put your unique phrase here');",
    't("password", "At least 8 characters, 1 digit")',
    'expect(screen.getByLabelText("password", "exact1"))',
    `"args": ["--token", "$${'{'}TOKEN}"]`,
    '"args": ["--api-key-file", "/run/keys/1"]',
    '<add key="PasswordMinLength" value="12"/>',
    '<input name="password" value="" type="password">',
    '<setting name="TokenEndpoint" value="https://login.quay.example/oauth2/v2"/>',
    '{"label":"Password","value":"password2"}',
    '{"name":"token","value":"{{ token2 }}","enabled":true}',
    '{"name":"color","value":"8f3kQ2xz71LmP0aZ"}',
    '- name: GITHUB_TOKEN\n  value: $(GITHUB_TOKEN)',
    '#define MASTER_SECRET_CONST "\\x6d\\x61\\x73\\x74\\x65\\x72"',
    'the secret "sauce" and the password "strength" of 2026',
    'proxy_set_header Authorization "$http_authorization";',
    '<input name="token" type="hidden" value="{{ token2 }}">',
    '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db2',
    'set -gx PATH /opt/x9K2q7V8b4/bin $PATH',
    'set -euo pipefail',
    'setx JAVA_HOME "C:\\Java\\jdk21"',
    'gh secret set NPM_TOKEN --body "$NPM_TOKEN"',
    'npm config set registry https://npm.quay.example/x9K2q7V8b4',
    'ENV NODE_VERSION 24.11.1',
    '    DefaultPassword    REG_SZ    ',
  ],
  'tables without secrets': [
    '| user | password |\n|---|---|\n| jane | required |\n| joe | 8 to 64 |',
    '| Option | Token type |\n|--------|------------|\n| --a | Bearer2 |',
    'NAME                 TYPE      DATA   AGE\ndb-credentials       Opaque    2      41d',
    ' id | token_count\n----+-------------\n  1 |       48213',
    'password     string   no   the password of the user',
    'secrets              \t12 files',
    `| key | ${hex(12)} |\n| hash | ${hex(40)} |`,
    'Token          Meaning\n-----          -------\nIDENT_2        a name',
  ],
  'escapes of what is none': [
    'https://quay.example/?next=%2Flogin%3Ftoken_type%3Dbearer%26page%3D2',
    '{"a":"\\u003cdiv\\u003e","tokenCount":"\\u0022 12 \\u0022"}',
    '&lt;input type=&quot;password&quot; name=&quot;pw2&quot;&gt;',
    `password=&quot;$${'{'}DB_PASSWORD}&quot;`,
  ],
  'words of other languages': [
    'Contraseña: mínimo 8 caracteres',
    'Le mot de passe : au moins 8 caractères',
    'пароль: не менее 8 символов',
    '密码：至少8位，包含字母和数字',
    'パスワード：8文字以上',
    'Senha: mínimo de 8 caracteres',
    'Hasło: co najmniej 8 znaków',
    'il passe 2024-11-30 au port',
    'aseñado=Xk29fLq8',
  ],
  'commands without secrets': [
    'curl -u "$TOKEN:" https://api.quay.example',
    'curl -b cookies.txt -c cookies.txt https://quay.example',
    "curl -b 'theme=dark; lang=en-GB' https://quay.example",
    'git checkout -b feature=2026x',
    'docker build -b main2026 .',
    'ldapsearch -x -W -D cn=admin -b dc=quay',
    'htpasswd -c /etc/nginx/.htpasswd jane2026',
    'net use Z: \\\\files\\share /persistent:yes',
    'net user jane2026 /active:yes',
    'vault login -method=oidc',
    'echo "$TOKEN" | docker login -u ci --password-stdin',
    'echo hello2world | sudo tee /etc/motd',
    'ConvertTo-SecureString $password -AsPlainText -Force',
    'ConvertTo-SecureString (Read-Host "Password2") -AsPlainText',
    'sqlplus / as sysdba',
    'jdbc:oracle:thin:@db.quay.example:1521:ORCL19',
    'unzip -P build.zip',
    'gzip -p a1b2.txt',
    'psk=yes',
    'localhost:5432:app2',
  ],
  'files with public parts': [
    `{"kty":"EC","crv":"P-256","x":"${maker.text(43, BASE64URL)}","y":"${maker.text(43, BASE64URL)}"}`,
    `{"kty":"RSA","e":"AQAB","n":"${maker.text(342, BASE64URL)}","kid":"${uuid()}"}`,
    `PuTTY-User-Key-File-3: ssh-rsa\nPublic-Lines: 1\n${maker.text(64)}`,
    `.quay.example\tTRUE\t/\tFALSE\t1796000000\tlang\ten-GB`,
    '{"name":"theme","value":"dark","domain":".quay.example","httpOnly":false}',
  ],
  'what begins like a vendor’s token': [
    'class="fc-daygrid-day-number fc-event-title fc-1a2b"',
    'fc-match "Noto Sans CJK JP:weight=200"',
    `e2b_${'template'} and e2b_code_interpreter`,
    'crsr_on(); crsr_off(); crsr_x = 12;',
    'pat.match(/x/), patch.apply, pattern2.test',
    `pa-${'accessibility-checklist-of-the-year-2026-and-of-others'}`,
    'as-of-2026-11-30, as-is, as-ApplicationServiceNames',
    'm0-m3, cortex-m0-plus-2026-reference-manual-of-the-core',
    'tr_dev_mode, tr_production_settings_of_2026',
    'jina_embeddings_v2_base_en_of_the_year_2024_and_more_words',
    'unkey_rate_limit_of_namespace_2',
    'polar_oat_de_prueba',
    'wandb_v1_project_name_of_the_run_and_more_words_behind_it_2026_long',
    'pk.eyJ1IjoicXVheSJ9.public',
    'signkey-prod-1234',
    'ctx7sk-your-key-here',
    'pcsk_your_api_key',
    'tvly-dev-your-api-key-goes-here',
    'st.session_state.user_2026',
    'https://hooks.zapier.com/hooks/catch/ACCOUNT/HOOK',
    `${UPPER.slice(0, 3)}-${maker.text(10, DIGITS)}`,
  ],
};

describe('look-alikes', () => {
  describe.each(Object.entries(KINDS))('%s', (_, texts) => {
    it.each(texts)('%s', (text) => {
      expect(redactText(text)).toEqual({ text, count: 0 });
      const value = { list: [text, { output: text }] };
      expect(redactDeep(value).value).toBe(value);
    });
  });
});
