/**
 * Who makes models, as one line a vendor: its name; how it is called in front of an id or as an owner, in lower case
 * letters and digits alone; and how ids of its models begin. Spelled as the vendors' own lists, OpenRouter and Hugging
 * Face spell them. The first line that fits counts. A vendor that is missing is one more line.
 */
const vendors: readonly (readonly [name: string, calledAs: readonly string[], ids?: RegExp])[] = [
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
  ['Voyage AI', ['voyage', 'voyageai'], /^voyage/],
  ['Nomic', ['nomic', 'nomicai'], /^nomic/],
  ['Mixedbread', ['mixedbread', 'mixedbreadai'], /^mxbai/],
  ['BAAI', ['baai'], /^bge-/],
  ['Jina AI', ['jina', 'jinaai'], /^jina/],
  ['Stability AI', ['stabilityai', 'stability'], /^(?:stable-|sd3|sdxl|stablelm)/],
  ['Black Forest Labs', ['blackforestlabs', 'bfl'], /^flux/],
  ['Midjourney', ['midjourney'], /^(?:midjourney|mj[-_]|niji)/],
  ['Ideogram', ['ideogram'], /^ideogram/],
  ['Recraft', ['recraft', 'recraftai'], /^recraft/],
  ['Runway', ['runway', 'runwayml'], /^runway/],
  ['Kuaishou', ['kuaishou', 'kling', 'klingai', 'kwaipilot'], /^(?:kling|kolors|kat-|keye)/],
  ['ElevenLabs', ['elevenlabs'], /^eleven/],
  ['Suno', ['suno', 'sunoai'], /^(?:suno|chirp)/],
];

/** How a name is compared: letters and digits alone, in lower case. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Words that stand where a vendor could and name none: who serves a model, what a gateway runs on, its types of
 * channels (one-api and new-api write those as owners), and words for everything.
 */
const nobody: ReadonlySet<string> = new Set(
  `custom vllm library system user users openaiinternal organizationowner azure azureopenai azureai aws bedrock
  awsbedrock vertex vertexai ali aliyun dashscope bailian groq together togetherai openrouter siliconflow siliconcloud
  cloudflare workersai cf replicate ollama llamacpp llamaswap lmstudio localai sglang tgi xinference proxy litellm api2d
  closeai openaisb openaimax ohmygpt ails aiproxy aiproxylibrary api2gpt aigc2d fastgpt coze dify ai360 360 novita
  novitaai deepinfra fireworks fireworksai github githubmodels githubcopilot hyperbolic lepton sambanova cerebras nebius
  baseten featherless parasail volcengine volcark ppio gitee giteeai modelscope huggingface hf mokaai submodel poe
  portkey unknown default none null undefined public private model models accounts account admin root me local localhost
  server free pro paid test chat completions v1 router auto other`.split(/\s+/),
);

const anyFamily = new RegExp(vendors.flatMap(([, , ids]) => (ids ? [ids.source] : [])).join('|'));
const byBareName: ReadonlyMap<string, string> = new Map(
  vendors.flatMap(([name, calledAs]) =>
    [bareName(name), ...calledAs].flatMap((called) => (nobody.has(called) ? [] : [[called, name] as const])),
  ),
);

/** @returns the vendor's name as we write it; undefined for a name that is no known vendor's. */
export function knownVendor(name: string): string | undefined {
  return byBareName.get(bareName(name));
}

/** Whether a text could be the name of a vendor nobody told us of. */
export function couldBeVendor(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N} ._&+-]{1,39}$/u.test(name) && !nobody.has(bareName(name));
}

/**
 * Who made a model, told by its id: `created` and `owned_by` are constants on many gateways (wire 1.1).
 *
 * @returns `Other` when the id does not tell.
 */
export function vendorOf(id: string): string {
  // Longer ids exist to do harm only.
  const segments = id.slice(-400).toLowerCase().split('/').slice(-6);
  for (const segment of segments.slice(0, -1).reverse()) {
    const vendor = byBareName.get(bareName(segment));
    if (vendor) {
      return vendor;
    }
  }
  const last = segments.at(-1) ?? '';
  // Bedrock writes `us.anthropic.claude-…`, some gateways `vendor:model`, fine-tuned ones `ft:gpt-…:name`.
  const starts = [0, ...Array.from(last.matchAll(/[.:]/g), ({ index }) => index + 1).slice(0, 3)];
  const known = starts.map((start) => last.slice(start)).filter((name) => anyFamily.test(name));
  // Long lists are full of names nobody knows: one look says so of each.
  return known.length === 0
    ? 'Other'
    : (vendors.find(([, , ids]) => known.some((name) => ids?.test(name)))?.[0] ?? 'Other');
}

/** @returns what stands in front of the model in `vendor/model`, when it could be a vendor's name. */
export function pathVendor(id: string): string | undefined {
  const segments = id.slice(0, 400).split('/');
  const name = segments.length > 1 ? (segments.at(-2) ?? '') : '';
  return couldBeVendor(name) ? name : undefined;
}
