/**
 * What secrets look like. Own rules, because those of `@secretlint/secretlint-rule-preset-recommend` 13.1 find 32 of 100
 * secrets that the tests make by rule, and add 24 KB to the package. These take 6 ms for 100 KB.
 */

/** What a secret is. `key` is a key or token whose format shows whose it is. */
export type SecretKind = 'privateKey' | 'key' | 'token' | 'password';

/** A secret in a text, in UTF-16 units from `start` to before `end`. */
export type FoundSecret = {
  readonly kind: SecretKind;
  /** Whose key it is, where its format shows that; otherwise empty. */
  readonly vendor: string;
  readonly start: number;
  readonly end: number;
};

/** A format of keys or tokens that vendors document; each begins with something that occurs hardly anywhere else. */
type TokenFormat = { readonly vendor: string; readonly pattern: RegExp };

/**
 * Sources: the vendors' own pages on their tokens, and the partner patterns of GitHub's secret scanning. A token that
 * is a part of a longer word is none.
 */
export const tokenFormats: readonly TokenFormat[] = [
  { vendor: 'AWS', pattern: /A(?:KIA|SIA)[A-Z2-7]{16}/g },
  { vendor: 'GitHub', pattern: /gh[pousr]_[A-Za-z\d]{36,255}|github_pat_\w{22,255}/g },
  { vendor: 'GitLab', pattern: /gl(?:pat|dt|rt|cbt|ptt|soat)-[\w.-]{20,255}/g },
  { vendor: 'Slack', pattern: /xox[abeoprs]-[\w-]{10,255}|xapp-\d-[\w-]{20,255}/g },
  { vendor: 'Slack', pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,200}/g },
  { vendor: 'Discord', pattern: /https:\/\/discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/[\w-]{30,200}/g },
  { vendor: 'SonarQube', pattern: /sq[apu]_[\da-f]{40}/g },
  { vendor: 'Stripe', pattern: /(?:[rs]k_(?:live|test)|whsec)_[A-Za-z\d+/]{16,255}/g },
  { vendor: 'Google', pattern: /AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{30,2000}/g },
  { vendor: 'Anthropic', pattern: /sk-ant-[\w-]{20,255}/g },
  { vendor: 'OpenRouter', pattern: /sk-or-v\d-[\da-f]{32,128}/g },
  { vendor: 'OpenAI', pattern: /sk-(?:proj|svcacct|admin)-[\w-]{20,255}/g },
  // OpenAI's older keys, and those of most gateways.
  { vendor: '', pattern: /sk-[A-Za-z\d]{20,255}/g },
  { vendor: 'Groq', pattern: /gsk_[A-Za-z\d]{40,80}/g },
  { vendor: 'Hugging Face', pattern: /hf_[A-Za-z\d]{30,80}/g },
  { vendor: 'Replicate', pattern: /r8_[A-Za-z\d]{30,80}/g },
  { vendor: 'xAI', pattern: /xai-[A-Za-z\d]{60,120}/g },
  { vendor: 'Perplexity', pattern: /pplx-[A-Za-z\d]{40,80}/g },
  { vendor: 'NVIDIA', pattern: /nvapi-[\w-]{50,120}/g },
  { vendor: 'SendGrid', pattern: /SG\.[\w-]{16,40}\.[\w-]{30,80}/g },
  { vendor: 'npm', pattern: /npm_[A-Za-z\d]{36}/g },
  { vendor: 'PyPI', pattern: /pypi-AgE[\w-]{50,1000}/g },
  { vendor: 'RubyGems', pattern: /rubygems_[\da-f]{48}/g },
  { vendor: 'DigitalOcean', pattern: /do[opr]_v1_[\da-f]{64}/g },
  { vendor: 'Shopify', pattern: /shp(?:at|ca|pa|ss)_[\da-fA-F]{32}/g },
  { vendor: 'Square', pattern: /sq0(?:atp|csp|idp)-[\w-]{22,60}/g },
  { vendor: 'Telegram', pattern: /\d{8,10}:AA[\w-]{33}/g },
  { vendor: 'Databricks', pattern: /dapi[\da-f]{32}/g },
  { vendor: 'Linear', pattern: /lin_(?:api|oauth)_[A-Za-z\d]{40,80}/g },
  { vendor: 'Notion', pattern: /ntn_[A-Za-z\d]{40,60}/g },
  { vendor: 'Postman', pattern: /PMAK-[\da-f]{24}-[\da-f]{34}/g },
  { vendor: 'Figma', pattern: /fig[dou]_[\w-]{36,80}/g },
  { vendor: 'Atlassian', pattern: /AT(?:ATT|CTT|BB)[\w=-]{24,300}/g },
  { vendor: 'HashiCorp', pattern: /hv[bs]\.[\w-]{24,300}/g },
  { vendor: 'Doppler', pattern: /dp\.(?:ct|pt|scim|st|audit)\.[\w.-]{40,80}/g },
  { vendor: 'Grafana', pattern: /gl(?:sa|c)_[\w+/=]{32,200}/g },
  { vendor: 'Docker', pattern: /dckr_(?:pat|oat)_[\w-]{24,80}/g },
  { vendor: 'Tailscale', pattern: /tskey-[a-z]{3,12}-[\w-]{16,100}/g },
  { vendor: 'age', pattern: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g },
  { vendor: 'Alibaba Cloud', pattern: /LTAI[A-Za-z\d]{16,24}/g },
  { vendor: 'Tencent Cloud', pattern: /AKID[A-Za-z\d]{32}/g },
  // A JSON Web Token: two objects and a signature.
  { vendor: '', pattern: /(?<![\w-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{20,1000}/g },
];

/** The begin of a private key in PEM or of PGP. */
export const privateKeyBegin = /-----BEGIN ([A-Z\d ]{0,40})PRIVATE KEY( BLOCK)?-----/g;

/**
 * The name of a secret; group 1 if it's that of a password, group 2 is the quotation mark around the value, group 3 the
 * value. It follows an equals sign, with or without a type before it, a colon, `||`, `is` or `value:` as in Kubernetes; a
 * first argument, a bracket, `#define` or words of SQL; `--name` in a command, `ENV name` in a Dockerfile, or `<name>` in
 * XML. A plain value that begins like `settings.name` is an expression.
 */
export const assignment =
  /(?:(password|passwd|passphrase|passwort|pwd|psk|(?:\b|_)(?:bind|db|mail|mqtt|root|smtp|wifi)?(?:pass|pw)(?![a-z])|identified by(?=\s{1,3}["'])|mot de passe|contraseña|senha|пароль|密码|口令|パスワード|비밀번호)|secret|token|credentials?|api key|[_.-]key(?:_base)?|(?:api|access|account|auth|encryption|license|master|private|secret|signing|subscription|validation)key|(?<=["_])auth(?!\w)|密钥|令牌)(?:(?:\\?["']?\]?\s{0,3}(?:(?::\s{0,3}&?[a-z]\w{0,30}\s{0,3})?[!=]?={1,2}|:=|=>|[:：]|(?:\|\||\?\?)(?=\s["']))|\s{0,3}(?:\b(?:is|ist|lautet)\s|是|为)|(?:["'],?|\r?\n)\s{0,40}["']?value["']?\s{0,3}[:=]|["']\s{0,3}\{[^{}]{0,200}?\bdefault\s{0,3}=|(?:["']\)\.\w{1,20})?\((?=["'])|\{(?=["'])|(?:(?<=\(["'][#\w.-]{1,60})["'],\s{0,3}|(?<=#define\s\w{1,60}|\bby|password)\s{1,3})(?=["']))\s{0,3}|(?<=(?:\B--?|\bENV |\bset -\w{1,3} )[\w-]{1,60}) |(?<=<(?:\w{1,20}\s(?:key|name)=["'])?[\w:.-]{1,60})["']?>)(?:\\?(["'`])|(?![a-z_]\w{0,60}\.[a-z_]))(?:base64:)?([^\s"'`\\]{4,2048})/gi;

/** A password in the argument of a command, with groups as above: `curl -u`, `docker login -p`, `mysql -p`. */
export const shortOption =
  /\b(curl\s[^\n]{0,200}?(?<=\s)(?:-u|--user)[ =]["']?[^\s:"'`]{1,100}:|(?:docker login|sshpass|redis-cli)\s[^\n]{0,200}?(?<=\s)-[ap] ?|(?:az login|mongo\w{0,10}|mosquitto_\w{3}|openssl|unzip)\s[^\n]{0,200}?(?<=\s)-[kpP] |htpasswd\s-\w{0,5}b\w{0,5}(?:\s\S{1,100}){2}\s|ConvertTo-SecureString (?:-String )?(?=["'])|(?:requirepass|net user \S{1,60}|net use [^\n]{1,200}\/user:\S{1,60}|echo(?=[^|\n]{4,80}\|\s{0,3}sudo -S)) |(?:lftp|smbclient)\s[^\n]{0,200}?-[uU] [^\s,%]{1,60}[,%]|echo ["']?[^\s:"']{1,60}:(?=[^|\n]{4,80}\|\s{0,3}chpasswd)|mysql\w{0,20}\s[^\n]{0,200}?(?<=\s)-p)(["'`])?([^\s"'`\\]{4,512})/g;

/** A password or key that its place among the arguments of a call shows, mostly as the last one; groups as above. */
export const argument =
  /((?:login|getConnection|credentials?|PDO|DBI->connect|WiFi\.begin|basic_?auth|auth ?= ?)\([^()\n]{1,200},\s{0,3}(?=["'][^\s"'`\\]{6,128}["']\s{0,3}\))|(?:(?:jwt\.\w{4,6}|createHmac|signWith)\(|(?:mysql_real_connect\([^(),\n]{1,80},\s{0,3}|mysqli?_connect\(|PlainAuth\()[^(),\n]{1,80},\s{0,3})[^(),\n]{1,80},\s{0,3})(["'])([^\s"'`\\]{6,128})(?=\2)/gi;

/** The value of a header; group 1 is its scheme, group 2 the secret. */
export const authorization =
  /authorization\\?["']?\s{0,3}[:=,]?\s{0,3}\\?(?:[a-z]?["'`])?(bearer|basic|token)\s{1,3}([^\s"'`\\]{8,2048})/gi;

/** A password in an address, or in one of MySQL's as Go writes it; group 1 is the user, group 2 the password. */
export const addressPassword =
  /(?::\/\/|["'`](?=[^\s"'`]{1,200}@(?:tcp|unix)\())([^\s:@/"'`<>]{0,100}):([^\s@/"'`<>]{3,200})@/g;

/** A line of `.netrc` or `.pgpass`; group 1 is the password. */
export const netrcPassword =
  /(?:\blogin\s{1,3}\S{1,200}\s{1,3}password\s{1,3}|^[^\s:#]{1,200}:(?:\d{1,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:)(\S{4,200})/gm;

/** A variable of an `.env` file, or of a diff of one; group 1 is its name, group 2 the value. */
export const envLine =
  /^[ \t+-]{0,8}(?:export[ \t]{1,4})?([A-Za-z]\w{0,100})[ \t]{0,3}=[ \t]{0,3}["']?([^\s"'#]{20,2048})/gm;

/** In the order of the text; of those that overlap, the one that starts first, and is longest, remains. */
export function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const secrets: FoundSecret[] = [];
  for (const secret of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (secret.start >= (secrets.at(-1)?.end ?? 0)) {
      secrets.push(secret);
    }
  }
  return secrets;
}
