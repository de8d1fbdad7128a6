import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

const vendors = [
  'anthropic/claude',
  'openai/gpt',
  'google/gemini',
  'mistralai/mistral',
  'qwen/qwen',
  'deepseek/deepseek',
];

/** A gateway with thousands of models, like an aggregator. It answers every question with one sentence. */
export class Aggregator {
  count = 5_000;
  /** The models that were asked, in order. */
  readonly asked: string[] = [];
  readonly answer: RequestListener = (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') {
      void this.#reply(request, response);
      return;
    }
    const ids = Array.from({ length: this.count }, (_, index) => `${vendors[index % vendors.length]}-${index}`);
    const data = [...ids, 'text-embedding-3-large'].map((id, index) => ({
      id,
      object: 'model',
      context_length: 8_192 * (1 + (index % 32)),
      architecture: { output_modalities: [id.includes('embedding') ? 'embeddings' : 'text'] },
      pricing: { prompt: '0.000001', completion: '0.000004' },
    }));
    response.end(JSON.stringify({ object: 'list', data }));
  };

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { model } = (await json(request)) as { model: string };
    this.asked.push(model);
    const message = { role: 'assistant', content: `This is ${model}.` };
    response.end(JSON.stringify({ model, choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  }
}
