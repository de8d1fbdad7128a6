import { type CatalogueModel, catalogue, isOpenTo } from './catalogue.ts';

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

const endpointTypes: Record<CatalogueModel['kind'], string> = {
  chat: 'openai',
  embedding: 'embeddings',
  image: 'image-generation',
  speech: 'openai-audio',
  rerank: 'jina-rerank',
};

/**
 * Returns the models that a key in these groups can use. It has no prices; those are in the console.
 *
 * @param contextTokens the context size of every chat model instead of its own.
 */
export function modelList(keyGroups: readonly string[], contextTokens?: number): ModelList {
  const open = catalogue.filter((model) => isOpenTo(model, keyGroups));
  return { object: 'list', data: open.map((model) => modelItem(model, contextTokens ?? model.contextTokens)) };
}

function modelItem(model: CatalogueModel, contextTokens: number): ModelItem {
  return {
    id: model.id,
    object: 'model',
    // A constant that gateways of this kind send for every model.
    created: 1626777600,
    owned_by: model.vendor.toLowerCase(),
    supported_endpoint_types: [endpointTypes[model.kind]],
    ...(model.kind === 'chat' ? { context_length: contextTokens } : {}),
  };
}
