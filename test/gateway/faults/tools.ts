import type { Chunk } from '../chat/completion.ts';
import type { StreamItem } from '../chat/streamItem.ts';
import type { Fault } from '../fault.ts';
import { error, send } from './cannedAnswer.ts';
import { eachChunk, withDelta } from './streamTransforms.ts';

const signature = 'c2lnbmF0dXJl';

interface SignedBody {
  readonly messages?: readonly {
    readonly tool_calls?: readonly {
      readonly extra_content?: { readonly google?: { readonly thought_signature?: string } };
    }[];
  }[];
}

function isUnsigned({ messages = [] }: SignedBody): boolean {
  return messages
    .flatMap(({ tool_calls = [] }) => tool_calls)
    .some(({ extra_content }) => extra_content?.google?.thought_signature !== signature);
}

interface CallPiece {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}

function callPieces(chunk: Chunk): readonly CallPiece[] {
  return (chunk.choices[0]?.delta.tool_calls ?? []) as readonly CallPiece[];
}

/** Rewrites every piece of a tool call; chunks without one stay. */
function eachPiece(rewrite: (piece: CallPiece) => object) {
  return eachChunk((chunk) => {
    const calls = callPieces(chunk);
    return calls.length === 0 ? [{ chunk }] : [withDelta(chunk, { tool_calls: calls.map(rewrite) })];
  });
}

/** Collects the pieces of all calls and sends whole calls before the finish chunk. */
function wholeCalls(write: (call: { id: string; name: string; arguments: string; index: number }) => object) {
  return async function* (items: AsyncIterable<StreamItem>): AsyncGenerator<StreamItem> {
    const calls: { id: string; name: string; arguments: string; index: number }[] = [];
    for await (const item of items) {
      const pieces = 'chunk' in item ? callPieces(item.chunk) : [];
      for (const { index, id, function: piece } of pieces) {
        const call = calls[index] ?? { id: id ?? '', name: piece.name ?? '', arguments: '', index };
        calls[index] = { ...call, arguments: call.arguments + piece.arguments };
      }
      if (pieces.length > 0) {
        continue;
      }
      if ('chunk' in item && item.chunk.choices[0]?.finish_reason === 'tool_calls') {
        yield withDelta(item.chunk, { tool_calls: calls.map(write) });
      }
      yield item;
    }
  };
}

/** Interleaves the pieces of all calls. */
async function* interleavedCalls(items: AsyncIterable<StreamItem>): AsyncGenerator<StreamItem> {
  const held: { turn: number; item: StreamItem }[] = [];
  const turns = new Map<number, number>();
  for await (const item of items) {
    const index = 'chunk' in item ? callPieces(item.chunk)[0]?.index : undefined;
    if (index !== undefined) {
      const turn = turns.get(index) ?? 0;
      turns.set(index, turn + 1);
      held.push({ turn, item });
      continue;
    }
    for (const { item: piece } of held.splice(0).toSorted((a, b) => a.turn - b.turn)) {
      yield piece;
    }
    yield item;
  }
}

/** Tool calls in the formats of other vendors. A scripted model calls the tools that the question names. */
export const toolFaults: readonly Fault[] = [
  {
    name: 'tools-from-one',
    quirk: '1.3',
    about: 'the index of tool calls starts at 1',
    on: 'chat',
    items: eachPiece((piece) => ({ ...piece, index: piece.index + 1 })),
  },
  {
    name: 'tools-name-late',
    quirk: 'Q35',
    about: 'the name of a tool call comes with its arguments, the id alone before it',
    on: 'chat',
    items: (items) => {
      let late = '';
      return eachPiece((piece) => {
        const { name, ...rest } = piece.function;
        const held = late;
        late = name ?? '';
        return { ...piece, function: name === undefined && held !== '' ? { name: held, ...rest } : rest };
      })(items);
    },
  },
  {
    name: 'tools-whole',
    quirk: 'Q35',
    about: 'tool calls whole in one chunk, without index, with an empty id',
    on: 'chat',
    items: wholeCalls((call) => ({
      id: '',
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  },
  {
    name: 'tools-object',
    quirk: '1.3',
    about: 'the arguments of a tool call are an object, not text',
    on: 'chat',
    items: wholeCalls((call) => ({
      index: call.index,
      id: call.id,
      function: { name: call.name, arguments: JSON.parse(call.arguments) as unknown },
    })),
  },
  {
    name: 'tools-cut',
    quirk: '1.2',
    about: 'the token limit cuts the arguments: half a JSON document, finish_reason length',
    on: 'chat',
    items: eachChunk((chunk) => {
      const choice = chunk.choices[0];
      if (choice?.finish_reason === 'tool_calls') {
        return [{ chunk: { ...chunk, choices: [{ ...choice, finish_reason: 'length' }] } }];
      }
      return callPieces(chunk).some((piece) => piece.function.arguments.includes('}')) ? [] : [{ chunk }];
    }),
  },
  {
    name: 'tools-finish-stop',
    quirk: '1.2',
    about: 'finish_reason stop although tools were called',
    on: 'chat',
    items: eachChunk((chunk) => {
      const choice = chunk.choices[0];
      return choice?.finish_reason === 'tool_calls'
        ? [{ chunk: { ...chunk, choices: [{ ...choice, finish_reason: 'stop' }] } }]
        : [{ chunk }];
    }),
  },
  {
    name: 'tools-no-index',
    quirk: 'Q35',
    about: 'no index; the id stands on the first piece of each call alone',
    on: 'chat',
    items: eachPiece(({ index: _, ...piece }) => piece),
  },
  {
    name: 'tools-wrong-index',
    quirk: 'Q35',
    about: 'the arguments come under the index of the next call, without an id',
    on: 'chat',
    items: eachPiece((piece) => (piece.id === undefined ? { ...piece, index: piece.index + 1 } : piece)),
  },
  {
    name: 'tools-interleaved',
    quirk: 'Q35',
    about: 'the pieces of all calls take turns',
    on: 'chat',
    items: interleavedCalls,
  },
  {
    name: 'tools-legacy',
    quirk: '1.3',
    about: 'function_call in place of tool_calls, for the first call',
    on: 'chat',
    items: eachChunk((chunk) => {
      const calls = callPieces(chunk);
      const first = calls.find((piece) => piece.index === 0);
      if (calls.length > 0) {
        return first === undefined ? [] : [withDelta(chunk, { function_call: first.function })];
      }
      const choice = chunk.choices[0];
      return choice?.finish_reason === 'tool_calls'
        ? [{ chunk: { ...chunk, choices: [{ ...choice, finish_reason: 'function_call' }] } }]
        : [{ chunk }];
    }),
  },
  {
    name: 'tools-signature',
    quirk: '1.3',
    about: 'a thought signature on the call; 400 when it is not sent back with it',
    on: 'chat',
    instead: (context) => {
      if (isUnsigned(JSON.parse(context.body) as SignedBody)) {
        const words = 'Function call is missing a thought_signature in functionCall parts.';
        send(context, { status: 400, body: error(words, 'invalid_argument', 'invalid_request_error') });
      }
    },
    items: wholeCalls((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
      extra_content: { google: { thought_signature: signature } },
    })),
  },
];
