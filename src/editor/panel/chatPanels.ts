import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { lastReply, type Reply } from '../../core/chat/conversation/conversation.ts';
import type { FindSender } from '../../core/chat/sending/callGate.ts';
import { type Chat, type NotSent, type Sent, stoppedInTime } from '../../core/chat/sending/chat.ts';
import { type CommandQuestion, PaidCalls } from '../sending/paidCalls.ts';
import type { EditSettings } from '../settingFiles/questionSettings.ts';
import { ChatPanel, openSurface } from './chatPanel.ts';
import type { Loaded, LoadedConversations } from './loadedConversations.ts';
import type { PanelParts } from './panelUpdates.ts';
import type { UnreadAnswers } from './unreadAnswers.ts';

/** The state that the panel's page saves for when the window is restored. */
const panelState = z.object({ conversation: z.string().check(z.regex(/^[\w-]{1,64}$/)) });

/**
 * Opens, restores and shows the panels of conversations. Closing a panel does not stop a running reply, because it is
 * paid for: it is received to its end and stored.
 */
export class ChatPanels {
  /** The conversations in memory, with or without a panel. */
  readonly conversations: LoadedConversations;
  readonly #parts: PanelParts;
  readonly #unread: UnreadAnswers;
  readonly #dist: vscode.Uri;
  /** The panel that `browse` opened last. */
  #browsed: ChatPanel | undefined;

  /** @param dist the folder of the build, with the panel's script and styles. */
  constructor(conversations: LoadedConversations, unread: UnreadAnswers, parts: PanelParts, dist: vscode.Uri) {
    this.conversations = conversations;
    this.#unread = unread;
    this.#parts = parts;
    this.#dist = dist;
  }

  /**
   * Sends a question in a new conversation, or in a panel where nothing was asked or typed yet. Each model is a paid
   * call.
   *
   * @param focus what has the focus afterwards.
   * @param continues asks in the shown conversation instead, and its model, if that is ready for another question.
   */
  async ask(asked: CommandQuestion, focus: 'panel' | 'editor', continues: boolean): Promise<Sent> {
    // Opening a panel keeps VS Code from answering for a tenth of a second, so the key is read before.
    const sender = await this.#findSender();
    if ('reason' in sender) {
      return sender;
    }
    const preserveFocus = focus === 'editor' && vscode.window.activeTextEditor !== undefined;
    const shown = continues && this.shown?.canAskNext ? this.shown : undefined;
    const open = shown ?? this.conversations.panels.findLast(({ isUnused }) => isUnused);
    open?.surface.reveal(undefined, preserveFocus);
    const panel = open ?? this.#openNew(preserveFocus);
    return panel.calls.ask({ ...asked, model: shown?.calls.model ?? asked.model }, sender);
  }

  /** Reads the key once. @returns why nothing can be sent, when the person cancelled what was missing. */
  async #findSender(): Promise<FindSender | NotSent> {
    const { senders, ensureConnected } = this.#parts.gateways;
    let sender = senders.find();
    const found = await sender.catch(() => undefined);
    if (found?.ok === false) {
      if (!(await ensureConnected())) {
        return { ...found, isStopped: true };
      }
      sender = senders.find();
      await sender.catch(() => undefined);
    }
    return () => sender;
  }

  /**
   * Asks in a new conversation without a panel, for an answer that is used where it was asked for. It's a paid call.
   *
   * @param signal stops it. What has arrived by then stays in the conversation.
   * @returns the conversation and the reply, which has ended; or why nothing was sent.
   */
  async askUnseen(
    asked: CommandQuestion,
    signal: AbortSignal,
  ): Promise<{ readonly chat: Chat; readonly reply: Reply } | NotSent> {
    const sender = await this.#findSender();
    if ('reason' in sender || signal.aborted) {
      return 'reason' in sender ? sender : stoppedInTime();
    }
    const { gateways, shared, unscanned } = this.#parts;
    const loaded = this.conversations.create();
    loaded.isUsedElsewhere = true;
    const { chat } = loaded;
    signal.addEventListener('abort', () => chat.stop(), { once: true });
    const ended = new Promise<void>((resolve) => {
      chat.live.onDidChange(({ type }) => type === 'end' && resolve());
    });
    // Without a panel, a review is a list.
    const calls = new PaidCalls(chat, gateways, shared.log, unscanned, () => false);
    const sent = await calls.ask(asked, sender, true);
    if (!sent.ok) {
      void this.conversations.unloadIfUnused(loaded);
      return sent;
    }
    await ended;
    loaded.isUsedElsewhere = false;
    const reply = lastReply(chat.live.conversation);
    return reply ? { chat, reply } : stoppedInTime();
  }

  /**
   * Shows the last conversation in which nothing was asked yet, or a new one, with the cursor in its question box. Sends
   * nothing.
   */
  async prepare(contexts: readonly CodeContext[], models: readonly string[]): Promise<void> {
    const panel = this.conversations.panels.findLast(({ isUnasked }) => isUnasked) ?? this.#openNew();
    panel.calls.prepare(contexts, models);
    panel.focusQuestionBox();
  }

  /** Includes files in the next question of the visible panel. Without one, `prepare` says which panel is used. */
  async addFiles(uris: readonly vscode.Uri[]): Promise<void> {
    const { panels } = this.conversations;
    await (this.shown ?? panels.findLast(({ isUnasked }) => isUnasked) ?? this.#openNew()).addFiles(uris);
  }

  /** Opens a new conversation, or shows one that is still unused. */
  startNew(): void {
    const panel = this.conversations.panels.findLast(({ isUnused }) => isUnused) ?? this.#openNew();
    panel.focusQuestionBox();
  }

  /** Shows the panel that is active or visible, or else any, with the cursor in its question box. */
  focusQuestionBox(): void {
    (this.shown ?? this.conversations.panels.at(-1) ?? this.#openNew()).focusQuestionBox();
  }

  /**
   * Shows a conversation. If the shown panel was opened by this method and nothing was asked in it since, it is closed,
   * so that going through many conversations leaves one panel.
   *
   * @returns false when the conversation no longer exists.
   */
  async browse(id: string): Promise<boolean> {
    const left = this.shown;
    const openBefore = this.conversations.panels;
    if (!(await this.show(id))) {
      return false;
    }
    if (left !== undefined && left === this.#browsed && left.id !== id && !left.hasAsked) {
      left.surface.dispose();
    }
    this.#browsed = this.conversations.panels.find((panel) => panel.id === id && !openBefore.includes(panel));
    return true;
  }

  /** Opens a new conversation with a question in its composer, for the person to send. */
  offer(question: string, contexts: readonly CodeContext[], model: string): void {
    this.#openNew().calls.offer(question, contexts, model);
  }

  /** Restores a panel after the window was reloaded. */
  async restore(surface: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { data } = z.safeParse(panelState, state);
    const loaded = data ? await this.conversations.load(data.conversation) : this.conversations.create();
    if (loaded === undefined) {
      // It was deleted, or is not kept.
      surface.dispose();
    } else if (loaded.panel) {
      surface.dispose();
      loaded.panel.surface.reveal();
    } else {
      this.#panel(loaded, surface);
    }
  }

  /**
   * Shows a conversation, in its panel if it has one.
   *
   * @param place id of a turn or of a reply to scroll to.
   * @param preserveFocus leaves the focus in the conversations view.
   * @returns false when the conversation no longer exists.
   */
  async show(id: string, place?: string, preserveFocus = false): Promise<boolean> {
    const loaded = await this.conversations.load(id);
    if (loaded === undefined) {
      return false;
    }
    loaded.panel?.surface.reveal(undefined, preserveFocus);
    const panel = loaded.panel ?? this.#open(loaded, preserveFocus);
    if (place !== undefined) {
      panel.leadTo(place);
    }
    return true;
  }

  /** Shows a conversation with the cursor in its question box. */
  async askFurther(id: string): Promise<void> {
    await this.show(id);
    this.conversations.panels.find((panel) => panel.id === id)?.focusQuestionBox();
  }

  /** Lets the person edit the system prompt or the parameters: of the visible conversation, or others without one. */
  async editSettings(edit: EditSettings): Promise<void> {
    const { gateways, questionSettings } = this.#parts;
    await (this.shown?.editSettings(edit) ?? questionSettings[edit](undefined, gateways.catalogue.modelToAsk));
  }

  /** The panel that is active or visible. */
  get shown(): ChatPanel | undefined {
    const { panels } = this.conversations;
    return panels.find(({ surface }) => surface.active) ?? panels.findLast(({ surface }) => surface.visible);
  }

  #openNew(preserveFocus = false): ChatPanel {
    return this.#open(this.conversations.create(), preserveFocus);
  }

  /** Opens a panel in the group of the other panels; the first one where the setting says. */
  #open(loaded: Loaded, preserveFocus: boolean): ChatPanel {
    const column = this.conversations.panels[0]?.surface.viewColumn;
    return this.#panel(loaded, openSurface(column, preserveFocus));
  }

  #panel(loaded: Loaded, surface: vscode.WebviewPanel): ChatPanel {
    const panel = new ChatPanel(surface, loaded.chat, this.#parts, this.#dist);
    loaded.panel = panel;
    const noteShown = () => surface.visible && this.#unread.remove(panel.id);
    noteShown();
    surface.onDidChangeViewState(noteShown);
    surface.onDidDispose(() => {
      panel.dispose();
      void this.conversations.closed(loaded);
    });
    return panel;
  }
}
