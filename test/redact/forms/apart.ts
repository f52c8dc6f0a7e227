import type { InContext } from '../contexts.ts';
import { ALNUM, BASE64, DIGITS, type Maker } from '../make.ts';

/** Secrets whose name does not stand right before them: arguments, tables, attributes, pairs. */
export function apart(maker: Maker): InContext[] {
  const t = (length: number, alphabet = ALNUM) => maker.text(length, alphabet);
  const made: InContext[] = [];
  const add = (id: string, value: string, text: (value: string) => string) =>
    made.push({ id, value, text: text(value) });
  const word = () => `${maker.pick(['Kestrel', 'Sextant', 'Buoy'])}${t(7)}${maker.pick([...'#!@$^*'])}${t(2, DIGITS)}`;
  const blanks = (length: number) => ' '.repeat(length);

  add('define', word(), (v) => `define('DB_PASSWORD', '${v}');`);
  add('define, double quotes', word(), (v) => `define( "SMTP_PASS" , "${v}" );`);
  add('setenv', t(40), (v) => `os.environ.setdefault("STRIPE_API_KEY", "${v}")`);
  add('putenv', t(40), (v) => `setenv("HARBOUR_TOKEN", "${v}", 1);`);
  add('SetEnvironmentVariable', t(40), (v) => `[Environment]::SetEnvironmentVariable("OPENAI_KEY", "${v}", "User")`);
  add('arguments as text', t(32), (v) => `"args": ["--api-key", "${v}"]`);
  add('arguments as text, lines', t(32), (v) => `args = [\n  '--token',\n  '${v}',\n]`);
  add('arguments, short blanks', word(), (v) => `spawn("db", ["--password","${v}"])`);

  add('xml key and value', word(), (v) => `<add key="ClearTextPassword" value="${v}"/>`);
  add('xml name and value', word(), (v) => `<property name="connection.password" value='${v}' />`);
  add('xml name, value element', t(32), (v) => `<name>fs.s3a.secret.key</name>\n  <value>${v}</value>`);
  add('xml setting', t(32), (v) => `<setting name="ApiSecret" serializeAs="String"><value>${v}</value></setting>`);

  add('html input', t(32), (v) => `<input type="hidden" name="csrf_token" id="t1" value="${v}">`);
  add('property list', word(), (v) => `<key>password</key>\n\t<string>${v}</string>`);
  add('directive', t(32), (v) => `proxy_set_header X-Api-Key "${v}";`);
  add('directive, environment', t(40), (v) => `SetEnv SECRET_KEY "${v}"`);
  add('lisp', t(32), (v) => `(setq weather-api-token "${v}")`);
  add('redis', word(), (v) => `requirepass ${v}`);
  add('request as recorded', t(32), (v) => `{"name":"Cookie","value":"theme=dark; sid=${v}"}`);

  add('label and value', word(), (v) => `{"label":"password","value":"${v}"}`);
  add(
    'label and value, id between',
    word(),
    (v) => `{"id": "x1", "label": "password", "type": "CONCEALED", "value": "${v}"}`,
  );
  add(
    'label and value, lines',
    word(),
    (v) => `{\n  "label": "password",\n  "purpose": "PASSWORD",\n  "value": "${v}"\n}`,
  );
  add('Name and Value', word(), (v) => `{"Name":"/app/db/password","Value":"${v}"}`);
  add(
    'Name and Value, type between',
    t(40),
    (v) => `{"Name":"/app/API_KEY","Type":"SecureString","Value":"${v}","Version":3}`,
  );
  add('key and value', t(40), (v) => `[{"key":"GITHUB_TOKEN","value":"${v}","masked":true}]`);
  add('value first', word(), (v) => `{"value":"${v}","name":"DB_PASSWORD"}`);
  add('name and value in YAML', t(40), (v) => `- name: STRIPE_API_KEY\n  value: ${v}\n- name: PORT`);
  add('name and value in YAML, quoted', word(), (v) => `      - name: "DB_PASSWORD"\n        value: "${v}"`);

  add('fish', t(40), (v) => `set -gx STRIPE_API_KEY ${v}`);
  add('fish, universal', t(40), (v) => `set -Ux HARBOUR_TOKEN '${v}'`);
  add('setx', t(40), (v) => `setx OPENAI_KEY "${v}"`);
  add('setx, machine', t(40), (v) => `setx OPENAI_API_KEY ${v} /M`);
  add('csh', t(40), (v) => `setenv GITHUB_API_TOKEN ${v}`);
  add('gh secret set', t(36), (v) => `gh secret set NPM_TOKEN --body ${v}`);
  add('gh secret set, quoted', t(36), (v) => `gh secret set NPM_TOKEN -R a/b -b "${v}"`);
  add('config set', t(36), (v) => `npm config set //npm.harbour.io/:_authToken ${v}`);
  add('Dockerfile', t(40), (v) => `ENV GITEA_TOKEN ${v}\nRUN make`);
  add('registry line', word(), (v) => `    DefaultPassword    REG_SZ    ${v}`);
  add('reg add', word(), (v) => `reg add HKLM\\Software\\Winlogon /v DefaultPassword /t REG_SZ /d ${v} /f`);

  add('terraform state', word(), (v) => `    master_password                     = "${v}"`);
  add('terraform state, far', t(40), (v) => `    secret_key${blanks(60)}= "${v}"`);
  add(
    'vault table',
    word(),
    (v) => `Key${blanks(9)}Value\n---${blanks(9)}-----\npassword${blanks(4)}${v}\nttl         1h`,
  );
  add(
    'vault token table',
    t(40),
    (v) => `Key                  Value\n---                  -----\nclient_token         ${v}\nlease    768h`,
  );
  add('aws table', t(40, BASE64), (v) => `||  SecretAccessKey |  ${v}  ||`);
  add('markdown table', word(), (v) => `| user | password |\n|---|---|\n| password | ${v} |`);
  add('markdown table, header', word(), (v) => `| user | password |\n|------|----------|\n| jane | ${v} |`);
  add(
    'psql table',
    t(32),
    (v) => ` id | email    | api_token\n----+----------+-----------\n  1 | a@b.test | ${v}\n  2 | c@d.test | `,
  );
  add('box table', t(32), (v) => `│ API_KEY │ ${v} │`);
  add('box table, double', t(32), (v) => `║ API_KEY │ ${v} ║`);
  add('aws configure', t(40, BASE64), (v) => `AWS Secret Access Key [None]: ${v}`);
  add('aws configure, known', t(40, BASE64), (v) => `AWS Secret Access Key [****************3XQ2]: ${v}`);
  add(
    'aws text output',
    t(40, BASE64),
    (v) => `ACCESSKEY\tAKIA${t(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}\t2026-11-30T08:00:00+00:00\t${v}\tActive\tbot`,
  );
  add('cookie jar', t(32), (v) => `.harbour.io\tTRUE\t/\tTRUE\t1796000000\tsessionid\t${v}`);
  add('cookie jar, http only', t(40), (v) => `#HttpOnly_app.harbour.io\tFALSE\t/\tTRUE\t0\tconnect.sid\t${v}`);
  add(
    'devtools cookie',
    t(32),
    (v) => `{"name":"sid","value":"${v}","domain":".harbour.io","path":"/","httpOnly":true}`,
  );
  add(
    'devtools cookie, lines',
    t(32),
    (v) =>
      `{\n  "domain": ".harbour.io",\n  "httpOnly": true,\n  "name": "remember_web",\n  "sameSite": "lax",\n  "value": "${v}"\n}`,
  );

  add('entities', word().replace(/[#&]/g, '!'), (v) => `password=&quot;${v}&quot;`);
  add('entities in JSON', word().replace(/[#&]/g, '!'), (v) => `{&quot;password&quot;:&quot;${v}&quot;}`);
  add('numbered entities', t(32), (v) => `api_key&#61;&#34;${v}&#34;`);
  add('escaped XML', t(32), (v) => `&lt;password&gt;${v}&lt;/password&gt;`);
  add('unicode escapes', t(32), (v) => `{"api_key"\\u003a"${v}"}`);
  add('unicode escaped quotes', t(32), (v) => `{\\u0022api_key\\u0022: \\u0022${v}\\u0022}`);
  add('hex escapes', t(32), (v) => `api_key\\x3d\\x22${v}\\x22`);
  add('percent', t(32), (v) => `api_key%3D${v}`);
  add('percent, query', t(32), (v) => `redirect=https%3A%2F%2Fharbour.io%2F%3Faccess_token%3D${v}%26x%3D1`);
  add('percent, JSON', t(32), (v) => `%7B%22api_key%22%3A%22${v}%22%7D`);
  return made;
}

/** The word for a password as people write it elsewhere, with what stands between it and the password. */
const WORDS = [
  'contraseña: ',
  'Contraseña = ',
  'mot de passe : ',
  'Mot de passe: ',
  'motdepasse=',
  'пароль: ',
  'Пароль = ',
  'ПАРОЛЬ: ',
  '密码：',
  '密码: ',
  '密碼：',
  '口令＝',
  'パスワード：',
  'パスワード: ',
  '暗証番号: ',
  '비밀번호: ',
  '암호 = ',
  'senha: ',
  'Senha=',
  'hasło: ',
  'wachtwoord: ',
  'Passwort: ',
  'Kennwort: ',
  'şifre: ',
  'lösenord: ',
  'jelszó: ',
  'adgangskode: ',
  'κωδικός: ',
  'mật khẩu: ',
  'kata sandi: ',
  'كلمة المرور: ',
  'كلمة السر: ',
  'पासवर्ड: ',
  'পাসওয়ার্ড: ',
  'پاس ورڈ: ',
  'رمز عبور: ',
  'סיסמה: ',
  'รหัสผ่าน: ',
  'password：',
  'passwd ＝ ',
];

/** Passwords beside the words for them of other languages, and behind full-width signs. */
export function foreign(maker: Maker): InContext[] {
  return WORDS.map((word) => {
    const value = `${maker.pick(['Quay', 'Buoy', 'Kiel'])}${maker.text(9)}${maker.pick([...'!@$'])}4`;
    return { id: word.trim(), value, text: `notes\n${word}${value}\nmore` };
  });
}
