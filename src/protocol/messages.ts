/**
 * The messages between the extension host and the conversation panel.
 *
 * All state is in the host; the panel only shows it. The panel sends `ready`, the host answers with one `snapshot`, and
 * sends updates from then on. Every message from the panel is parsed here before it is used: the panel shows text
 * written by models and is not trusted. The panel imports only types from this file, because zod would be larger at run
 * time than all of the panel's own code.
 */
import * as z from 'zod/mini';
import {
  type ComposerView,
  codeActions,
  type FoundView,
  type ReplyUpdate,
  type TurnView,
  troubleActions,
} from './views.ts';

/** A message from the host. The panel ignores a `delta` or a `reply` with an id it does not know. */
export type HostMessage =
  | {
      readonly type: 'snapshot';
      readonly title: string;
      readonly turns: readonly TurnView[];
      readonly composer: ComposerView;
    }
  | { readonly type: 'turn'; readonly turn: TurnView }
  | { readonly type: 'delta'; readonly replyId: string; readonly text: string; readonly reasoning: string }
  | { readonly type: 'reply'; readonly reply: ReplyUpdate }
  | { readonly type: 'composer'; readonly composer: ComposerView }
  /**
   * The text in the composer changes only with these two, and when editing begins or ends, so that no other update
   * overwrites what the person is typing.
   */
  | { readonly type: 'sent'; readonly sendId: string }
  /** `isNote`: the person stopped or cancelled it. */
  | { readonly type: 'notSent'; readonly sendId: string; readonly reason: string; readonly isNote?: true }
  | { readonly type: 'focus' }
  /** Answers `findContext` and `findPrompts`; sent again when more is known. The page ignores all but its last request. */
  | { readonly type: 'found'; readonly request: number; readonly rows: readonly FoundView[] }
  /** Answers `addFound` of a prompt: its text replaces its name. Without text, the person cancelled. */
  | { readonly type: 'prompt'; readonly id: string; readonly text?: string }
  /** Says why a row can't be included. `isNote`: nothing failed, but something was left out or has no effect. */
  | { readonly type: 'notAdded'; readonly reason: string; readonly isNote?: true }
  /** Scrolls to this turn. */
  | { readonly type: 'leadTo'; readonly turnId: string }
  /** Answers `ping`: the host is running. */
  | { readonly type: 'alive' };

const index = z.number().check(z.int(), z.minimum(0), z.maximum(100_000));
/** The same limit as that of a file. */
const pastedText = z.string().check(z.maxLength(400_000));
/** A URI, or an id that contains one. */
const uri = z.string().check(z.maxLength(40_000));
const count = z.number().check(z.int(), z.minimum(0));
const id = z.string().check(z.minLength(1), z.maxLength(64));
/** Longer than any question a model accepts, short enough that a broken panel can't fill the host's memory. */
const text = z.string().check(z.maxLength(8_000_000));

/**
 * A message from the panel. `sendId` is created once for each click or Enter, so that no action is paid for twice.
 * `editing` is the id of the turn whose question the text is, so that it isn't mistaken for another question.
 */
export const panelMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('ping') }),
  /**
   * `secrets` is what the person chose for what looks like secrets. `host` is the gateway that the line above the box
   * said the conversation is sent to, so that no dialog says it once more.
   */
  z.object({
    type: z.literal('send'),
    sendId: id,
    text,
    editing: z.optional(id),
    secrets: z.optional(z.enum(['mask', 'asIs'])),
    host: z.optional(z.string()),
  }),
  /** `replyId` may also be the `sendId` of a `send` or `act` that has no reply yet: then that action is stopped. */
  z.object({ type: z.literal('stop'), replyId: id }),
  z.object({ type: z.literal('stopAll') }),
  /** `replyId` is set where replies are side by side. */
  z.object({
    type: z.literal('act'),
    sendId: id,
    turnId: id,
    replyId: z.optional(id),
    action: z.enum(troubleActions),
  }),
  z.object({ type: z.literal('edit'), turnId: id }),
  z.object({ type: z.literal('cancelEdit') }),
  /** Makes the connection active again that the conversation was with. */
  z.object({ type: z.literal('switchBack') }),
  z.object({ type: z.literal('chooseReply'), replyId: id }),
  z.object({ type: z.literal('chooseTurn'), turnId: id }),
  /** Chooses the reply of a comparison that the conversation continues from. */
  z.object({ type: z.literal('keep'), replyId: id }),
  z.object({ type: z.literal('compareAgain'), turnId: id }),
  z.object({ type: z.literal('copy'), text }),
  /** `block` is the index of the code block in the reply; `fence` is the info string after its opening backticks. */
  z.object({
    type: z.literal('useCode'),
    action: z.enum(codeActions),
    replyId: id,
    block: index,
    fence: z.string().check(z.maxLength(1_000)),
    text,
  }),
  z.object({ type: z.literal('openLink'), href: z.string().check(z.maxLength(8_192)) }),
  z.object({ type: z.literal('chooseModel') }),
  z.object({ type: z.literal('addContext') }),
  /** Finds what the letters after `#` in the question box may mean. `request` grows with each of them. */
  z.object({ type: z.literal('findContext'), request: count, query: z.string().check(z.maxLength(500)) }),
  /** Finds the prompts that the letters after `/` at the start of the question box may mean. */
  z.object({ type: z.literal('findPrompts'), request: count, query: z.string().check(z.maxLength(500)) }),
  /** Includes a row that was found last, searches with it, or runs it if it's a prompt. */
  z.object({ type: z.literal('addFound'), id: uri }),
  /** Includes files that were dropped, by their URIs. */
  z.object({ type: z.literal('addFiles'), uris: z.array(uri).check(z.maxLength(1_000)) }),
  /** Includes code that was copied from an editor, with the id of its language. */
  z.object({ type: z.literal('addPasted'), text: pastedText, language: z.string().check(z.maxLength(100)) }),
  /** Includes a file that the composer offers. */
  z.object({ type: z.literal('addOffered'), id: uri }),
  z.object({ type: z.literal('editSystemPrompt') }),
  z.object({ type: z.literal('editParameters') }),
  /** Removes the context that has secrets. */
  z.object({ type: z.literal('leaveOutSecrets') }),
  /** Never again looks for secrets in the file that has them now. */
  z.object({ type: z.literal('neverScanFile') }),
  z.object({ type: z.literal('removeChip'), id }),
  /** Shows where a piece of context comes from. */
  z.object({ type: z.literal('openChip'), id }),
  z.object({ type: z.literal('draft'), text, editing: z.optional(id) }),
  /** These two open a document and send nothing: the request that Send would make, and the request of a reply. */
  z.object({ type: z.literal('showRequest'), text, editing: z.optional(id) }),
  z.object({ type: z.literal('showSent'), replyId: id }),
  z.object({ type: z.literal('broken'), message: z.string().check(z.maxLength(4_000)) }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;
