/**
 * Texts with secrets and texts without, made by rule: from the formats that vendors document, and from the places in
 * which people keep secrets and things that look like them. Knows nothing of how the scanner finds them.
 */
import { createHash } from 'node:crypto';
import { randomNumbers } from '../../../../randomNumbers.ts';

export type Sample = { readonly path: string; readonly text: string };
/** The secret is in the text once. */
export type SecretSample = Sample & { readonly secret: string };

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
const hex = `${digits}abcdef`;
const alphanumeric = lower + upper + digits;
const urlSafe = `${alphanumeric}-_`;
const base64 = `${alphanumeric}+/`;

class Maker {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomNumbers(seed);
  }

  whole(below: number): number {
    return Math.floor(this.#next() * below);
  }

  of(letters: string, length: number): string {
    return Array.from({ length }, () => letters[this.whole(letters.length)]).join('');
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(list.length)] as T;
  }

  /** Base64 of random bytes, in lines. */
  armor(bytes: number, width = 64): string {
    const text = Buffer.from(Array.from({ length: bytes }, () => this.whole(256))).toString('base64');
    return text.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? '';
  }

  password(): string {
    return `${this.pick(['Tr0ub', 'kestrel', 'Vq', 'zum', 'N8v'])}${this.of(alphanumeric, 7)}${this.pick(['!', '#', '%', ''])}${this.of(digits, 2)}`;
  }
}

/** The documented formats of tokens. */
const tokens: readonly ((make: Maker) => string)[] = [
  (make) => `AKIA${make.of(`${upper}234567`, 16)}`,
  (make) => `ASIA${make.of(`${upper}234567`, 16)}`,
  (make) => `ghp_${make.of(alphanumeric, 36)}`,
  (make) => `gho_${make.of(alphanumeric, 36)}`,
  (make) => `github_pat_${make.of(alphanumeric, 22)}_${make.of(alphanumeric, 59)}`,
  (make) => `glpat-${make.of(urlSafe, 20)}`,
  (make) => `xoxb-${make.of(digits, 12)}-${make.of(digits, 12)}-${make.of(alphanumeric, 24)}`,
  (make) => `xapp-1-A${make.of(upper + digits, 10)}-${make.of(digits, 13)}-${make.of(hex, 64)}`,
  (make) =>
    `https://hooks.slack.com/services/T${make.of(upper + digits, 8)}/B${make.of(upper + digits, 8)}/${make.of(alphanumeric, 24)}`,
  (make) => `sk_live_${make.of(alphanumeric, 24)}`,
  (make) => `rk_test_${make.of(alphanumeric, 24)}`,
  (make) => `whsec_${make.of(alphanumeric, 32)}`,
  (make) => `AIza${make.of(urlSafe, 35)}`,
  (make) => `GOCSPX-${make.of(urlSafe, 28)}`,
  (make) => `ya29.${make.of(urlSafe, 120)}`,
  (make) => `sk-${make.of(alphanumeric, 48)}`,
  (make) => `sk-proj-${make.of(urlSafe, 74)}T3BlbkFJ${make.of(urlSafe, 74)}`,
  (make) => `sk-svcacct-${make.of(urlSafe, 60)}`,
  (make) => `sk-ant-api03-${make.of(urlSafe, 93)}AA`,
  (make) => `sk-or-v1-${make.of(hex, 64)}`,
  (make) => `gsk_${make.of(alphanumeric, 52)}`,
  (make) => `hf_${make.of(lower + upper, 34)}`,
  (make) => `r8_${make.of(alphanumeric, 37)}`,
  (make) => `xai-${make.of(alphanumeric, 80)}`,
  (make) => `pplx-${make.of(alphanumeric, 48)}`,
  (make) => `nvapi-${make.of(urlSafe, 64)}`,
  (make) => `SG.${make.of(urlSafe, 22)}.${make.of(urlSafe, 43)}`,
  (make) => `npm_${make.of(alphanumeric, 36)}`,
  (make) => `pypi-AgEIcHlwaS5vcmc${make.of(urlSafe, 120)}`,
  (make) => `rubygems_${make.of(hex, 48)}`,
  (make) => `dop_v1_${make.of(hex, 64)}`,
  (make) => `shpat_${make.of(hex, 32)}`,
  (make) => `sq0csp-${make.of(urlSafe, 43)}`,
  (make) => `${make.of(digits, 10)}:AA${make.of(urlSafe, 33)}`,
  (make) => `dapi${make.of(hex, 32)}`,
  (make) => `lin_api_${make.of(alphanumeric, 40)}`,
  (make) => `ntn_${make.of(alphanumeric, 46)}`,
  (make) => `PMAK-${make.of(hex, 24)}-${make.of(hex, 34)}`,
  (make) => `figd_${make.of(urlSafe, 40)}`,
  (make) => `hvs.${make.of(urlSafe, 90)}`,
  (make) => `dp.pt.${make.of(alphanumeric, 43)}`,
  (make) => `glsa_${make.of(alphanumeric, 32)}_${make.of(hex, 8)}`,
  (make) => `dckr_pat_${make.of(urlSafe, 27)}`,
  (make) => `AGE-SECRET-KEY-1${make.of('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  (make) => `LTAI${make.of(alphanumeric, 20)}`,
  (make) => `AKID${make.of(alphanumeric, 32)}`,
  (make) =>
    [
      Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
      Buffer.from(JSON.stringify({ sub: make.of(digits, 10), iat: 1_700_000_000 })).toString('base64url'),
      make.of(urlSafe, 43),
    ].join('.'),
];

/** Where people put a token. */
const tokenPlaces: readonly ((token: string, make: Maker) => Sample)[] = [
  (token) => ({ path: '.env', text: `PORT=3000\nSERVICE_KEY=${token}\nDEBUG=1\n` }),
  (token) => ({ path: 'src/client.ts', text: `import { open } from './open';\n\nconst client = open('${token}');\n` }),
  (token) => ({ path: 'config.json', text: `{\n  "host": "example.org",\n  "value": "${token}"\n}\n` }),
  (token) => ({ path: 'deploy.yml', text: `steps:\n  - run: deploy\n    env:\n      VALUE: ${token}\n` }),
  (token) => ({ path: 'notes.md', text: `Use ${token} for the staging site, and ask Ann for the other one.\n` }),
  (token) => ({ path: 'request.sh', text: `curl -H "Authorization: Bearer ${token}" https://api.example.org/v1\n` }),
  (token, make) => ({ path: 'main.py', text: `${'# comment\n'.repeat(make.whole(30))}CLIENT = Client("${token}")\n` }),
];

const secretNames = ['DB_PASSWORD', 'API_KEY', 'SECRET_KEY', 'AUTH_TOKEN', 'CLIENT_SECRET', 'ACCESS_TOKEN'];

/** Secrets that only their place shows. */
const others: readonly ((make: Maker) => SecretSample)[] = [
  (make) => {
    const kind = make.pick(['RSA ', 'EC ', 'OPENSSH ', '', 'ENCRYPTED ']);
    const secret = `-----BEGIN ${kind}PRIVATE KEY-----\n${make.armor(300 + make.whole(900))}\n-----END ${kind}PRIVATE KEY-----`;
    return { path: 'id_rsa', text: `${secret}\n`, secret };
  },
  (make) => {
    const secret = `-----BEGIN PRIVATE KEY-----\n${make.armor(48)}\n-----END PRIVATE KEY-----`;
    return { path: 'key.pem', text: `Short, as of an elliptic curve:\n${secret}\n`, secret };
  },
  (make) => {
    const secret = `-----BEGIN PRIVATE KEY-----\\n${make.armor(600).replaceAll('\n', '\\n')}\\n-----END PRIVATE KEY-----`;
    return { path: 'account.json', text: `{ "type": "service_account", "private_key": "${secret}\\n" }\n`, secret };
  },
  (make) => {
    const secret = make.password();
    const scheme = make.pick(['postgres', 'mysql', 'mongodb+srv', 'amqp', 'redis', 'postgresql']);
    return { path: 'settings.py', text: `URL = "${scheme}://shop:${secret}@db.internal:5432/shop"\n`, secret };
  },
  (make) => {
    const secret = make.password();
    const text = `{ "Default": "Server=tcp:db,1433;Database=shop;User Id=shop;Password=${secret};Encrypt=True" }\n`;
    return { path: 'appsettings.json', text, secret };
  },
  (make) => {
    const secret = `${make.of(base64, 86)}==`;
    const text = `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret};EndpointSuffix=core.windows.net\n`;
    return { path: 'storage.txt', text, secret };
  },
  (make) => {
    const secret = make.of(base64, 40);
    return { path: 'credentials', text: `[default]\nregion = eu-west-1\naws_secret_access_key = ${secret}\n`, secret };
  },
  (make) => {
    const secret = make.password();
    return { path: '.env.local', text: `HOST=db\n${make.pick(secretNames)}=${secret}\nPORT=5432\n`, secret };
  },
  (make) => {
    const secret = make.of(alphanumeric, 32);
    return { path: '.env.production', text: `export ${make.pick(secretNames)}="${secret}"\n`, secret };
  },
  (make) => {
    const secret = make.password();
    const name = make.pick(['password', 'dbPassword', 'clientSecret', 'adminPassword']);
    return { path: 'src/connect.ts', text: `connect({ user: 'shop', ${name}: '${secret}' });\n`, secret };
  },
  (make) => {
    const secret = make.of(hex, 40);
    return {
      path: 'src/api.js',
      text: `const ${make.pick(['apiKey', 'api_key', 'authToken'])} = "${secret}";\n`,
      secret,
    };
  },
  (make) => {
    const secret = make.password();
    return { path: 'application.properties', text: `spring.datasource.password=${secret}\n`, secret };
  },
  (make) => {
    const secret = make.password();
    return { path: 'docker-compose.yml', text: `    environment:\n      POSTGRES_PASSWORD: ${secret}\n`, secret };
  },
  (make) => {
    const secret = Buffer.from(`shop:${make.password()}`).toString('base64');
    return { path: 'request.http', text: `GET https://example.org\nAuthorization: Basic ${secret}\n`, secret };
  },
  (make) => {
    const secret = make.of(alphanumeric, 40);
    return { path: 'request.http', text: `GET https://example.org\nAuthorization: Bearer ${secret}\n`, secret };
  },
  (make) => {
    const secret = make.of(alphanumeric, 36);
    return { path: '.npmrc', text: `//registry.example.org/:_authToken=${secret}\n`, secret };
  },
  (make) => {
    const secret = make.password();
    return { path: '.netrc', text: `machine example.org login shop password ${secret}\n`, secret };
  },
];

/** Samples with a secret each, in which every kind comes about equally often. */
export function secretSamples(count: number, seed: number): readonly SecretSample[] {
  const make = new Maker(seed);
  return Array.from({ length: count }, (_, index) => {
    // Tokens and other secrets in turn.
    if (index % 2 === 1) {
      return (others[(index >> 1) % others.length] as (typeof others)[number])(make);
    }
    const secret = (tokens[(index >> 1) % tokens.length] as (typeof tokens)[number])(make);
    return { ...make.pick(tokenPlaces)(secret, make), secret };
  });
}

const harmless: readonly ((make: Maker) => Sample)[] = [
  (make) => ({ path: 'package-lock.json', text: `"integrity": "sha512-${make.armor(64, 200)}",\n` }),
  (make) => ({ path: 'log.txt', text: `commit ${make.of(hex, 40)}\nAuthor: Ann\n` }),
  (make) => ({
    path: 'ids.json',
    text: `{ "id": "${make.of(hex, 8)}-${make.of(hex, 4)}-4${make.of(hex, 3)}-a${make.of(hex, 3)}-${make.of(hex, 12)}" }\n`,
  }),
  (make) => ({
    path: 'src/a.ts',
    text: `const checksum = '${createHash('sha256').update(make.of(hex, 9)).digest('hex')}';\n`,
  }),
  (make) => ({ path: 'src/icon.css', text: `a { background: url(data:image/png;base64,${make.armor(300, 999)}); }\n` }),
  (make) => ({
    path: 'cert.pem',
    text: `-----BEGIN ${make.pick(['CERTIFICATE', 'PUBLIC KEY', 'RSA PUBLIC KEY'])}-----\n${make.armor(400)}\n-----END CERTIFICATE-----\n`,
  }),
  (make) => ({
    path: 'id_ed25519.pub',
    text: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5${make.of(base64, 48)} ann@example.org\n`,
  }),
  (make) => ({
    path: '.env.example',
    text: `API_KEY=${make.pick(['your-api-key', 'sk-...', '<your key>', 'changeme', 'xxxxxxxxxxxxxxxx', '', 'YOUR_API_KEY_HERE'])}\nDB_PASSWORD=${make.pick(['', 'changeme', '********', 'your_password_here'])}\n`,
  }),
  (make) => ({
    path: 'src/config.ts',
    text: `const apiKey = ${make.pick(['process.env.API_KEY', 'process.env["API_KEY"] ?? ""', 'config.get("apiKey")', 'await readKey()', 'undefined'])};\n`,
  }),
  (make) => ({
    path: 'src/login.py',
    text: `password = ${make.pick(['os.environ["DB_PASSWORD"]', 'getpass.getpass()', 'None', 'settings.PASSWORD', 'request.form["password"]'])}\n`,
  }),
  (make) => ({
    path: 'l10n/en.json',
    text: `{ "password": "${make.pick(['Enter your password', 'Password', 'Choose a new password', 'The password is wrong.'])}", "token": "Token" }\n`,
  }),
  (make) => ({
    path: 'src/form.tsx',
    text: `<input type="password" name="password" placeholder="${make.pick(['Password', 'At least 12 characters'])}" />\n`,
  }),
  (make) => ({
    path: 'src/types.ts',
    text: `type Login = { ${make.pick(['password', 'token', 'apiKey', 'secret'])}: ${make.pick(['string', 'Password', 'string | undefined', 'SecretStorage'])} };\n`,
  }),
  (make) => ({
    path: 'deploy.yml',
    text: `env:\n  TOKEN: \${{ secrets.${make.pick(['DEPLOY_TOKEN', 'GITHUB_TOKEN'])} }}\n  DB_PASSWORD: \${DB_PASSWORD}\n`,
  }),
  (make) => ({
    path: 'README.md',
    text: `Connect with \`postgres://${make.pick(['user:password@localhost', 'postgres:postgres@localhost', 'USER:PASS@HOST', 'user:$PASSWORD@db', 'localhost'])}:5432/app\`.\n`,
  }),
  (make) => ({
    path: 'README.md',
    text: `Set the header \`Authorization: Bearer ${make.pick(['<token>', '$TOKEN', '{token}', 'YOUR_TOKEN', 'sk-…'])}\`.\n`,
  }),
  (make) => ({
    path: 'link.md',
    text: `See https://example.org/files/${make.of(alphanumeric, 32)}/view?page=${make.of(digits, 5)}\n`,
  }),
  (make) => ({
    path: 'src/min.js',
    text: `function ${make.of(lower, 2)}(t,e){return t.token===e.token&&t.key.length>${make.whole(90)}}\n`,
  }),
  (make) => ({
    path: 'src/names.ts',
    text: `export const ${make.pick(['tokenRefreshIntervalMinutes', 'passwordMinimumLength', 'secretRotationDays'])} = ${make.whole(400)};\n`,
  }),
  (make) => ({
    path: 'src/names.ts',
    text: `const key = '${make.pick(['askModel.connections', 'ui.theme.dark.background', 'user-settings:v2:layout', 'ArrowDown', 'X-Request-Id'])}';\n`,
  }),
  (make) => ({
    path: 'src/tokens.ts',
    text: `const token = '${make.pick(['identifier', 'punctuation.bracket', 'keyword-control', 'string_literal'])}';\n`,
  }),
  (make) => ({
    path: 'theme.css',
    text: `:root { --accent: #${make.of(hex, 6)}; --shadow: 0 0 ${make.whole(9)}px #${make.of(hex, 8)}; }\n`,
  }),
  (make) => ({
    path: 'versions.txt',
    text: `node ${make.whole(30)}.${make.whole(20)}.${make.whole(9)} build ${make.of(hex, 12)} 2026-0${1 + make.whole(9)}-11T10:${10 + make.whole(49)}:00Z\n`,
  }),
  (make) => ({
    path: 'src/enum.java',
    text: `public static final String ${make.pick(['PASSWORD', 'ACCESS_TOKEN'])}_FIELD = "${make.pick(['password', 'access_token', 'login_password'])}";\n`,
  }),
  (make) => ({ path: 'go.sum', text: `example.org/mod v1.${make.whole(99)}.0 h1:${make.armor(32, 99)}\n` }),
  (make) => ({
    path: 'data.csv',
    text: `id,number\n${make.of(digits, 8)},${make.of(digits, 16)}\n${make.of(digits, 10)}:${make.of(digits, 4)}\n`,
  }),
  (make) => ({
    path: 'model.txt',
    text: `The models ${make.pick(['sk-learn-pipeline-with-many-steps', 'gsk_plan', 'hf_transformers_backend'])} and gpt-5-mini-2025-08-07.\n`,
  }),
  () => ({
    path: 'docs/aws.md',
    text: 'aws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n',
  }),
  (make) => ({
    path: 'src/check.ts',
    text: `if (password.length < ${make.whole(20)} || password === confirmation) { throw new Error('Password too short'); }\n`,
  }),
  (make) => ({
    path: 'Makefile',
    text: `TOKEN ?= $(shell cat ${make.pick(['.token', '~/.config/token'])})\nKEY := $(TOKEN)\n`,
  }),
];

/** Samples without any secret, in which every kind comes about equally often. */
export function harmlessSamples(count: number, seed: number): readonly Sample[] {
  const make = new Maker(seed);
  return Array.from({ length: count }, (_, index) =>
    (harmless[index % harmless.length] as (typeof harmless)[number])(make),
  );
}
