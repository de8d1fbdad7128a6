import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSecrets } from '../../../../../src/core/chat/masking/findSecrets.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';
import { harmlessSamples, secretSamples } from './secretCorpus.ts';

const textsOf = (text: string, path = '') => findSecrets(text, path).map(({ start, end }) => text.slice(start, end));

test('finds secrets of all kinds, each exactly as long as it is', () => {
  const samples = secretSamples(400, 7);
  const missed = samples.filter(({ text, path, secret }) => textsOf(text, path).join() !== secret);
  assert.ok(missed.length <= samples.length * 0.05, missed.map(({ path, text }) => `${path}: ${text}`).join('\n'));
});

test('finds no secret in what only looks like one', () => {
  const samples = harmlessSamples(900, 8);
  const wrong = samples.filter(({ text, path }) => findSecrets(text, path).length > 0);
  assert.ok(wrong.length <= samples.length * 0.01, wrong.map(({ path, text }) => `${path}: ${text}`).join('\n'));
});

test('finds passwords of words that people really use, and not the words of templates', () => {
  for (const [text, secret] of [
    ['const password = "hunter2Secret99"', 'hunter2Secret99'],
    ['password: correct-horse-battery', 'correct-horse-battery'],
    ['PASSWORD=changeme123', 'changeme123'],
    ["db_password: 'correct-horse-battery-staple'", 'correct-horse-battery-staple'],
  ] as const) {
    assert.deepEqual(textsOf(text, 'src/a.ts'), [secret]);
  }
  for (const text of [
    'password: changeme',
    'password: your-password-here',
    'password: min-length',
    'PASSWORD=$SECRET1',
  ]) {
    assert.deepEqual(textsOf(text, 'src/a.ts'), [], text);
  }
});

test('finds addresses that let anyone post, newer keys, and options in a list (NousResearch/hermes-agent#118022, gitleaks/gitleaks#2225, gitleaks/gitleaks#1366, gitleaks/gitleaks#2104)', () => {
  const [id, other] = ['8c1f0a52-7be3-4d90-9a6e-5f27c3d8e1b4', '2e9d6b70-c5a1-48f3-b0d7-94e3f16a8c25'];
  for (const secret of [
    `https://shop.webhook.office.com/webhookb2/${id}@${other}/IncomingWebhook/7b3e9f20c5d84a61/${id}`,
    `https://open.feishu.cn/open-apis/bot/v2/hook/${id}`,
    'https://hooks.slack.com/triggers/T04QK8Z2M/7391846250/b7e2d9c4f1a68035',
    'sb_secret_q7Zk2Lm9Xw4Vb1NcR8tYpA_h3Kd6Ws0',
    `sdk-${id}`,
  ]) {
    assert.deepEqual(textsOf(`send("${secret}");`), [secret]);
  }
  assert.deepEqual(textsOf('"args": ["-y", "server", "--api-key", "q7Zk2Lm9Xw4Vb1Nc"]'), ['q7Zk2Lm9Xw4Vb1Nc']);
  for (const text of [
    `"args": ["--api-key", "\${input:key1}"]`,
    '"args": ["--token-limit", "100000"]',
    'https://open.feishu.cn/open-apis/bot/v2/hook/{token}',
    `api-version: ${id}`,
  ]) {
    assert.deepEqual(textsOf(text), [], text);
  }
});

test("finds what stands in for a variable that isn't set (gitleaks/gitleaks#1361, Umbrella-IT-Group/metamcp#121, JaskoCoder/UniBrain#428)", () => {
  const [password, token] = ['Sh0pDb2024', 'q7Zk2Lm9Xw4Vb1Nc'];
  for (const text of [
    `    password: \${DB_PASSWORD:${password}}`,
    `      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:-${password}}`,
    `DB_PASSWORD="\${DB_PASSWORD:=${password}}"`,
    `      DATABASE_URL: postgres://app:\${DB_PASSWORD:-${password}}@db:5432/shop`,
    `    password: \${oc.env:DB_PASSWORD,${password}}`,
    `ENV.fetch("DB_PASSWORD") { "${password}" }`,
    `var password = Environment.GetEnvironmentVariable("DB_PASSWORD") ?? "${password}";`,
    `val password = System.getenv("KEYSTORE_PASSWORD") ?: "${password}"`,
  ]) {
    assert.deepEqual(textsOf(text), [password], text);
  }
  for (const text of [
    `    api-key: \${OPENAI_API_KEY:${token}}`,
    `api_key = os.getenv("API_KEY") or "${token}"`,
    `const secret = config.get('jwt.secret') || '${token}';`,
    `secret: process.env.JWT_SECRET || (isProduction ? "" : "${token}"),`,
    `let token = env::var("API_TOKEN").unwrap_or_else(|_| "${token}".into());`,
  ]) {
    assert.deepEqual(textsOf(text), [token], text);
  }
  for (const text of [
    `password: \${DB_PASSWORD:}`,
    `password: \${DB_PASSWORD:?must be set1}`,
    `password: \${DB_PASSWORD:-\${OTHER_PASSWORD1}}`,
    `password: \${DB_PASSWORD:postgres}`,
    `maxAge: \${TOKEN_EXPIRY:-86400000}`,
    `file: \${DB_PASSWORD_FILE:-/run/secrets/db1}`,
    't("password") || "Password"',
    'secret: process.env.JWT_SECRET || (isProduction ? "" : readKey1()),',
  ]) {
    assert.deepEqual(textsOf(text), [], text);
  }
});

test('finds the values of Secrets of Kubernetes in YAML and JSON, and nothing of what is beside them (Yelp/detect-secrets#703, gitleaks/gitleaks#1513, betterleaks/betterleaks#244)', () => {
  const value = 'YWMzN2Iysd2h2s8HG463kQz9VxT7';
  const config = 'kind: ConfigMap\ndata:\n  path: /var/lib/data1\n';
  for (const text of [
    `data:\n  foo: |\n    ${value}\nkind: Secret\n`,
    `items:\n- apiVersion: v1\n  data:\n    foo: ${value}\n  kind: Secret\n- apiVersion: v1\n  ${config.replaceAll('\n', '\n  ')}`,
    `kind: Secret\nmetadata:\n  ownerReferences:\n  - apiVersion: v1\n    kind: Job\ndata:\n  foo: ${value}\n`,
    `kind: Secret\r\nstringData:\r\n  foo: |\r\n    ${value}\r\n`,
    `${config}---\nkind: Secret\ndata:\n  foo: ${value}\n---\n${config}`,
    `diff --git a/a.yml b/a.yml\n--- a/a.yml\n+++ b/a.yml\n@@ -1,2 +1,5 @@\n kind: Secret\n+data:\n+  foo: ${value}\n metadata:\n   namespace: production\n`,
    `{ "apiVersion": "v1", "kind": "Secret", "data": { "foo": "${value}" } }`,
    JSON.stringify(
      { data: { username: 'YW5uYWJlbA==', foo: value }, kind: 'Secret', metadata: { name: 'client-certs' } },
      undefined,
      2,
    ),
  ]) {
    assert.deepEqual(textsOf(text), [value], text);
  }
});

test('finds the values of options, of elements, and of names beside them, but no other words there', () => {
  const [password, token] = ['Kz82mQx1', 'q7Zk2Lm9Xw4Vb1Nc'];
  for (const text of [
    `deploy --db-password ${password} --all`,
    `curl -s -u ci:${password} https://example.org`,
    `docker login -u bot -p ${password} registry.local`,
    `mysql -uroot -p${password} shop`,
    `<password>${password}</password>`,
    `<add key="DbPassword" value="${password}" />`,
    `  - name: DB_PASSWORD\n    value: ${password}\n`,
    `sql.Open("mysql", "root:${password}@tcp(127.0.0.1:3306)/shop")`,
    `SMTP_PASS=${password}`,
    `auth: { user: 'shop', pass: '${password}' }`,
    `const password: string = '${password}';`,
    `const DB_PASSWORD: &str = "${password}";`,
    `if (password === '${password}') {`,
    `define('DB_PASSWORD', '${password}');`,
    `props.setProperty("db.password", "${password}");`,
    `CREATE USER shop IDENTIFIED BY '${password}';`,
    `ALTER ROLE shop WITH PASSWORD '${password}';`,
    `#define WIFI_PASSWORD "${password}"`,
    `ENV ROOT_PASSWORD ${password}`,
    `redis-cli -a ${password} ping`,
    `My password is ${password}`,
    `我的密码是${password}，为什么登录失败？`,
    `密码：${password}，对吗？`,
    `Das Passwort lautet ${password}, warum geht es nicht?`,
    `log in with the password '${password}'`,
    `const dbPass = '${password}';`,
    `const std::string dbPassword{"${password}"};`,
    `config.setPassword("${password}");`,
    `await page.getByLabel('Password').fill('${password}');`,
    `await page.fill('#password', '${password}');`,
    `    keyPassword '${password}'`,
    `<property name="connection.password">${password}</property>`,
    `variable "db_password" {\n  type = string\n  default = "${password}"\n}`,
    `smtp.login("ann@example.org", "${password}")`,
    `requests.get(url, auth=("admin", "${password}"))`,
    `DriverManager.getConnection("jdbc:mysql://db/shop", "root", "${password}")`,
    `new NetworkCredential("ann", "${password}");`,
    `new PDO($dsn, 'shop', '${password}');`,
    `mysqli_connect('db', 'root', '${password}', 'shop');`,
    `smtp.PlainAuth("", "ann", "${password}", "mail")`,
    `WiFi.begin("home", "${password}");`,
    `ConvertTo-SecureString "${password}" -AsPlainText -Force`,
    `openssl enc -aes-256-cbc -k ${password} -in a.txt`,
    `htpasswd -bc .htpasswd ann ${password}`,
    `mongosh -u root -p ${password} admin`,
    `vncserver -passwd ${password}`,
    `requirepass ${password}`,
    `net user ann ${password} /add`,
    `net use Z: \\\\server\\share /user:ann ${password}`,
    `echo "${password}" | sudo -S apt update`,
    `RUN echo 'root:${password}' | chpasswd`,
    `smbclient //nas/share -U ann%${password}`,
    `mot de passe : ${password}`,
    `contraseña = "${password}"`,
    `пароль: ${password}`,
    `パスワード: ${password}`,
    `parser.add_argument('--password', default='${password}')`,
    `define( 'DB_PASSWORD', '${password}' );`,
    `flag.String("password", "${password}", "of the database")`,
    `char* password = b'${password}'`,
    `CREATE LOGIN ann WITH PASSWORD = N'${password}';`,
    `CREATE USER scott IDENTIFIED BY ${password};`,
    `INSERT INTO users (name, password) VALUES ('ann', 'Kz82mQx1');`,
    `Dim password As String = "${password}"`,
    `let pw = String::from("${password}");`,
    `<name>db.password</name><value>${password}</value>`,
    `password: >-\n  ${password}\n`,
    `keytool -genkey -storepass ${password}`,
    `kubectl create secret generic db --from-literal=pin=${password}`,
    `curl_setopt($ch, CURLOPT_USERPWD, "ann:${password}");`,
    `headers: { Authorization: 'Basic ' + btoa('ann:${password}') }`,
    `curl -su "elastic:${password}" localhost:9200`,
    `http -a ann:${password} https://example.org`,
    `echo "${password}" | docker login -u ann --password-stdin`,
    `sqlplus scott/${password}@orcl`,
    `jdbc:oracle:thin:scott/${password}@//db:1521/orcl`,
    `ldapsearch -x -D cn=admin -w ${password} -b dc=x`,
    `rabbitmqctl add_user ann ${password}`,
    `smtp.Authenticate("ann@example.org", "${password}");`,
    `ks.load(in, "${password}".toCharArray());`,
    `machine example.org login ann password ${password}`,
    `账号 admin，密码 ${password}，登不上去`,
    `测试账号：admin/${password}`,
    `服务器密码改成 ${password} 之后连不上`,
    `I log in as admin with password ${password} and get 403`,
    `**Password:** ${password}`,
  ]) {
    assert.deepEqual(textsOf(text), [password], text);
  }
  for (const text of [
    `vault login --token ${token}`,
    `{"name":"API_TOKEN","value":"${token}"}`,
    `<apiKey>${token}</apiKey>`,
    `headers = {"Authorization": f"Bearer ${token}"}`,
    `{"auths":{"registry.local":{"auth":"${token}"}}}`,
    `APP_KEY=base64:${token}`,
    `My API key is ${token}, is that right?`,
    `secret_key_base: "${token}"`,
    `const secret = process.env.JWT_SECRET || '${token}';`,
    `jwt.sign(payload, '${token}', { expiresIn: '1h' })`,
    `crypto.createHmac('sha256', '${token}')`,
    `set -x API_TOKEN ${token}`,
    `proxy_set_header Authorization "Bearer ${token}";`,
    `proxy_set_header X-Api-Key "${token}";`,
    `const jwtKey = []byte("${token}")`,
    `new SymmetricSecurityKey(Encoding.UTF8.GetBytes("${token}"))`,
    `createCipheriv('aes-256-cbc', '${token}', iv)`,
    `buildConfigField("String", "API_KEY", "\\"${token}\\"")`,
    `define: { __API_KEY__: JSON.stringify('${token}') }`,
    `"Jwt": { "Key": "${token}", "Issuer": "me" }`,
    `if (request.args.get('token') == '${token}') {`,
    `ENV["SECRET_TOKEN"] ||= "${token}"`,
    `cipherKey: ${token}`,
    `curl https://example.org -H 'cookie: theme=dark; session=${token}'`,
    `curl https://example.org \\\n  -b 'theme=dark; session=${token}'`,
    `https://account.blob.core.windows.net/c?sp=r&sig=${token}`,
    `git clone https://${token}@example.org/a.git`,
    `npm config set //registry.local/:_authToken ${token}`,
    `Authorization: ${token}`,
    `here is my key: ${token} why 401?`,
    `我的API密钥是 ${token}，为什么报错`,
  ]) {
    assert.deepEqual(textsOf(text), [token], text);
  }
  for (const [secret, text] of [
    ['abcd efgh ijkl mnop', `auth: { user: 'ann', pass: 'abcd efgh ijkl mnop' }`],
    ["Kz8'2mQx1", `password: "Kz8'2mQx1"`],
    ['Abc@123456', 'SMTP_PASSWORD=Abc@123456'],
    ['n4&x+9k2@p!v7q$z3w', 'SECRET_KEY=n4&x+9k2@p!v7q$z3w'],
    [token, `kind: Secret\ndata:\n  username: YW5u\n  config: ${token}\nmetadata:\n  name: shop\n`],
  ] as const) {
    assert.deepEqual(textsOf(text), [secret], text);
  }
  assert.deepEqual(textsOf(`${token}\n`, 'config/master.key'), [token]);
  assert.deepEqual(textsOf(`db.example.org:5432:shop:ann:${password}\n`, '.pgpass'), [password]);
  const django = 'django-insecure-3m#x0t9q(7v+w!k_2z8h&b5n@4j';
  assert.deepEqual(textsOf(`SECRET_KEY = '${django}'`), [django]);
  for (const text of [
    '--max-tokens 100000',
    '--token $TOKEN1',
    '--password-file /run/secrets/db1',
    'mysql -u root -p shop2024',
    'docker run -u 1000:1000 image2',
    'curl -u user:password https://example.org',
    '<password>$(DB_PASSWORD1)</password>',
    'new Set<Token>(list2)',
    '{ password, value: item1Name }',
    'columns: ["id", "password", "created_at2"]',
    'The password is sha256-hashed.',
    'Failed password for root from 10.0.0.1 port 22 ssh2',
    'tests: pass: 100 fail: 2',
    'the pass "constant-folding-2" runs first',
    '"password": "密码（8-20位）"',
    'CREATE USER shop IDENTIFIED BY :password1;',
    'password: str = Field(min_length=8)',
    'name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: { name: db1 }',
    '<label for="password">Password1</label>',
    'options.password ?? defaultPassword1',
    "withCredentials([string(credentialsId: 'deploy-key-2', variable: 'TOKEN2')])",
    'openssl req -x509 -newkey rsa:4096 -keyout key.pem -days 365',
    'ConvertTo-SecureString $Password1 -AsPlainText',
    'Authorization Bearer token required',
    'echo "Done in 35 steps" | tee build.log',
    'go test -run Login2 -count 1 -passes 3',
    'const TOKEN_KEY = "app.auth.token.v2";',
    'export const STORAGE_KEY = "my-app-settings-v3";',
    "_CREDENTIALS_KEY = 'google_oauth2_credentials'",
    'existingSecret: my-release-postgresql-2',
    'PublicKeyToken=b77a5c561934e089',
    'PWD: /Users/ann/shop2',
    'SIGN_IN_SUBMIT_PASSWORD = 100208;',
    'type Config struct {\n\tPassword PasswordV2\n}',
    'Password SHA256 hashing is obsolete; password Argon2id is better.',
    'submission: "attribute" | "password"): SubmitResultV2;',
    '[Authorization Code Flow](https://example.org/identity-platform/v2-oauth2)',
    'document.cookie = "consent=accepted-2024-05-01-all; path=/"',
    'npm i https://unpkg.com/react@18',
    'https://user-attachments-2024@example.org',
    '7z a -p backup2.7z',
    '密码 MD5 加密，密码 12 位以上',
    'kind: ConfigMap\ndata:\n  settings: verbose2mode\n',
    'The password MASKED_PASSWORD_2_k3f9x2a8b7c6?',
  ]) {
    assert.deepEqual(textsOf(text), [], text);
  }
});

test('names the kind of a secret, and whose it is where its format shows that', () => {
  const text = `a ghp_${'aB3dE6'.repeat(6)} b postgres://shop:Vq8B0roIN91@db/shop`;
  assert.deepEqual(
    findSecrets(text, '').map(({ kind, vendor }) => [kind, vendor]),
    [
      ['key', 'GitHub'],
      ['password', ''],
    ],
  );
});

test('finds the token in an address of Telegram, right after a word (gitleaks/gitleaks#980)', () => {
  const token = '7193458029:AAQUeQwX02OE4bKNBkEtgnTSgFrTZgpLk7s';
  assert.deepEqual(textsOf(`https://api.telegram.org/bot${token}/getMe`), [`bot${token}`]);
  assert.deepEqual(textsOf(`TOKEN=${token}`), [token]);
});

test('finds a private key whose end is missing, up to where its lines end', () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${'MIIEow'.repeat(20)}\n`;
  assert.deepEqual(textsOf(`${key}{ other }`), [key]);
  assert.deepEqual(textsOf('-----BEGIN PRIVATE KEY-----'), []);
});

test('finds two private keys as two', () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEow'.repeat(20)}\n-----END PRIVATE KEY-----`;
  assert.deepEqual(textsOf(`${key}\n${key}`), [key, key]);
});

test('takes a random value of any name for a secret only in an .env file', () => {
  const line = 'SESSION=9fKx27Qm4TzLw81VbNc3\n';
  for (const path of ['app/.env.local', '.env-prod', '.env_old', '.flaskenv', 'app/.dev.vars', '.ENV']) {
    assert.deepEqual(textsOf(line, path), ['9fKx27Qm4TzLw81VbNc3'], path);
  }
  assert.deepEqual(textsOf(line, 'app/notes.txt'), []);
});

test('finds a mask in no text, whatever its name', () => {
  assert.deepEqual(textsOf('DB_PASSWORD=MASKED_PASSWORD_1\nKEY=MASKED_GITHUB_KEY_12\n', '.env'), []);
});

test('finds the secrets of a long text wherever its blocks end', () => {
  const filling = 'const total = items.length;\n';
  for (const [index, { text, path, secret }] of secretSamples(60, 9).entries()) {
    if (!findSecrets(text, path).some(({ start, end }) => text.slice(start, end) === secret)) {
      continue;
    }
    const at = 65_536 - text.indexOf(secret) - Math.floor((secret.length * (index % 4)) / 3);
    const long = `${filling.repeat(4_000).slice(0, at - 1)}\n${text}\n${filling.repeat(3_000)}`;
    assert.deepEqual(textsOf(long, path), [secret], `${path}: ${text}`);
  }
});

test('searches the largest context in a moment', () => {
  const text = `${harmlessSamples(900, 10)
    .map((sample) => sample.text)
    .join('\n')
    .repeat(60)
    .slice(0, 400_000)}\ntoken ghp_${'aB3dE6'.repeat(6)}\n`;
  let found: ReturnType<typeof findSecrets> = [];
  const ms = leastCpuMs(250, () => {
    found = findSecrets(text, 'src/all.ts');
  });
  assert.ok(ms < 250, `${ms} ms`);
  assert.ok(found.some(({ vendor }) => vendor === 'GitHub'));
});
