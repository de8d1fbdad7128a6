import type { StreamItem } from '../chat/streamItem.ts';
import type { Fault } from '../fault.ts';
import { isFinish, withDelta } from './streamTransforms.ts';

/** The number of characters per delta, so that a key is split over several. */
const pieceChars = 5;

/** A key in the forms that answers contain: plain, and as Base64 of two headers. */
export function keyForms(key: string): readonly string[] {
  return [key, ...['Bearer ', 'user:'].map((before) => Buffer.from(before + key).toString('base64'))];
}

function cut(text: string): string[] {
  return text.match(new RegExp(`.{1,${pieceChars}}`, 'gs')) ?? [];
}

/** Gateways that repeat the key of the call in the answer. */
export const keyEchoFaults: readonly Fault[] = [
  {
    name: 'key-in-reply',
    quirk: 'Q57',
    about: 'reasoning, text and the name of the model repeat the key in several spellings, cut over deltas',
    on: 'chat',
    items: async function* (items, { keyValue }): AsyncGenerator<StreamItem> {
      const echo = `Called with ${keyForms(keyValue).join(' and ')}.\n\n`;
      let isFirst = true;
      for await (const item of items) {
        if (!('chunk' in item)) {
          yield item;
          continue;
        }
        const chunk = { ...item.chunk, model: `${item.chunk.model} ${keyValue}` };
        yield { chunk };
        if (isFirst) {
          isFirst = false;
          yield* cut(echo).map((piece) => withDelta(chunk, { reasoning_content: piece }));
          yield* cut(echo).map((piece) => withDelta(chunk, { content: piece }));
        }
      }
    },
  },
  {
    name: 'key-in-tools',
    quirk: 'Q57',
    about: 'two more tool calls, which have the key in their arguments: as it is, and in escapes of JSON',
    on: 'chat',
    items: async function* (items, { keyValue }): AsyncGenerator<StreamItem> {
      const escaped = Array.from(keyValue, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`).join('');
      for await (const item of items) {
        if ('chunk' in item && isFinish(item.chunk)) {
          for (const [offset, word] of [keyValue, escaped].entries()) {
            const index = 50 + offset;
            const head = {
              index,
              id: `call_key_${offset}`,
              type: 'function',
              function: { name: 'find', arguments: '' },
            };
            yield withDelta(item.chunk, { tool_calls: [head] });
            yield* cut(`{"word": "${word}"}`).map((piece) =>
              withDelta(item.chunk, { tool_calls: [{ index, function: { arguments: piece } }] }),
            );
          }
        }
        yield item;
      }
    },
  },
  {
    name: 'models-with-key',
    quirk: 'Q57',
    about: 'two more models with the key in their ids, and the key in the metadata of all others',
    on: 'models',
    list: ({ data }, { keyValue }) => {
      const forms = keyForms(keyValue);
      return {
        object: 'list',
        data: [
          ...data.map((item, index) => ({
            ...item,
            description: `For ${forms[index % forms.length]}, no one else.`,
            display_name: `${item.id} of ${forms[(index + 1) % forms.length]}`,
            [keyValue]: { owner: keyValue },
          })),
          { id: `relay/${keyValue}`, object: 'model' },
          { id: forms[1], object: 'model' },
        ],
      };
    },
  },
];
