import type { ChatRequest } from '../../client/chatRequest.ts';

import type { ConnectionDefaults } from '../../connections/connection.ts';
import type { ReplyDelta } from '../../reply/replyContent.ts';
import type { KeyRemover } from '../../secrets/keyRemover.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { LockHolder } from '../store/conversationStore.ts';
import type { WriterPorts } from '../store/conversationWriter.ts';
import type { CallOrigin, PaidEnd } from './callGate.ts';

/** A connection that is ready to send. Its key is held only inside `send`. Each `send` is one paid call. */
export type Sender = {
  readonly host: string;
  /** What is set for the connection and its models; by default nothing is. */
  readonly defaults?: ConnectionDefaults;
  send(
    request: ChatRequest,
    origin: CallOrigin,
    onDelta: (delta: ReplyDelta) => void,
    signal: AbortSignal,
  ): Promise<PaidEnd>;
};

/** Finds the connection for a question, or the reason why it can't be sent, as a sentence. */
export type FindSender = () => Promise<{ ok: true; sender: Sender } | { ok: false; reason: string }>;

/** The result of an action. */
export type Sent =
  | { readonly ok: true }
  /**
   * `otherHost` is set when only the person's consent is missing, because the question would go to another gateway than
   * before. `isStopped` is set when the person stopped or cancelled the action, so that the reason is no error. `isOutdated` is set when
   * the question would follow another turn than the person expects.
   */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly otherHost?: string;
      readonly isStopped?: true;
      readonly isOutdated?: true;
    };

export type ChatPorts = WriterPorts & {
  readonly findSender: FindSender;
  /** The stored conversation, with what another window added to it; undefined when it is not stored. */
  readonly reread: () => Promise<Conversation | undefined>;
  /** See `ConversationStore`. Called when the question is stored. */
  readonly isOnDisk: () => Promise<boolean>;
  /** See `ConversationStore.lock`. */
  readonly lock: () => Promise<(() => void) | LockHolder>;
  /** Whether secrets are looked for in the context of the file with this address; by default they are. */
  readonly isScanned?: (uri: string) => boolean;
  /** A random part for the masks of secrets: 12 small letters and digits. */
  readonly maskSuffix: () => string;
  /** Removes the keys of connections from what is stored and sent. Without it, none are known. */
  readonly keys?: KeyRemover;
  /** Reports an error that is a defect of the extension. */
  readonly onDefect: (error: unknown) => void;
};
