import type { ChatRequest } from '../../client/chatRequest.ts';
import type { ReplyEnd } from '../../client/gatewayClient.ts';
import type { ReplyDelta } from '../../reply/replyContent.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { WriterPorts } from '../store/conversationWriter.ts';

/** The way to a gateway, ready to go: the key is already inside of `send` and nowhere else. Each `send` is one call. */
export type Sender = {
  readonly host: string;
  send(request: ChatRequest, onDelta: (delta: ReplyDelta) => void, signal: AbortSignal): Promise<ReplyEnd>;
};

/** Finds out where a question goes now, or says in words why it can not go. */
export type FindSender = () => Promise<{ ok: true; sender: Sender } | { ok: false; reason: string }>;

export type Sent =
  | { readonly ok: true }
  /**
   * `otherHost` is set when only the person's word is missing: it would go to another gateway than before. `isStopped`
   * is set when the person decided it, and needs no message.
   */
  | { readonly ok: false; readonly reason: string; readonly otherHost?: string; readonly isStopped?: true };

export type ChatPorts = WriterPorts & {
  readonly findSender: FindSender;
  /** The conversation as it is kept, with what another window added to it; undefined when it is not kept. */
  readonly reread: () => Promise<Conversation | undefined>;
  /** See `ConversationStore.claim`. */
  readonly claim: () => Promise<(() => void) | undefined>;
  /** Told what nobody expected. */
  readonly onDefect: (error: unknown) => void;
};
