import type { Fault } from '../fault.ts';
import { eachChunk, eachText, withDelta } from './streamTransforms.ts';

/** Adds reasoning before the text; `write` makes the delta of one piece. */
function reasoningFirst(write: (text: string) => Readonly<Record<string, unknown>>) {
  return eachChunk((chunk, index) =>
    index === 0
      ? [{ chunk }, ...['Let me ', 'count ', 'the words.'].map((text) => withDelta(chunk, write(text)))]
      : [{ chunk }],
  );
}

/** The different places of reasoning in a reply. */
export const reasoningFaults: readonly Fault[] = [
  {
    name: 'reasoning-both',
    quirk: 'Q33',
    about: 'the same reasoning in reasoning_content and reasoning',
    on: 'chat',
    items: reasoningFirst((text) => ({ reasoning_content: text, reasoning: text })),
  },
  {
    name: 'reasoning-field',
    quirk: 'Q33',
    about: 'reasoning in the field reasoning',
    on: 'chat',
    items: reasoningFirst((text) => ({ reasoning: text, content: '' })),
  },
  {
    name: 'think-tags',
    quirk: 'Q33',
    about: 'reasoning inside the text between <think> tags that are cut over deltas',
    on: 'chat',
    items: eachChunk((chunk, index) =>
      index === 0
        ? [
            { chunk },
            ...['<th', 'ink>\nLet me ', 'count the words.', '\n</thi', 'nk>\n\n'].map((content) =>
              withDelta(chunk, { content }),
            ),
          ]
        : [{ chunk }],
    ),
  },
  {
    name: 'content-parts',
    quirk: 'Q34',
    about: 'content as arrays of parts, thinking among them',
    on: 'chat',
    items: eachText((text, chunk, index) => [
      withDelta(chunk, {
        content:
          index === 1
            ? [
                { type: 'thinking', thinking: [{ type: 'text', text: 'Let me count the words.' }] },
                { type: 'text', text },
              ]
            : [{ type: 'text', text }],
      }),
    ]),
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.map(({ message, ...choice }) => ({
        ...choice,
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Let me count the words.' }] },
            { type: 'text', text: message.content },
          ],
        },
      })),
    }),
  },
];
