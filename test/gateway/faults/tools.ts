import { error } from './answers.ts';
import type { Rows } from './fault.ts';
import { type Chunk, deltaChunk, eachChunk, finishes } from './items.ts';

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
  readonly id?: string;
  readonly function: { readonly arguments: string };
}

const piecesOf = ({ choices }: Chunk) => (choices[0]?.delta.tool_calls ?? []) as readonly Piece[];

/** Tool calls as some vendors send them. A scripted model calls the tools that the question names. */
export const toolFaults: Rows = {
  'tools-cut 1.2 the token limit cuts the arguments: half a JSON document, finish_reason length': {
    items: (items) =>
      finishes('length')(
        eachChunk((chunk) => (piecesOf(chunk).some((piece) => piece.function.arguments.includes('}')) ? [] : [chunk]))(
          items,
        ),
      ),
  },
  'tools-signature 1.3 a thought signature on the call; 400 when it is not sent back with it': {
    on: 'chat',
    answer: ({ body }) => {
      const words = 'Function call is missing a thought_signature in functionCall parts.';
      return isUnsigned(JSON.parse(body) as SignedBody)
        ? { status: 400, body: error(words, 'invalid_argument', 'invalid_request_error') }
        : undefined;
    },
    // The first piece of a call has its id.
    items: eachChunk((chunk) => {
      const pieces = piecesOf(chunk).map((piece) =>
        piece.id === undefined ? piece : { ...piece, extra_content: { google: { thought_signature: signature } } },
      );
      return [pieces.length === 0 ? chunk : deltaChunk(chunk, { tool_calls: pieces })];
    }),
  },
};
