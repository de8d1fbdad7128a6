import type { CodeContext } from '../../core/chat/context/prompt.ts';
import type { Draft } from '../../core/chat/conversation/conversation.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';

/** What stands in a panel's composer: the draft, or an earlier question that is being edited. */
export class ComposerDraft {
  readonly #chat: Chat;

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  /** Id of the turn whose question is being edited. */
  get editing(): string | undefined {
    return this.#chat.conversation.edit?.turnId;
  }

  get current(): Draft {
    const { draft, edit } = this.#chat.conversation;
    return edit ? { text: edit.text, contexts: edit.contexts } : draft;
  }

  /** @param editing of which turn the text is; that of another one is none of this draft. */
  setText(text: string, editing: string | undefined): void {
    if (editing === this.editing) {
      this.#chat.setDraft({ ...this.current, text });
    }
  }

  setContexts(contexts: readonly CodeContext[]): void {
    this.#chat.setDraft({ ...this.current, contexts });
  }
}
