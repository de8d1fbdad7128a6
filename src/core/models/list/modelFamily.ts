import * as l10n from '@vscode/l10n';

/** The vendor of models whose vendor is unknown. */
export const otherVendor = 'Other';

/**
 * The known vendors, one entry each: the display name; the names used as an id prefix or as an owner, in the form of
 * `bareName`; and a pattern for the beginning of its model ids. The spellings are those of the vendors' own lists, of
 * OpenRouter and of Hugging Face. The first matching entry wins. To support another vendor, add an entry. Vendors without
 * models for chat are left out, because all such models are in one group.
 */
const vendors: readonly (readonly [name: string, aliases: readonly string[], ids?: RegExp])[] = [
  [
    'OpenAI',
    ['openai'],
    /^(?:gpt|chatgpt|o[1345](?:-|$)|text-(?:embedding-(?:3|ada)|moderation|davinci)|dall-?e|whisper|tts-1|davinci|babbage|codex|omni-moderation|sora|computer-use)/,
  ],
  ['Anthropic', ['anthropic'], /^claude/],
  ['Google', ['google', 'googlegemini', 'gemini', 'deepmind'], /^(?:gemini|gemma|palm|imagen|veo|learnlm|lyria|aqa$)/],
  ['DeepSeek', ['deepseek', 'deepseekai'], /^deepseek/],
  ['Qwen', ['qwen', 'alibaba', 'alibabacloud', 'tongyi'], /^(?:qwen|qwq|qvq|tongyi|wanx?\d|gte-|cosyvoice|paraformer)/],
  ['Meta', ['meta', 'metallama', 'facebook'], /^(?:meta-)?(?:code)?llama/],
  [
    'Mistral',
    ['mistral', 'mistralai'],
    /^(?:open-)?(?:mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral)/,
  ],
  ['xAI', ['xai'], /^grok/],
  ['Moonshot', ['moonshot', 'moonshotai'], /^(?:kimi|moonshot)/],
  [
    'Zhipu',
    ['zhipu', 'zhipuai', 'zai', 'zaiorg', 'thudm', 'bigmodel'],
    /^(?:glm|chatglm|codegeex|cogview|cogvideo|charglm)/,
  ],
  ['MiniMax', ['minimax', 'minimaxai'], /^(?:minimax|abab|hailuo|speech-0\d)/],
  [
    'ByteDance',
    ['bytedance', 'bytedanceseed', 'doubao'],
    /^(?:doubao|seed-|seedream|seedance|seededit|skylark|jimeng)/,
  ],
  ['Baidu', ['baidu'], /^(?:ernie|wenxin)/],
  ['Tencent', ['tencent', 'hunyuan'], /^hunyuan/],
  ['Baichuan', ['baichuan', 'baichuaninc'], /^baichuan/],
  ['StepFun', ['stepfun', 'stepfunai'], /^step-\d/],
  ['iFlytek', ['iflytek', 'xunfei'], /^spark/],
  ['InternLM', ['internlm', 'shanghaiailab'], /^(?:internlm|intern-s|internvl)/],
  ['Xiaomi', ['xiaomi', 'xiaomimimo'], /^mimo/],
  ['Meituan', ['meituan', 'meituanlongcat'], /^longcat/],
  ['Inclusion AI', ['inclusionai', 'antgroup'], /^(?:ling|ring)-\d/],
  ['01.AI', ['01ai', 'lingyiwanwu'], /^yi-/],
  [
    'Cohere',
    ['cohere', 'coherelabs', 'cohereforai'],
    /^(?:command|c4ai|aya|(?:re)?(?:rank|embed)-(?:english|multilingual|v\d))/,
  ],
  ['Microsoft', ['microsoft'], /^(?:phi-|wizardlm|mai-)/],
  ['NVIDIA', ['nvidia'], /^(?:nemotron|nvidia|nv-)/],
  ['Amazon', ['amazon'], /^(?:nova-|titan)/],
  ['Perplexity', ['perplexity', 'perplexityai'], /^(?:sonar|pplx|r1-1776)/],
  ['AI21', ['ai21', 'ai21labs'], /^(?:jamba|j2-)/],
  ['IBM', ['ibm', 'ibmgranite', 'ibmresearch'], /^granite/],
  ['Nous Research', ['nousresearch'], /^(?:nous-)?hermes/],
  ['Liquid AI', ['liquid', 'liquidai'], /^lfm/],
  ['Allen AI', ['allenai'], /^(?:olmo|molmo|tulu)/],
  ['Groq', [], /^compound(?:-|$)/],
  ['SDAIA', ['sdaia', 'humainai'], /^allam/],
  ['Inception', ['inception', 'inceptionlabs'], /^mercury/],
  ['Upstage', ['upstage'], /^solar/],
  ['LG AI', ['lgai', 'lgaiexaone'], /^exaone/],
  ['Arcee AI', ['arceeai'], /^(?:arcee|trinity-(?:mini|large))/],
  ['TII', ['tii', 'tiiuae'], /^falcon/],
  ['Databricks', ['databricks'], /^dbrx/],
  ['Writer', ['writer'], /^palmyra/],
  ['Reka', ['reka', 'rekaai'], /^reka/],
  ['OpenBMB', ['openbmb'], /^minicpm/],
  ['Kuaishou', ['kuaishou', 'kling', 'klingai', 'kwaipilot'], /^(?:kling|kolors|kat-|keye)/],
];

/** A vendor as it is shown. Names of vendors are the same in every language. */
export function vendorText(vendor: string): string {
  return vendor === otherVendor ? l10n.t({ message: 'Other', comment: ['Models of an unknown vendor'] }) : vendor;
}

/** The form in which names are compared: only letters and digits, in lower case. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

const anyFamily = new RegExp(vendors.flatMap(([, , ids]) => (ids ? [ids.source] : [])).join('|'));
// The aliases alone: "groq" before a model's name is its host, not its vendor.
const byBareName: ReadonlyMap<string, string> = new Map(
  vendors.flatMap(([name, aliases]) => aliases.map((alias) => [alias, name] as const)),
);

/**
 * Finds the vendor of a model by its id, because `created` and `owned_by` are constants on many gateways (wire 1.1).
 *
 * @returns `Other` when the id does not show a vendor.
 */
export function vendorOf(id: string): string {
  // Limits the work for hostile ids; no real id is that long.
  const segments = id.slice(-400).toLowerCase().split('/').slice(-6);
  for (const segment of segments.slice(0, -1).reverse()) {
    const vendor = byBareName.get(bareName(segment));
    if (vendor) {
      return vendor;
    }
  }
  const last = segments.at(-1) ?? '';
  // Bedrock writes `us.anthropic.claude-…`, some gateways `vendor:model`, and fine-tuned models are `ft:gpt-…:name`.
  const starts = [0, ...Array.from(last.matchAll(/[.:]/g), ({ index }) => index + 1).slice(0, 3)];
  const known = starts.map((start) => last.slice(start)).filter((name) => anyFamily.test(name));
  // Most ids of a long list match no vendor; the combined pattern rules them out with one test.
  return known.length === 0
    ? otherVendor
    : (vendors.find(([, , ids]) => known.some((name) => ids?.test(name)))?.[0] ?? otherVendor);
}
