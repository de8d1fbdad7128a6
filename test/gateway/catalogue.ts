/** The groups that a key can be in. A key can use a model if they share at least one group. */
export const groups = ['default', 'premium', 'preview'] as const;

/** One model of the catalogue. Prices are integers in nano-USD per token, which is milli-USD per 1M tokens. */
export interface CatalogueModel {
  readonly id: string;
  readonly title: string;
  readonly vendor: string;
  /** Only `chat` models answer at `/v1/chat/completions`. */
  readonly kind: keyof typeof endpointTypes;
  readonly inputNanoUsd: number;
  readonly outputNanoUsd: number;
  readonly contextTokens: number;
  readonly groups: readonly string[];
}

const endpointTypes = {
  chat: 'openai',
  embedding: 'embeddings',
  image: 'image-generation',
  speech: 'openai-audio',
  rerank: 'jina-rerank',
} as const;

// The prices are made up, but of a realistic magnitude. They say nothing about any vendor.
const rows: readonly (readonly [string, string, string, CatalogueModel['kind'], number, number, number, string])[] = [
  ['gpt-5.1', 'GPT 5.1', 'OpenAI', 'chat', 1250, 10000, 400_000, 'premium'],
  ['gpt-5-mini', 'GPT 5 mini', 'OpenAI', 'chat', 250, 2000, 400_000, 'default premium'],
  ['gpt-4.1-nano', 'GPT 4.1 nano', 'OpenAI', 'chat', 100, 400, 1_000_000, 'default premium'],
  ['o4-mini', 'o4 mini', 'OpenAI', 'chat', 1100, 4400, 200_000, 'premium'],
  ['claude-opus-4-5', 'Claude Opus 4.5', 'Anthropic', 'chat', 5000, 25000, 200_000, 'premium'],
  ['claude-sonnet-4-5', 'Claude Sonnet 4.5', 'Anthropic', 'chat', 3000, 15000, 200_000, 'default premium'],
  ['claude-haiku-4-5', 'Claude Haiku 4.5', 'Anthropic', 'chat', 1000, 5000, 200_000, 'default premium'],
  ['claude-sonnet-4-5-thinking', 'Claude Sonnet 4.5 Thinking', 'Anthropic', 'chat', 3000, 15000, 200_000, 'premium'],
  ['gemini-2.5-pro', 'Gemini 2.5 Pro', 'Google', 'chat', 1250, 10000, 1_048_576, 'premium'],
  ['gemini-2.5-flash', 'Gemini 2.5 Flash', 'Google', 'chat', 300, 2500, 1_048_576, 'default premium'],
  ['qwen3-coder-plus', 'Qwen3 Coder Plus', 'Alibaba', 'chat', 1000, 5000, 1_000_000, 'default premium'],
  ['qwen3-max', 'Qwen3 Max', 'Alibaba', 'chat', 1200, 6000, 262_144, 'premium'],
  ['qwen3-8b', 'Qwen3 8B', 'Alibaba', 'chat', 35, 138, 131_072, 'default premium'],
  ['qwen3-8b-slow', 'Qwen3 8B, a slow channel', 'Alibaba', 'chat', 35, 138, 131_072, 'default premium'],
  ['qwen3-8b-long', 'Qwen3 8B, 400 KB replies', 'Alibaba', 'chat', 35, 138, 131_072, 'default premium'],
  ['deepseek-chat', 'DeepSeek V3.2', 'DeepSeek', 'chat', 280, 420, 128_000, 'default premium'],
  ['deepseek-reasoner', 'DeepSeek V3.2 Reasoner', 'DeepSeek', 'chat', 280, 420, 128_000, 'default premium'],
  ['meta-llama/llama-3.3-70b-instruct', 'Llama 3.3 70B Instruct', 'Meta', 'chat', 130, 380, 131_072, 'default premium'],
  ['meta-llama/llama-3.1-8b-instruct:free', 'Llama 3.1 8B Instruct, free', 'Meta', 'chat', 0, 0, 131_072, 'default'],
  ['mistral-large-latest', 'Mistral Large', 'Mistral', 'chat', 500, 1500, 262_144, 'default premium'],
  ['codestral-latest', 'Codestral', 'Mistral', 'chat', 300, 900, 256_000, 'default premium'],
  ['grok-4-fast', 'Grok 4 Fast', 'xAI', 'chat', 200, 500, 2_000_000, 'premium'],
  ['kimi-k2-thinking', 'Kimi K2 Thinking', 'Moonshot', 'chat', 600, 2500, 262_144, 'preview'],
  ['glm-4.6', 'GLM 4.6', 'Zhipu', 'chat', 600, 2200, 200_000, 'preview'],
  ['text-embedding-3-small', 'Text Embedding 3 small', 'OpenAI', 'embedding', 20, 0, 8_191, 'default premium'],
  ['gpt-image-1', 'GPT Image 1', 'OpenAI', 'image', 5000, 40000, 32_000, 'premium'],
  ['tts-1-hd', 'TTS 1 HD', 'OpenAI', 'speech', 30000, 0, 4_096, 'premium'],
  ['BAAI/bge-reranker-v2-m3', 'BGE Reranker v2 m3', 'BAAI', 'rerank', 10, 0, 8_192, 'default premium'],
];

/** The models of this gateway, in the order of its console. */
export const catalogue: readonly CatalogueModel[] = rows.map(
  ([id, title, vendor, kind, inputNanoUsd, outputNanoUsd, contextTokens, open]) => ({
    id,
    title,
    vendor,
    kind,
    inputNanoUsd,
    outputNanoUsd,
    contextTokens,
    groups: open.split(' '),
  }),
);

/** Whether a key in these groups can use the model. */
export function isOpenTo(model: CatalogueModel, keyGroups: readonly string[]): boolean {
  return model.groups.some((group) => keyGroups.includes(group));
}

/** One entry of the list: the two fields that the service documents, and some of the metadata that gateways add. */
interface ModelItem {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  readonly supported_endpoint_types: readonly string[];
  readonly context_length?: number;
}

/** The response body of `GET /v1/models`. */
export interface ModelList {
  readonly object: 'list';
  readonly data: readonly ModelItem[];
}

/**
 * Returns the models that a key in these groups can use. It has no prices; those are in the console.
 *
 * @param contextTokens the context size of every chat model instead of its own.
 */
export function modelList(keyGroups: readonly string[], contextTokens?: number): ModelList {
  const data = catalogue
    .filter((model) => isOpenTo(model, keyGroups))
    .map((model) => ({
      id: model.id,
      object: 'model' as const,
      // A constant that gateways of this kind send for every model.
      created: 1626777600,
      owned_by: model.vendor.toLowerCase(),
      supported_endpoint_types: [endpointTypes[model.kind]],
      ...(model.kind === 'chat' && { context_length: contextTokens ?? model.contextTokens }),
    }));
  return { object: 'list', data };
}
