import type * as vscode from 'vscode';
import type { Conversation, Draft, Reply } from '../../core/chat/conversation/conversation.ts';
import { messagesFor, unsentMessages } from '../../core/chat/conversation/messagesFor.ts';
import { requestDocument, type SeenCall, sentMessages } from '../../core/chat/conversation/requestDocument.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { type ChatRequest, chatBody } from '../../core/client/chatRequest.ts';
import type { RequestDocuments } from './requestDocuments.ts';

export type ShowRequestDeps = {
  /** The call that a request would be now; see `seeCall`. */
  readonly seeCall: (request: ChatRequest) => Promise<SeenCall>;
  readonly store: Pick<ConversationStore, 'read'>;
};

type Place = { readonly documents: Pick<RequestDocuments, 'show'>; readonly column: vscode.ViewColumn };

const noModel = '<no model is chosen>';
const noQuestion = '<no question is typed>';

/** Shows what *Send* would send now. Sends nothing; what is still missing is said and stands as a word in brackets. */
export async function showNextRequest(
  conversation: Conversation,
  draft: Draft,
  model: string | undefined,
  { seeCall }: ShowRequestDeps,
  { documents, column }: Place,
): Promise<void> {
  const hasQuestion = draft.text.trim() !== '';
  const messages = unsentMessages(conversation, hasQuestion ? draft : { ...draft, text: noQuestion });
  const request = { model: model ?? noModel, messages };
  const seen = await seeCall(request);
  const missing = [
    ...('missing' in seen ? [seen.missing] : []),
    ...(model === undefined ? ['No model is chosen yet.'] : []),
    ...(hasQuestion ? [] : ['No question is typed yet.']),
  ];
  const text = requestDocument({
    about: ['What Send would send now. Nothing has been sent.'],
    missing,
    body: seen.call?.body ?? chatBody(request),
    ...facts(seen),
  });
  await documents.show('Next Request', conversation.id, text, column);
}

/** Shows what was sent for a reply, by the conversation's record. */
export async function showSentRequest(
  chat: Chat,
  replyId: string,
  { seeCall, store }: ShowRequestDeps,
  { documents, column }: Place,
): Promise<void> {
  const { id, turns } = chat.conversation;
  const turn = turns.find(({ replies }) => replies.some((each) => each.id === replyId));
  const reply = turn?.replies.find((each) => each.id === replyId);
  if (turn === undefined || reply === undefined) {
    return;
  }
  await chat.settled();
  const file = await store.read(id);
  const recorded = file === undefined ? undefined : sentMessages(id, file, replyId);
  const messages = recorded ?? messagesFor(chat.conversation, turn.id);
  const request = { model: reply.model, messages, ...optionOf(reply) };
  const seen = await seeCall(request);
  const isSameHost = seen.call !== undefined && new URL(seen.call.url).host === reply.host;
  const sentAt = new Date(reply.startedAt).toISOString().slice(0, 19).replace('T', ' ');
  const text = requestDocument({
    about: [
      `What was sent to ${reply.model} at ${reply.host} on ${sentAt} UTC.`,
      ...(reply.requestId === undefined ? [] : [`The gateway calls it request ${reply.requestId}.`]),
      recorded
        ? 'Model and messages are those of the conversation’s record.'
        : 'The record of this conversation can not be read: the messages are those it shows now.',
      isSameHost
        ? 'Address, headers and options are those the connection has now.'
        : 'It went by another connection than the one in use now, so its address and headers are not shown.',
    ],
    missing: [],
    body: (isSameHost ? seen.call : undefined)?.body ?? chatBody(request),
    ...(isSameHost ? facts(seen) : 'key' in seen && { key: seen.key }),
  });
  await documents.show('Sent Request', replyId, text, column);
}

/** That it was rejected for asking for the token counts says that it asked. */
function optionOf({ problem }: Reply): { withoutUsage?: boolean } {
  return problem?.kind === 'usageOptionRejected' ? { withoutUsage: false } : {};
}

function facts(seen: SeenCall): Pick<Parameters<typeof requestDocument>[0], 'call' | 'key'> {
  return { ...(seen.call && { call: seen.call }), ...('key' in seen && { key: seen.key }) };
}
