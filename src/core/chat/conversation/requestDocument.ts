import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import type { ChatCall, ChatMessage } from '../../client/gatewayClient.ts';
import { ConversationRecord, emptyConversation, eventsIn } from './conversationRecord.ts';
import { messagesFor, withSystemPrompt } from './messagesFor.ts';

/** Replaces the key wherever a call is shown. */
export const maskedKey = '[key]';

/**
 * A chat call for reading: what it is, method, address and headers as comments, then the body as indented JSON.
 * `JSON.stringify` of that JSON gives the body again, byte for byte. The key is masked.
 *
 * @param about what is shown, and where the facts are from: sentences, one for each line.
 * @param missing what the call still lacks, one sentence each.
 * @param body the exact text, without keys.
 */
export function requestDocument(
  about: readonly string[],
  missing: readonly string[],
  body: string,
  call: ChatCall | undefined,
): string {
  const bytes = new TextEncoder().encode(body).length;
  const lines = [
    ...about,
    ...missing.map((each) => l10n.t("Can't be sent yet: {0}", each)),
    '',
    ...(call ? callLines(call, bytes) : []),
    l10n.t(
      "Body: {0} bytes, sent as one line of JSON. It's formatted here for reading; nothing is omitted.",
      numberText(bytes),
    ),
  ];
  return `${lines.map(comment).join('\n')}\n${JSON.stringify(JSON.parse(body), undefined, 2)}\n`;
}

function callLines({ method, url, headers }: Pick<ChatCall, 'method' | 'url' | 'headers'>, bytes: number): string[] {
  return [
    `${method} ${url}`,
    '',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    l10n.t('Headers added by the connection:'),
    `host: ${new URL(url).host}`,
    'accept-encoding: identity',
    `content-length: ${bytes}`,
    '',
  ];
}

function comment(text: string): string {
  return `// ${text.replace(/[\r\n\u2028\u2029]+/g, ' ')}`.trimEnd();
}

/**
 * The messages that were sent for a reply: read from the events up to the moment of sending, so that later choices and
 * questions change nothing.
 *
 * @param file the stored text of the conversation.
 * @returns undefined when the text has no such reply.
 */
export function sentMessages(id: string, file: string, replyId: string): ChatMessage[] | undefined {
  const record = new ConversationRecord(emptyConversation(id, 0));
  for (const event of eventsIn(file)) {
    if (event) {
      record.apply(event);
    }
    if (event?.type === 'reply' && event.id === replyId) {
      return withSystemPrompt(event.systemPrompt, messagesFor(record.conversation, event.turnId, event));
    }
  }
  return undefined;
}
