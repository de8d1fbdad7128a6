import { isRecord, type LooseRecord, recordOf, textOf } from '../../base/loose.ts';
import type { ModelKind } from './model.ts';

/**
 * Kinds as gateways call them, in lower case letters and digits alone: `type` (Together, Anthropic's `model` says
 * nothing), `mode` (LiteLLM), `task` (Hugging Face, Cloudflare), output modalities (OpenRouter), endpoint types
 * (new-api) and the last part of endpoint paths.
 */
const words: Readonly<Record<ModelKind, readonly string[]>> = {
  chat: [
    'chat',
    'chatcompletions',
    'chatcompletion',
    'language',
    'llm',
    'text',
    'textgeneration',
    'code',
    'vlm',
    'multimodal',
  ],
  embedding: [
    'embedding',
    'embeddings',
    'embed',
    'textembedding',
    'textembeddings',
    'featureextraction',
    'geminiembedding',
    'sentencesimilarity',
  ],
  image: [
    'image',
    'images',
    'imagegeneration',
    'imagesgenerations',
    'imageedit',
    'imageedits',
    'texttoimage',
    'imagetoimage',
  ],
  speech: [
    'audio',
    'speech',
    'tts',
    'stt',
    'asr',
    'transcribe',
    'transcription',
    'audiotranscription',
    'audiotranscriptions',
    'audiospeech',
    'audiotranslations',
    'texttospeech',
    'speechtotext',
    'automaticspeechrecognition',
    'music',
    'realtime',
  ],
  video: ['video', 'videos', 'videogeneration', 'texttovideo', 'imagetovideo', 'openaivideo'],
  rerank: ['rerank', 'reranker', 'reranking', 'textranking', 'jinarerank', 'coherererank'],
  moderation: ['moderation', 'moderations', 'safety', 'guard'],
  other: ['ocr', 'classification', '3d'],
};

const kindOfWord: ReadonlyMap<string, ModelKind> = new Map(
  Object.entries(words).flatMap(([kind, names]) => names.map((name) => [name, kind as ModelKind] as const)),
);

/** Parts of ids that name a kind. In this order: `bge-reranker` ranks, and `gpt-4o-mini-tts` speaks. */
const parts: readonly (readonly [ModelKind, string])[] = [
  ['rerank', 're-?rank(?:er|ing)?'],
  ['moderation', 'moderation|llama-?guard|guard(?:ian)?|shieldgemma|prompt-guard'],
  ['embedding', 'embed(?:ding)?s?|bge|e5|gte|m3e|bce|minilm|mxbai|voyage'],
  [
    'video',
    'veo|sora|kling|cogvideox?|hailuo|vidu|runway|seedance|pika|hunyuan-?video|video-0\\d|t2v|i2v|text-to-video',
  ],
  [
    'image',
    'dall-?e|imagen|images?|sdxl|sd3|flux|stable-(?:diffusion|image)|cogview|midjourney|mj|niji|ideogram|recraft|kolors|seedream|seededit|jimeng|hidream|wanx|t2i|text-to-image',
  ],
  [
    'speech',
    'whisper|tts|asr|stt|speech|transcribe|transcription|realtime|cosyvoice|sensevoice|paraformer|kokoro|orpheus|eleven|suno|chirp|lyria|musicgen',
  ],
  // Plain completions, and OpenAI's reader of pages: neither answers chat calls.
  ['other', '(?:davinci|babbage|curie|ada)(?:-00\\d)?|gpt-3\\.5-turbo-instruct|mistral-ocr'],
];
const border = '[-_/:.@ ]';
const partOf = (names: string) => new RegExp(`(?:^|${border})(?:${names})(?:$|${border}|\\d)`);
const patterns = parts.map(([kind, names]) => [kind, partOf(names)] as const);
const anyPart = partOf(parts.map(([, names]) => names).join('|'));

/** @returns undefined when the id names no kind; most of those are for chat. */
export function kindByName(id: string): ModelKind | undefined {
  const lower = id.slice(-400).toLowerCase();
  return anyPart.test(lower) ? patterns.find(([, pattern]) => pattern.test(lower))?.[0] : undefined;
}

/** What the gateway states counts first; else the name. A wrong guess only moves an item to another group. */
export function kindOf(id: string, item: LooseRecord): ModelKind {
  return statedKind(id, item) ?? kindByName(id) ?? 'chat';
}

/** @returns undefined when the item says nothing of what it is for. */
export function statedKind(id: string, item: LooseRecord): ModelKind | undefined {
  return (
    byOutputs(recordOf(item.architecture).output_modalities ?? item.output_modalities) ??
    byWord(item.type) ??
    byWord(item.mode) ??
    byWord(isRecord(item.task) ? item.task.name : item.task) ??
    byCapabilities(id, item.capabilities) ??
    byMethods(item.supportedGenerationMethods) ??
    byPaths(item.endpoint ?? item.endpoints ?? item.supported_endpoints) ??
    byEndpointTypes(id, item.supported_endpoint_types)
  );
}

function byWord(value: unknown): ModelKind | undefined {
  return kindOfWord.get((textOf(value) ?? '').toLowerCase().replace(/[^a-z\d]+/g, ''));
}

function byOutputs(value: unknown): ModelKind | undefined {
  const kinds = Array.isArray(value) ? value.flatMap((each) => byWord(each) ?? []) : [];
  return kinds.includes('chat') ? 'chat' : kinds[0];
}

/** Mistral: a record of what it can. Ollama and llama.cpp: a list of words, where `completion` is chat. */
function byCapabilities(id: string, value: unknown): ModelKind | undefined {
  if (Array.isArray(value)) {
    return value.includes('completion') || value.includes('chat') ? 'chat' : byOutputs(value);
  }
  const canChat = recordOf(value).completion_chat;
  return canChat === true ? 'chat' : canChat === false ? notChat(id) : undefined;
}

/** Gemini. `generateContent` speaks and paints too, so it says nothing. */
function byMethods(value: unknown): ModelKind | undefined {
  if (!Array.isArray(value) || value.includes('generateContent')) {
    return undefined;
  }
  return value.includes('embedContent')
    ? 'embedding'
    : value.includes('predictLongRunning')
      ? 'video'
      : value.includes('predict')
        ? 'image'
        : undefined;
}

function byPaths(value: unknown): ModelKind | undefined {
  const paths = (Array.isArray(value) ? value : [value]).filter((path) => typeof path === 'string');
  return byOutputs(paths.map((path) => path.replace(/^.*?\/v\d+(?:beta)?\//, '')));
}

/**
 * new-api lists the chat endpoints for every model of a channel, embeddings included, so that only another one tells
 * something (`GetEndpointTypesByChannelType` there); and Jina's channel calls all its models rerankers.
 */
function byEndpointTypes(id: string, value: unknown): ModelKind | undefined {
  const kinds = Array.isArray(value) ? value.flatMap((each) => byWord(each) ?? []) : [];
  const kind = kinds.find((each) => each !== 'chat');
  const name = kind && kindByName(id);
  return name ?? kind;
}

function notChat(id: string): ModelKind {
  return kindByName(id) ?? 'other';
}
