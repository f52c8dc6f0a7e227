import type { InContext } from '../contexts.ts';
import { ALNUM, BASE64, BASE64URL, DIGITS, HEX, type Maker } from '../make.ts';

/** Secrets in the arguments of commands, and in files that programs keep them in. */
export function operated(maker: Maker): InContext[] {
  const t = (length: number, alphabet = ALNUM) => maker.text(length, alphabet);
  const made: InContext[] = [];
  const add = (id: string, value: string, text: (value: string) => string) =>
    made.push({ id, value, text: text(value) });
  const word = () => `${maker.pick(['Kestrel', 'Sextant', 'Buoy'])}${t(7)}${maker.pick([...'!^*'])}${t(2, DIGITS)}`;

  add('curl, token for a user', t(32), (v) => `curl -s -u ${v}: https://api.harbour.io/v1`);
  add('curl, token for a user, quoted', t(32), (v) => `curl -u "${v}:" https://api.harbour.io/v1`);
  add('curl, cookies', t(32), (v) => `curl -b 'sessionid=${v}' https://harbour.io`);
  add('curl, cookies, long', t(32), (v) => `curl --cookie "theme=dark; sid=${v}" https://harbour.io`);
  add('ldapsearch', word(), (v) => `ldapsearch -x -D cn=admin,dc=harbour -w ${v} -b dc=harbour`);
  add('ldapsearch, quoted', word(), (v) => `ldapmodify -w '${v}' -f a.ldif`);
  add('cqlsh', word(), (v) => `cqlsh db.internal -u cassandra -p ${v}`);
  add('cypher-shell', word(), (v) => `cypher-shell -u neo4j -p '${v}' "MATCH (n) RETURN n"`);
  add('htpasswd', word(), (v) => `htpasswd -b /etc/nginx/.htpasswd jane ${v}`);
  add('htpasswd, bcrypt', word(), (v) => `htpasswd -nbB jane '${v}'`);
  add('net use', word(), (v) => `net use Z: \\\\files\\share ${v} /user:HARBOUR\\jane`);
  add('net use, user first', word(), (v) => `net use \\\\files\\share /user:jane ${v}`);
  add('net user', word(), (v) => `net user jane ${v} /add`);
  add('vault login', t(26), (v) => `vault login ${v}`);
  add('password-stdin', t(36), (v) => `echo ${v} | docker login -u ci --password-stdin ghcr.io`);
  add('password-stdin, quoted', word(), (v) => `echo "${v}" | helm registry login --username ci --password-stdin r.io`);
  add('password-stdin, here', word(), (v) => `docker login -u ci --password-stdin <<< '${v}'`);
  add('sudo -S', word(), (v) => `echo '${v}' | sudo -S apt update`);
  add('chpasswd', word(), (v) => `echo "jane:${v}" | chpasswd`);
  add('SecureString', word(), (v) => `$p = ConvertTo-SecureString "${v}" -AsPlainText -Force`);
  add('SecureString, named', word(), (v) => `ConvertTo-SecureString -String '${v}' -AsPlainText -Force`);
  add('sqlplus', word(), (v) => `sqlplus app/${v}@db.internal:1521/ORCL`);
  add('sqlplus, quoted', word(), (v) => `sqlplus -s "app/${v}@//db.internal/ORCL" @a.sql`);
  add('oracle thin', word(), (v) => `jdbc:oracle:thin:app/${v}@db.internal:1521:ORCL`);
  add('smbclient', word(), (v) => `smbclient //files/share -U 'jane%${v}'`);
  add('unzip', word(), (v) => `unzip -P ${v} backup.zip`);
  add('7z', word(), (v) => `7z x backup.7z -p${v}`);
  add('wget', word(), (v) => `wget --user jane --http-password ${v} https://files`);
  add('rabbitmqctl', word(), (v) => `rabbitmqctl change_password app ${v}`);
  add('minio', t(32), (v) => `mc alias set store https://s3.harbour.io ${t(20)} ${v}`);

  const unique = () => t(64, `${ALNUM}!@#$%^&*()-_ []{}<>~+=,.;:/?|`.replace("'", ''));
  add('WordPress', unique(), (v) => `define('AUTH_KEY',         '${v}');`);
  add('WordPress, salt', unique(), (v) => `define( 'SECURE_AUTH_SALT', '${v}' );`);
  add('WordPress, nonce', unique(), (v) => `define('NONCE_SALT', '${v}');`);

  add('pgpass', word(), (v) => `db.internal:5432:prod:app:${v}`);
  add('pgpass, any database', word(), (v) => `*:*:*:app:${v}\n`);
  add('wpa', word(), (v) => `network={\n  ssid="quay"\n  psk="${v}"\n}`);
  add('wpa, hexadecimal', t(64, HEX), (v) => `\tpsk=${v}`);
  add('composer', t(40), (v) => `{"github-oauth": {"github.com": "${v}"}}`);
  add(
    'composer, http basic',
    word(),
    (v) => `"http-basic": {"repo.harbour.io": {"username": "jane", "password": "${v}"}}`,
  );
  const lines = () =>
    t(64 * 3 + 20, BASE64)
      .match(/.{1,64}/g)!
      .join('\n');
  add(
    'PuTTY',
    lines(),
    (v) =>
      `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPublic-Lines: 1\nAAAAB3NzaC1yc2E\nPrivate-Lines: 4\n${v}\nPrivate-MAC: ${t(64, HEX)}`,
  );
  add(
    'JWK',
    t(43, BASE64URL),
    (v) => `{"kty":"EC","crv":"P-256","x":"${t(43, BASE64URL)}","y":"${t(43, BASE64URL)}","d":"${v}"}`,
  );
  add('JWK, factors', t(171, BASE64URL), (v) => `{"kty":"RSA","n":"${t(171, BASE64URL)}","e":"AQAB",\n "p":"${v}"}`);
  add('JWK, symmetric', t(43, BASE64URL), (v) => `{"kty": "oct", "k": "${v}", "alg": "HS256"}`);
  return made;
}
