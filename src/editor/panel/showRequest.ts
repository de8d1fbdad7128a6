import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Draft } from '../../core/chat/conversation/conversation.ts';
import { messagesFor, unsentMessages, withSystemPrompt } from '../../core/chat/conversation/messagesFor.ts';
import { requestDocument, sentMessages } from '../../core/chat/conversation/requestDocument.ts';
import { requestOptions, sentPrompt } from '../../core/chat/conversation/sentParameters.ts';
import type { LiveConversation } from '../../core/chat/sending/liveConversation.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { chatBody } from '../../core/client/gatewayClient.ts';
import type { Gateways } from '../sending/paidCalls.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';

/** Where documents are shown. */
type Place = { readonly documents: Pick<ShownTexts, 'show'>; readonly column: vscode.ViewColumn };

/** Shows what *Send* would send now, and sends nothing. Missing parts are listed, with placeholders in the request. */
export async function showNextRequest(
  { conversation, withoutSecrets }: Pick<LiveConversation, 'conversation' | 'withoutSecrets'>,
  draft: Draft,
  model: string | undefined,
  { senders, connections, keys }: Gateways,
  { documents, column }: Place,
): Promise<void> {
  const hasQuestion = draft.text.trim() !== '';
  const question = hasQuestion ? draft : { ...draft, text: l10n.t('<no question>') };
  const systemPrompt = withoutSecrets(sentPrompt(conversation, connections.active, model)?.text);
  const messages = unsentMessages(conversation, question, systemPrompt);
  const options = withoutSecrets(requestOptions(conversation, connections.active, model));
  const content = keys.withoutIn({ messages, options });
  const request = { model: model ?? l10n.t('<no model>'), ...content };
  const preview = await senders.preview(request);
  const call = typeof preview === 'string' ? undefined : preview;
  const missing = [
    ...(typeof preview === 'string' ? [preview] : []),
    ...(model === undefined ? [l10n.t('No model is selected.')] : []),
    ...(hasQuestion ? [] : [l10n.t('No question is entered.')]),
  ];
  const about = [l10n.t('The request that Send would make now. Nothing has been sent.')];
  const text = requestDocument(about, missing, call?.body ?? chatBody(request), call);
  await documents.show(`${l10n.t('Next Request')}.jsonc`, conversation.id, text, column);
}

/** Shows the request of a reply, with the messages of the conversation's record. */
export async function showSentRequest(
  live: LiveConversation,
  replyId: string,
  { senders, keys }: Gateways,
  store: Pick<ConversationStore, 'read'>,
  { documents, column }: Place,
): Promise<void> {
  const { id } = live.conversation;
  const turn = live.turnOf(replyId);
  const reply = turn?.replies.find((each) => each.id === replyId);
  if (turn === undefined || reply === undefined) {
    return;
  }
  await live.settled();
  const file = await store.read(id);
  const recorded = file === undefined ? undefined : sentMessages(id, file, replyId);
  const messages = recorded ?? withSystemPrompt(reply.systemPrompt, messagesFor(live.conversation, turn.id, reply));
  const { model, options } = reply;
  const content = keys.withoutIn({ messages, options });
  const request = { model, ...content };
  const preview = await senders.preview(request);
  const call = typeof preview !== 'string' && new URL(preview.url).host === reply.host ? preview : undefined;
  const sentAt = new Date(reply.startedAt).toISOString().slice(0, 19).replace('T', ' ');
  const about = [
    l10n.t('The request that was sent to {0} at {1} on {2} UTC.', model, reply.host, sentAt),
    ...(reply.requestId === undefined ? [] : [l10n.t('Request ID: {0}.', reply.requestId)]),
    recorded
      ? l10n.t('The model and the messages are from the stored conversation.')
      : l10n.t("The stored conversation can't be read, so these are the messages shown now."),
    call
      ? l10n.t('The address, headers, and options are those of the active connection.')
      : l10n.t("Its connection isn't active or not ready, so its address and headers aren't shown."),
  ];
  const text = requestDocument(about, [], call?.body ?? chatBody(request), call);
  await documents.show(`${l10n.t('Sent Request')}.jsonc`, replyId, text, column);
}
