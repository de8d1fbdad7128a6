import { isRecord, type LooseRecord, recordOf, textOf } from '../../base/loose.ts';
import type { ModelKind } from './model.ts';

/**
 * The words that gateways use for each kind: only lower-case letters and digits, without a plural `s`. They occur in
 * `type` (Together; Anthropic's `model` says nothing), `mode` (LiteLLM), `capabilities.type` (GitHub Copilot), `task`
 * (Hugging Face, Cloudflare), output modalities (OpenRouter), endpoint types (new-api) and the first segments of endpoint
 * paths.
 */
const words: Readonly<Record<ModelKind, readonly string[]>> = {
  chat: ['chat', 'chatcompletion', 'language', 'llm', 'text', 'textgeneration', 'code', 'vlm', 'multimodal'],
  embedding: ['embedding', 'embed', 'textembedding', 'featureextraction', 'geminiembedding', 'sentencesimilarity'],
  image: ['image', 'imagegeneration', 'imageedit', 'texttoimage', 'imagetoimage', 'inpaint', 'upscale'],
  speech: [
    'audio',
    'speech',
    'tts',
    'stt',
    'asr',
    'transcribe',
    'transcription',
    'audiotranscription',
    'audiospeech',
    'texttospeech',
    'speechtotext',
    'audiogeneration',
    'automaticspeechrecognition',
    'music',
    'realtime',
  ],
  video: ['video', 'videogeneration', 'texttovideo', 'imagetovideo', 'openaivideo'],
  rerank: ['rerank', 'reranker', 'reranking', 'textranking', 'jinarerank', 'coherererank'],
  moderation: ['moderation', 'safety', 'guard'],
  other: ['ocr', 'classification', '3d'],
};

const kindOfWord: ReadonlyMap<string, ModelKind> = new Map(
  Object.entries(words).flatMap(([kind, names]) => names.map((name) => [name, kind as ModelKind] as const)),
);

/** Parts of ids that show a kind. The first match wins: `bge-reranker` is a reranker and not an embedding model. */
const parts: readonly (readonly [ModelKind, string])[] = [
  ['rerank', 're-?rank(?:er|ing|qa)?'],
  ['moderation', 'moderation|llama-?guard|(?:nemo)?guard(?:ian)?|shieldgemma|prompt-guard|content-safety'],
  [
    'embedding',
    'embed(?:ding)?s?|embed(?:qa|code)|embeddinggemma|(?:nv|sig)?clip|bge|e5|gte|m3e|bce|minilm|mxbai|voyage',
  ],
  [
    'video',
    'veo|sora|kling|cogvideox?|hailuo|vidu|runway|seedance|pika|hunyuan-?video|video-0\\d|t2v|i2v|text-to-video|grok-imagine-video',
  ],
  [
    'image',
    'dall-?e|imagen|images?|sdxl|sd3|flux|stable-(?:diffusion|image)|cogview|midjourney|mj|niji|ideogram|recraft|kolors|seedream|seededit|jimeng|hidream|wanx|t2i|text-to-image|grok-imagine|nano-?banana',
  ],
  [
    'speech',
    'whisper|tts|asr|stt|speech|transcribe|transcription|realtime|index-?tts|cosyvoice|sensevoice(?:small)?|paraformer|kokoro|orpheus|eleven|parakeet|suno|chirp|lyria|musicgen|native-audio|gemini-[\\w.-]*live',
  ],
  // Plain completion models and Mistral's OCR model: neither answers chat requests.
  ['other', '(?:davinci|babbage|curie|ada)(?:-00\\d)?|gpt-3\\.5-turbo-instruct|mistral-ocr'],
];
const separator = '[-_/:.@ ]';
const patterns = parts.map(
  ([kind, names]) => [kind, new RegExp(`(?:^|${separator})(?:${names})(?:$|${separator}|\\d)`)] as const,
);

/** Guesses the kind by the id. @returns undefined when the id shows none; most such models are for chat. */
export function kindByName(id: string): ModelKind | undefined {
  const lower = id.slice(-400).toLowerCase();
  return patterns.find(([, pattern]) => pattern.test(lower))?.[0];
}

/** What goes into a model or comes out of it, wherever an item states that. */
export function modalitiesOf(item: LooseRecord, side: 'input' | 'output'): unknown {
  const name = `${side}_modalities`;
  const [architecture, modalities] = [recordOf(item.architecture), recordOf(item.modalities)];
  return architecture[name] ?? item[name] ?? item[`supported_${name}`] ?? modalities[side] ?? modalities[name];
}

/** Reads the kind that an item states. @returns undefined when it states none. */
export function statedKind(id: string, item: LooseRecord): ModelKind | undefined {
  return (
    byOutputs(modalitiesOf(item, 'output')) ??
    byWord(item.type) ??
    byWord(item.model_type ?? item.types ?? item.domain ?? item.api) ??
    byWord(item.mode ?? recordOf(item.model_info).mode) ??
    byWord(recordOf(item.capabilities).type) ??
    byWord(isRecord(item.task) ? item.task.name : item.task) ??
    byCapabilities(id, item.capabilities, item.supports_chat) ??
    byLabels(item.labels) ??
    byMethods(item.supportedGenerationMethods) ??
    byPaths(item.endpoint ?? item.endpoints ?? item.supported_endpoints) ??
    byEndpointTypes(id, item.supported_endpoint_types)
  );
}

function byWord(value: unknown): ModelKind | undefined {
  return kindOfWord.get((textOf(value) ?? '').toLowerCase().replace(/[^a-z\d]+|s$/g, ''));
}

function byWords(value: unknown): ModelKind[] {
  return Array.isArray(value) ? value.flatMap((each) => byWord(each) ?? []) : [];
}

function byOutputs(value: unknown): ModelKind | undefined {
  const kinds = byWords(value);
  return kinds.includes('chat') ? 'chat' : kinds[0];
}

/**
 * Mistral and Azure state a record of abilities, Fireworks one field. Ollama and llama.cpp state a list of words, in which
 * `completion` means chat.
 */
function byCapabilities(id: string, value: unknown, supportsChat: unknown): ModelKind | undefined {
  if (Array.isArray(value)) {
    return value.includes('completion') || value.includes('chat') ? 'chat' : byOutputs(value);
  }
  const canChat = recordOf(value).completion_chat ?? recordOf(value).chat_completion ?? supportsChat;
  return canChat === true ? 'chat' : canChat === false ? (kindByName(id) ?? 'other') : undefined;
}

/** Lemonade's chat models may transcribe too, and on older servers no label says that they are for chat. */
function byLabels(value: unknown): ModelKind | undefined {
  const isChat = Array.isArray(value) && ['vision', 'reasoning', 'tool-calling'].some((label) => value.includes(label));
  return isChat ? 'chat' : byOutputs(value);
}

/** The methods of Gemini's models. `generateContent` also creates speech and images, so it says nothing about the kind. */
const kindOfMethod: readonly (readonly [method: string, kind: ModelKind | undefined])[] = [
  ['generateContent', undefined],
  ['embedContent', 'embedding'],
  ['predictLongRunning', 'video'],
  ['predict', 'image'],
  ['bidiGenerateContent', 'speech'],
];

function byMethods(value: unknown): ModelKind | undefined {
  return Array.isArray(value) ? kindOfMethod.find(([method]) => value.includes(method))?.[1] : undefined;
}

function byPaths(value: unknown): ModelKind | undefined {
  const paths = (Array.isArray(value) ? value : [value]).filter((path) => typeof path === 'string');
  return byOutputs(paths.map((path) => /^(?:.*?\/v\d+(?:beta)?)?\/*([^/]+)/.exec(path)?.[1]));
}

/**
 * new-api lists the chat endpoints for every model of a channel, even for embedding models, so only another endpoint
 * type shows the kind (`GetEndpointTypesByChannelType` in its source). It lists every model of its Jina channel as a
 * reranker, so a kind shown by the id comes first.
 */
function byEndpointTypes(id: string, value: unknown): ModelKind | undefined {
  const kind = byWords(value).find((each) => each !== 'chat');
  return kind && (kindByName(id) ?? kind);
}
