import type { ChatCall } from '../../client/chatCall.ts';
import type { ChatMessage } from '../../client/chatRequest.ts';
import { stepsOf } from './conversationRecord.ts';
import { messagesFor } from './messagesFor.ts';

/** Stands for the key wherever a call is shown. */
export const maskedKey = '[key]';

/** A call as far as it can be made now, with the mask for its key, and what it lacks. */
export type SeenCall =
  | { readonly call: ChatCall; readonly key: string }
  | { readonly call?: ChatCall; readonly missing: string };

/** What *Show Request* prints. */
export type ShownRequest = {
  /** What this is, and where the facts are from: sentences, a line each. */
  readonly about: readonly string[];
  /** What the call still lacks, a sentence each. */
  readonly missing: readonly string[];
  /** Without it the address and the headers are not known. */
  readonly call?: Pick<ChatCall, 'method' | 'url' | 'headers'>;
  /** The exact text of the body. */
  readonly body: string;
  /** The key itself: a text that goes along may hold it. */
  readonly key?: string;
};

/**
 * A chat call to be read: what it is, method, address and headers as comments, then the body as JSON that is laid out
 * over lines. `JSON.stringify` of that JSON is the body again, byte for byte. The key is never in it.
 */
export function requestDocument({ about, missing, call, body, key }: ShownRequest): string {
  const bytes = new TextEncoder().encode(body).length;
  const shownBody = JSON.stringify(JSON.parse(body), undefined, 2);
  const shown = key === undefined || key === '' ? shownBody : shownBody.replaceAll(escaped(key), maskedKey);
  const lines = [
    ...about,
    ...missing.map((each) => `Missing: ${each}`),
    ...(shown === shownBody
      ? []
      : [
          `Your key itself stands in the text of this conversation, and would go out with it. Here it is ${maskedKey}.`,
        ]),
    '',
    ...(call ? callLines(call, bytes) : []),
    `Body: ${bytes.toLocaleString('en-US')} bytes, one line of JSON. It is laid out here for reading; nothing is left out.`,
  ];
  return `${lines.map(comment).join('\n')}\n${shown}\n`;
}

function callLines({ method, url, headers }: Pick<ChatCall, 'method' | 'url' | 'headers'>, bytes: number): string[] {
  return [
    `${method} ${url}`,
    '',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    'The connection itself adds what HTTP needs:',
    `host: ${new URL(url).host}`,
    'accept-encoding: identity',
    `content-length: ${bytes}`,
    '',
  ];
}

function comment(text: string): string {
  return `// ${text.replace(/[\r\n\u2028\u2029]+/g, ' ')}`.trimEnd();
}

/** As it stands inside of a string of JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * The messages that went out for a reply: read from the record up to the moment of sending, so that what was chosen or
 * said since changes nothing.
 *
 * @param file the conversation as it is kept.
 * @returns undefined when the record has no such reply.
 */
export function sentMessages(id: string, file: string, replyId: string): ChatMessage[] | undefined {
  for (const { event, conversation } of stepsOf(id, file)) {
    if (event?.type === 'reply' && event.id === replyId) {
      return messagesFor(conversation, event.turnId);
    }
  }
  return undefined;
}
