/**
 * What secrets look like. Own rules, because those of `@secretlint/secretlint-rule-preset-recommend` 13.1 find 32 of 100
 * secrets that the tests make by rule, and add 24 KB to the package. These take 10 ms for 100 KB.
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
  { vendor: 'GitLab', pattern: /gl(?:pat|dt|rt|cbt|ptt|soat|agent|oas|ft)-[\w.-]{20,255}/g },
  { vendor: 'Slack', pattern: /xox[abeoprs]-[\w-]{10,255}|xapp-\d-[\w-]{20,255}/g },
  { vendor: 'Slack', pattern: /https:\/\/hooks\.slack\.com\/(?:services|triggers|workflows)\/[\w/]{20,200}/g },
  { vendor: 'Discord', pattern: /https:\/\/discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/[\w-]{30,200}/g },
  { vendor: 'Discord', pattern: /[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/g },
  // Whoever has such an address may post (NousResearch/hermes-agent#118022).
  {
    vendor: '',
    pattern:
      /https:\/\/(?:[\w-]{1,60}\.webhook\.office\.com\/webhookb2|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook)\/[\w@/-]{36,300}/g,
  },
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
  { vendor: 'Telegram', pattern: /(?:bot)?\d{8,10}:AA[\w-]{33}/g },
  { vendor: 'Databricks', pattern: /dapi[\da-f]{32}/g },
  { vendor: 'Linear', pattern: /lin_(?:api|oauth)_[A-Za-z\d]{40,80}/g },
  { vendor: 'Notion', pattern: /ntn_[A-Za-z\d]{40,60}/g },
  { vendor: 'Postman', pattern: /PMAK-[\da-f]{24}-[\da-f]{34}/g },
  { vendor: 'Figma', pattern: /fig[dou]_[\w-]{36,80}/g },
  { vendor: 'Atlassian', pattern: /AT(?:ATT|CTT|BB)[\w=-]{24,300}/g },
  { vendor: 'HashiCorp', pattern: /(?<![\w.])s\.[A-Za-z\d]{24}(?!\w)|hv[bs]\.[\w-]{24,300}/g },
  { vendor: 'Doppler', pattern: /dp\.(?:ct|pt|scim|st|audit)\.[\w.-]{40,80}/g },
  { vendor: 'Grafana', pattern: /gl(?:sa|c)_[\w+/=]{32,200}/g },
  { vendor: 'Docker', pattern: /dckr_(?:pat|oat)_[\w-]{24,80}/g },
  { vendor: 'Tailscale', pattern: /tskey-[a-z]{3,12}-[\w-]{16,100}/g },
  { vendor: 'age', pattern: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g },
  { vendor: 'Alibaba Cloud', pattern: /LTAI[A-Za-z\d]{16,24}/g },
  { vendor: 'Tencent Cloud', pattern: /AKID[A-Za-z\d]{32}/g },
  // The private lines of a key of PuTTY.
  {
    vendor: '',
    pattern: /Private-Lines: \d{1,3}\r?\n[A-Za-z\d+/=]{4,64}(?:\r?\n[A-Za-z\d+/=]{4,64}(?=\r?\n|$)){0,60}/g,
  },
  // Of several vendors, each of which is rarely met.
  {
    vendor: '',
    pattern:
      /(?:xkeysib-|pcsk_|csk-|lsv2_[a-z]{2}_|jina_|tvly-(?:dev-)?|nfp_|sbp_|sb_secret_|sntry[su]_|NRAK-|HRKU-|pscale_\w{2,5}_|tgp_v1_|EAAC|bce-v3\/ALTAK-|AKLT|sk\.eyJ)(?=[\w./-]{0,30}\d)[\w./-]{24,255}|sk_[\da-f]{48}|(?:api|sdk)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:key|fc)-[\da-z]{32}|(?<![\da-f])[\da-f]{32}(?:-us\d{1,2}|\.[A-Za-z\d]{16})/g,
  },
  // A JSON Web Token: two objects and a signature.
  { vendor: '', pattern: /(?<![\w-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{20,1000}/g },
];

/** The begin of a private key in PEM or of PGP. */
export const privateKeyBegin = /-----BEGIN ([A-Z\d ]{0,40})PRIVATE KEY( BLOCK)?-----/g;

const anyOf = (...patterns: readonly RegExp[]) => `(?:${patterns.map(({ source }) => source).join('|')})`;

/** Names of passwords, also in other languages. */
const passwordName = anyOf(
  /password|passwd|passphrase|passcode|passwort|kennwort|pwd|pswd|psk|(?<!by|com|tres|over|single|multi)pass(?![a-z])|(?:\b|_)(?:bind|db|mail|root)?pw(?![a-z])/,
  /identified (?:with \w{1,40} )?by(?=\s{1,3}["']|\s\w{1,60};)|--from-literal[= ]["']?[\w.-]{1,60}(?==)/,
  /mot de passe|contraseña|senha|пароль|密[码碼]|口令|パスワード|비밀번호/,
);

/** Names of keys and tokens, of values in the query of an address, and of a key whose value is made to bytes. */
const tokenName = anyOf(
  /(?<!existing)secret|(?<!public[ -_]?key)token|credentials?|(?:api|\bmy|\bthe|我的) ?key|(?<=login\()key|[_.-]key(?:_base|__)?|(?<=["_])auth(?!\w)|mnemonic|seed phrase|密钥|金鑰|令牌/,
  /(?<=[a-z])(?<!cache|foreign|group|hot|index|object|partition|primary|public|query|row|sort|storage|translation)key/,
  /(?<=[?&])(?:sig|key|code|x-\w{3,4}-signature)(?==)|key(?=\s?:?=\s?(?:\[\]byte|[\w.]{0,40}\.GetBytes|b["']))|(?<=\bjwt\W{1,8}|\bjwt["']?\s?[:=]\s?\{[^{}]{0,120}\W)key/,
);

/** What is between a name and its value. */
const link = anyOf(
  // An operator, with or without a type before it; `||` and `??` only before a literal; YAML's sign for a block.
  /(?:(?::|\sas)\s{0,3}&?[a-z]\w{0,30}\s{0,3})?(?:\|\||\?\?|[!=])?={1,2}|:=|=>|[:：](?:\s{0,3}[|>][+-]?(?=\s))?\*{0,2}|(?:\|\||\?\?)(?=\s["'])/,
  /\s{0,3}(?:\b(?:is|ist|lautet)\b:?\s|(?:就|改|设|设置)?[是为成])|(?<=密[码碼钥]|令牌|口令)\s/,
  // A field beside the name, as in Kubernetes and XML; a default in the declaration of a variable or an option.
  /(?:["'],?|\r?\n)\s{0,40}["']?value["']?\s{0,3}[:=]/,
  /["']\s{0,3}(?:\{[^{}]{0,200}?|,[^\n]{0,80}?)\bdefault\s{0,3}[=:](?=\s{0,3}["'])/,
  // What a call with the name is compared with, or what stands in for its result.
  /["']\)\s{0,3}(?:[!=]={1,2}|\|\||\?\?|\?:|\bor\b|\{)(?=\s{0,3}["'])/,
  // The value that is used outside of production.
  /(?:\|\||\?\?)\s\([^()"'\n]{1,60}\?\s(?:""|'')\s:(?=\s["'])/,
  // The element beside the name.
  /<\/\w{1,20}>\s{0,40}<\w{1,20}>/,
  // The argument of a method or of an object with the name.
  /(?:["']\)\.\w{1,20})?\((?:\|_?\|\s)?(?=["'])|\{(?=["'])/,
  // The argument after the name, and a literal after it.
  /(?<=\(\s?(?:["']\w{1,20}["'],\s?)?["'][#\w.-]{1,60}|["']--[\w-]{1,60})["'],\s{0,3}(?=\\?["'])/,
  /(?<=#define\s\w{1,60}|header(?:_\w{2,4})?\s[\w-]{1,60}|\bby|password)\s{1,3}(?=["'])/,
);

/** What makes something else of a literal: `b'…'`, `N'…'`, `[]byte("…")`, `Buffer.from('…')`, `Some("…")`. */
const wrapper =
  /(?:[bn@](?=["'])|"(?=\\")|(?:\[\]byte|secretstr|some|[\w.:]{0,40}[.:](?:getbytes|from|stringify))\((?=["']))?/
    .source;

/**
 * The name of a secret; group 1 if it's that of a password, group 2 is the quotation mark around the value, group 3 the
 * value. It follows a link, `--name` in a command, `ENV name` in a Dockerfile, or `<name>` in XML. A plain value that
 * begins like `settings.name` is an expression.
 */
export const assignment = new RegExp(
  `(?:(${passwordName})|${tokenName})` +
    `(?:\\\\?["']?\\]?\\*{0,2}\\s{0,3}${link}\\s{0,3}|${anyOf(
      /(?<=(?:\B--?|\bENV |\b(?:set|config) (?:-\w{1,3} )?)[\w./:-]{1,60}) (?!-)|(?<=identified by) (?=\w{1,60};)/,
      /(?<=<(?:\w{1,20}\s(?:key|name)=["'])?[\w:.-]{1,60})["']?>/,
    )})${wrapper}(?:\\\\?(["'\`])|(?![a-z_]\\w{0,60}\\.[a-z_]))(?:base64:)?((?:[a-z]{3,8} ){3,23}[a-z]{3,8}(?=["'])|(?:[^\\s"'\`\\\\]|(?<=\\w)(?!\\2)["'\`\\\\](?=\\w)){4,2048})`,
  'gi',
);

/**
 * What stands in for a variable that isn't set, after its name: `${NAME:value}` and `${NAME,value}` in settings,
 * `${NAME:-value}` and `${NAME:=value}` in a shell (gitleaks/gitleaks#1361); groups as above.
 */
export const substitute = new RegExp(
  `\\$\\{[\\w.:-]{0,60}?(?:(${passwordName})|${tokenName})(?::[-=]?|,\\s?)(["'])?([^\\s"'\`\\\\{}$]{4,512})(?=["']?\\})`,
  'gi',
);

/**
 * A literal after a telling word in its line that no name of something looks like: a letter of a word is a digit, or it
 * has a digit and a sign; groups as above.
 */
export const literal =
  /(\b\w{0,30}(?:[Ll]og[io]n|[Aa]uth|[Cc]redential|[Pp]assw|[Ss]ecret|H(?:MAC|mac)|[Cc]onnect|(?:add|create)_?[Uu]ser|USER)\w{0,20}[^\n]{0,200}?)(["'])((?=[^\s"']{0,60}(?:[A-Za-z]\d+[a-z]|\d[^\s"']{0,20}[!#%^&*]|[!#%^&*@][^\s"']{0,20}\d))(?=[^\s"']{0,60}[A-Z])[\w!@#$%^&*+=?~-]{8,64})(?=\2)/g;

/** A password after its name in prose or in a table, where only a clear one is taken; groups as above. */
export const inProse =
  /(\b[Pp]ass(?:word|code|wort)\*{0,2}(?:\s(?:to |was )?|\s?\|\s)|\b(?:[Ss]ecret|[Tt]oken|[Kk]ey)\s(?=\S{16})(?=(?:\S{0,60}\d){3}))(["'`])?((?=\S{0,60}[a-z])(?=\S{0,60}[A-Z])(?=\S{0,60}(?:\d\S{0,60}\d|\d\S{0,60}[!#%&*]|[!#%&*]\S{0,60}\d))(?!\w{0,9}[Pp]ass)[^\s"'`\\]{8,128})/g;

/** A password in the argument of a command, with groups as above: `curl -u`, `docker login -p`, `mysql -p`. */
export const shortOption =
  /(?:\b|(?=[账用]))((?:(?:login|credentials?) (?:is|are)|log in with|(?:账号|用户名|账户)\/?(?:密码)?)\s{0,3}[:：=是]?\s{0,3}[\w.@-]{1,60}\s?\/\s?(?=\S{0,60}\d\S{0,60}\d)|curl\s[^\n]{0,200}?(?<=\s)(?:-\w{0,6}u|--user)[ =]["']?[^\s:"'`]{1,100}:|(?:docker login|sshpass|redis-cli)\s[^\n]{0,200}?(?<=\s)-[ap] ?|(?:az login|ldap\w{3,8}|ssh-keygen|mongo\w{0,10}|mosquitto_\w{3}|openssl|unzip)\s[^\n]{0,200}?(?<=\s)-[kpPwN] |https?\s[^\n]{0,200}?(?<=\s)(?:-a|--auth)[ =]["']?[^\s:"'`]{1,100}:|rabbitmqctl \w{3,20} [\w.@-]{1,60} |htpasswd\s(?=[^\n]{0,20}-\w{0,5}b)(?:-\w{1,6}\s){1,4}(?:\S{1,100}\s){2}|login\s\S{1,100}\spassword\s|ConvertTo-SecureString (?:-String )?(?=["'])|(?:requirepass|masterauth|net user \S{1,60}|net use [^\n]{1,200}\/user:\S{1,60}|net use \S{1,99}(?= \S{1,99} \/user)|echo(?=[^|\n]{4,80}\|\s{0,3}(?:sudo -S|[^\n|]{1,80}-stdin))) |(?:lftp|smbclient)\s[^\n]{0,200}?-[uU] [^\s,%]{1,60}[,%]|echo ["']?[^\s:"']{1,60}:(?=[^|\n]{4,80}\|\s{0,3}chpasswd)|(?:btoa|b64_?encode|base64_encode|Buffer\.from|CURLOPT_USERPWD)(?:\(|,\s?)b?["'`][^\s:"'`]{1,60}:|(?:mysql|7z)\w{0,20}\s[^\n]{0,200}?(?<=\s)-p)(["'`])?([^\s"'`\\]{4,512})/g;

/** A password or key that its place among the arguments of a call shows, mostly as the last one; groups as above. */
export const argument =
  /((?:login|getConnection|credentials?(?:\.new)?|imap_open|PDO|DBI->connect|WiFi\.begin|algoliasearch|basic_?auth|auth ?= ?)[( ][^()\n]{1,200},\s{0,3}(?:Some\()?(?=["'][^\s"'`\\]{6,128}["']\s{0,3}(?:\)|\n|$))|\bload\([^(),\n]{1,80},\s{0,3}(?=["'][^"'\s]{6,128}["']\.toCharArray)|twilio[\w.:]{0,30}\([^(),\n]{1,80},\s{0,3}|bind\(["'][^"',]{0,80}=[^"']{0,80}["'],\s{0,3}|(?:cookieParser|AES\.new|Fernet|KeySpec|SecurityKey)\(\s{0,3}(?:[\w.]{0,40}\()?b?|(?:(?:jwt\.\w{4,6}|create(?:Hmac|Cipheriv)|signWith)\(|(?:mysql_real_connect\([^(),\n]{1,80},\s{0,3}|(?:mysqli?(?:_connect)?|new Sequelize)\(|PlainAuth\()[^(),\n]{1,80},\s{0,3})[^(),\n]{1,80},\s{0,3})(["'])([^\s"'`\\]{6,128})(?=\2)/gi;

/** The value of a header; group 1 is its scheme, group 2 the secret. */
export const authorization =
  /authorization\\?["']?\s{0,3}(?:[:=,]\s{0,3}|(?=\\?["']?(?:bearer|basic)))\\?(?:[a-z]?["'`])?(?:([a-z][\w-]{0,20})\s{1,3})?([\w.~+/=-]{8,2048})(?![\w(])/gi;

/** The header with cookies, also as an option of `curl`. */
export const cookieHeader = /(?:\bcookie["']?\s{0,3}[:=,]|\s(?:-b|--cookie) ["']?(?=[\w.-]{1,60}=))[^\n]{16,8000}/gi;

/** What makes a document a Secret of Kubernetes; its values in YAML or JSON; and one of them, after its name or in lines of its own. */
export const secretKind = /^[ \t-]{0,40}kind:\s{0,3}Secret\b|"kind":\s{0,3}"Secret"/m;
export const secretData =
  /^([ \t]*)(?:data|stringData):[ \t]*\r?\n(?:\1[ \t]+[^\n]*(?:\n|$)|[ \t]*#[^\n]*\n)+|"(?:data|stringData)":\s{0,3}\{[^{}]+\}/gm;
export const secretDatum =
  /(?:(?:^[ \t]+|[{,]\s{0,40}(?="))["']?([\w.-]{1,253})["']?:[ \t]{0,9}(?:(?<=[ \t])|(?="))["']?|^[ \t]+(?=[A-Za-z\d+/]{16,}={0,2}[ \t]*\r?$))([^\s"'|>]{6,100000})/gm;

/**
 * A password in an address, or in one of MySQL's as Go writes it, or of Oracle's; group 1 is the user, group 2 the
 * password. Or a token alone, then without group 1.
 */
export const addressPassword =
  /(?:(?:(?::\/\/|["'`](?=[^\s"'`]{1,200}@(?:tcp|unix)\())(?=[^\s:@/]{0,100}:)|\b(?:thin:|sqlplus ))([^\s:@/"'`<>]{0,100})[:/]|:\/\/(?=[\w-]{16,200}@))([^\s@/"'`<>]{3,200})@/g;

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
