import { isRecord, type LooseRecord } from '../gateway/loose.ts';

/**
 * Who made a model, told by its id: `created` and `owned_by` are constants on many gateways (wire 1.1). Matched against
 * the last path segment, then against the whole id. Families as the vendors name their own models; the first match wins.
 */
const families: readonly (readonly [vendor: string, pattern: RegExp])[] = [
  [
    'OpenAI',
    /^(?:gpt|chatgpt|o[1345](?:-|$)|text-embedding|dall-e|whisper|tts|davinci|babbage|codex|omni-moderation|sora)/,
  ],
  ['Anthropic', /^claude/],
  ['Google', /^(?:gemini|gemma|palm|imagen|veo|learnlm)/],
  ['DeepSeek', /^deepseek/],
  ['Qwen', /^(?:qwen|qwq|qvq|tongyi|wan\d)/],
  ['Meta', /^(?:meta-)?(?:code)?llama/],
  ['Mistral', /^(?:mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral)/],
  ['xAI', /^grok/],
  ['Moonshot', /^(?:kimi|moonshot)/],
  ['Zhipu', /^(?:glm|chatglm|cogview|cogvideo)/],
  ['MiniMax', /^(?:minimax|abab)/],
  ['ByteDance', /^(?:doubao|seed|skylark)/],
  ['Baidu', /^(?:ernie|wenxin)/],
  ['Tencent', /^hunyuan/],
  ['01.AI', /^yi-/],
  ['Cohere', /^(?:command|c4ai|aya|rerank-(?:english|multilingual|v\d))/],
  ['Microsoft', /^(?:phi-|wizardlm)/],
  ['NVIDIA', /^(?:nemotron|nvidia)/],
  ['Amazon', /^(?:nova-|titan)/],
  ['Perplexity', /^(?:sonar|pplx)/],
  ['BAAI', /^bge-/],
  ['Jina AI', /^jina/],
  ['Stability AI', /^(?:stable-|sd3|sdxl)/],
  ['Black Forest Labs', /^flux/],
];

const anyFamily = new RegExp(families.map(([, { source }]) => source).join('|'));

/** Names of path prefixes that are a vendor themselves, as in `anthropic/claude-…`. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['google', 'Google'],
  ['deepseek', 'DeepSeek'],
  ['deepseek-ai', 'DeepSeek'],
  ['qwen', 'Qwen'],
  ['meta-llama', 'Meta'],
  ['mistralai', 'Mistral'],
  ['x-ai', 'xAI'],
  ['moonshotai', 'Moonshot'],
  ['z-ai', 'Zhipu'],
  ['zai-org', 'Zhipu'],
  ['nvidia', 'NVIDIA'],
  ['microsoft', 'Microsoft'],
  ['cohere', 'Cohere'],
]);

export function vendorOf(id: string): string {
  const lower = id.toLowerCase();
  const segments = lower.split('/');
  for (const segment of segments.slice(0, -1).reverse()) {
    const vendor = prefixes.get(segment);
    if (vendor) {
      return vendor;
    }
  }
  const last = segments.at(-1) ?? lower;
  // Bedrock writes `anthropic.claude-…`, some gateways `vendor:model`.
  const candidates = new Set([last, last.slice(last.indexOf('.') + 1), last.slice(last.indexOf(':') + 1), lower]);
  const known = [...candidates].filter((name) => anyFamily.test(name));
  // Long lists are full of names nobody knows: one look says so of each.
  return families.find(([, pattern]) => known.some((name) => pattern.test(name)))?.[0] ?? 'Other';
}

const notForChat =
  /(?:^|[-_/:.])(?:embed(?:ding)?s?|rerank(?:er)?|whisper|tts|asr|stt|dall-e|imagen|image|sdxl|flux|stable-diffusion|moderation|transcribe|speech|veo|sora|cogview|cogvideo|bge|midjourney|mj)(?:$|[-_/:.\d])/;

/** What the gateway states counts first; else the name. A wrong guess only moves an item to another group. */
export function isForChat(id: string, item: LooseRecord): boolean {
  const endpoints = item.supported_endpoint_types;
  if (Array.isArray(endpoints) && endpoints.length > 0) {
    return endpoints.some((endpoint) =>
      ['openai', 'openai-response', 'anthropic', 'gemini'].includes(String(endpoint)),
    );
  }
  const type = item.type;
  if (typeof type === 'string' && type !== '' && type !== 'model') {
    return /^(?:chat|language|text|llm|code)/i.test(type);
  }
  const outputs = isRecord(item.architecture) ? item.architecture.output_modalities : undefined;
  if (Array.isArray(outputs) && outputs.length > 0) {
    return outputs.includes('text');
  }
  return !notForChat.test(id.toLowerCase());
}
