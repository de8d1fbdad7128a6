import { error } from './answers.ts';
import type { Rows } from './fault.ts';
import { type Chunk, deltaChunk, eachChunk, type Item, isChunk } from './items.ts';

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

interface Piece {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}

function piecesOf(item: Item): readonly Piece[] {
  return isChunk(item) ? ((item.choices[0]?.delta.tool_calls ?? []) as readonly Piece[]) : [];
}

/** Rewrites every piece of a tool call; chunks without one stay. */
function eachPiece(rewrite: (piece: Piece) => object) {
  return eachChunk((chunk) => {
    const calls = piecesOf(chunk);
    return calls.length === 0 ? [chunk] : [deltaChunk(chunk, { tool_calls: calls.map(rewrite) })];
  });
}

/** Collects the pieces of all calls and sends whole calls before the finish chunk. */
function wholeCalls(write: (call: { id: string; name: string; arguments: string; index: number }) => object) {
  return async function* (items: AsyncIterable<Item>): AsyncGenerator<Item> {
    const calls: Parameters<typeof write>[0][] = [];
    for await (const item of items) {
      const pieces = piecesOf(item);
      for (const { index, id = '', function: piece } of pieces) {
        const call = calls[index] ?? { id, name: piece.name ?? '', arguments: '', index };
        calls[index] = { ...call, arguments: call.arguments + piece.arguments };
      }
      if (pieces.length > 0) {
        continue;
      }
      if (isChunk(item) && callsTools(item)) {
        yield deltaChunk(item, { tool_calls: calls.map(write) });
      }
      yield item;
    }
  };
}

/** Interleaves the pieces of all calls. */
async function* interleavedCalls(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const held: { turn: number; item: Item }[] = [];
  for await (const item of items) {
    const index = piecesOf(item)[0]?.index;
    if (index !== undefined) {
      held.push({ turn: held.filter((each) => piecesOf(each.item)[0]?.index === index).length, item });
      continue;
    }
    for (const { item: piece } of held.splice(0).toSorted((a, b) => a.turn - b.turn)) {
      yield piece;
    }
    yield item;
  }
}

function callsTools(chunk: Chunk): boolean {
  return chunk.choices[0]?.finish_reason === 'tool_calls';
}

/** Replaces the finish reason of a reply that calls tools, and changes the other chunks. */
function endsWith(reason: string, replace: (chunk: Chunk) => readonly Item[] = (chunk) => [chunk]) {
  return eachChunk((chunk) =>
    callsTools(chunk)
      ? [{ ...chunk, choices: chunk.choices.map((choice) => ({ ...choice, finish_reason: reason })) }]
      : replace(chunk),
  );
}

/** Tool calls in the formats of other vendors. A scripted model calls the tools that the question names. */
export const toolFaults: Rows = {
  'tools-from-one 1.3 the index of tool calls starts at 1': {
    items: eachPiece((piece) => ({ ...piece, index: piece.index + 1 })),
  },
  'tools-name-late Q35 the name of a tool call comes with its arguments, the id alone before it': {
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
  'tools-whole Q35 tool calls whole in one chunk, without index, with an empty id': {
    items: wholeCalls((call) => ({
      id: '',
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  },
  'tools-object 1.3 the arguments of a tool call are an object, not text': {
    items: wholeCalls(({ index, id, name, arguments: text }) => ({
      index,
      id,
      function: { name, arguments: JSON.parse(text) as unknown },
    })),
  },
  'tools-cut 1.2 the token limit cuts the arguments: half a JSON document, finish_reason length': {
    items: endsWith('length', (chunk) =>
      piecesOf(chunk).some((piece) => piece.function.arguments.includes('}')) ? [] : [chunk],
    ),
  },
  'tools-finish-stop 1.2 finish_reason stop although tools were called': { items: endsWith('stop') },
  'tools-no-index Q35 no index; the id stands on the first piece of each call alone': {
    items: eachPiece(({ index: _, ...piece }) => piece),
  },
  'tools-wrong-index Q35 the arguments come under the index of the next call, without an id': {
    items: eachPiece((piece) => (piece.id === undefined ? { ...piece, index: piece.index + 1 } : piece)),
  },
  'tools-interleaved Q35 the pieces of all calls take turns': { items: interleavedCalls },
  'tools-legacy 1.3 function_call in place of tool_calls, for the first call': {
    items: endsWith('function_call', (chunk) => {
      const calls = piecesOf(chunk);
      const first = calls.find((piece) => piece.index === 0);
      const legacy = first === undefined ? [] : [deltaChunk(chunk, { function_call: first.function })];
      return calls.length === 0 ? [chunk] : legacy;
    }),
  },
  'tools-signature 1.3 a thought signature on the call; 400 when it is not sent back with it': {
    on: 'chat',
    answer: ({ body }) => {
      const words = 'Function call is missing a thought_signature in functionCall parts.';
      return isUnsigned(JSON.parse(body) as SignedBody)
        ? { status: 400, body: error(words, 'invalid_argument', 'invalid_request_error') }
        : undefined;
    },
    items: wholeCalls((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
      extra_content: { google: { thought_signature: signature } },
    })),
  },
};
