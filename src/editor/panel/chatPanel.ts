import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { localization } from '../../core/base/localization.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import { isUndecided } from '../../core/chat/conversation/comparison.ts';
import { titleOf } from '../../core/chat/conversation/conversation.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { conversationViewType } from '../ui/registrations.ts';
import { escaped, webviewPage } from '../ui/webviewPage.ts';
import { PaidCalls } from './paidCalls.ts';
import type { PanelParts } from './panelParts.ts';
import { PanelRequests } from './panelRequests.ts';
import { PanelUpdates } from './panelUpdates.ts';
import { ComparisonLayout } from './panelView.ts';

/** The panel of one conversation. It has no state of the conversation, so hiding or closing it loses nothing. */
export class ChatPanel implements vscode.Disposable {
  /** VS Code's panel. Disposing it closes the panel. */
  readonly surface: vscode.WebviewPanel;
  /** Also used by commands that ask in this conversation. */
  readonly calls: PaidCalls;
  /** Also used by commands for this panel. */
  readonly requests: PanelRequests;
  readonly #chat: Chat;
  readonly #conversations: ConversationStore;
  readonly #store = new DisposableStore();
  #hasAsked = false;

  /** @param dist the folder of the build, with the panel's script and styles. */
  constructor(surface: vscode.WebviewPanel, chat: Chat, parts: PanelParts, dist: vscode.Uri) {
    this.surface = surface;
    this.#chat = chat;
    this.#conversations = parts.store;
    const { webview } = surface;
    const calls = new PaidCalls(chat, parts.gateways, parts.shared.log, parts.unscanned, (review) => {
      // A page that is still loading shows the review with its first snapshot.
      const isOpen = !this.#store.isDisposed && surface.visible;
      updates.showReview(isOpen ? review : undefined);
      if (isOpen && review) {
        surface.reveal();
      }
      return isOpen;
    });
    const layout = new ComparisonLayout();
    const updates = this.#store.add(new PanelUpdates(webview, chat, layout, calls, parts));
    this.calls = calls;
    this.requests = this.#store.add(new PanelRequests(surface, chat, calls, updates, layout, parts));
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
    this.#store.add(webview.onDidReceiveMessage((message: unknown) => this.requests.receive(message)));
    this.#store.add(
      surface.onDidChangeViewState(() => {
        // VS Code discards a hidden page. The new page sends `ready` when the panel is shown again.
        if (!surface.visible) {
          updates.end();
          calls.review.cancel();
        }
      }),
    );
    this.#store.add(
      chat.live.onDidChange(({ type }) => {
        this.#hasAsked ||= type === 'reply';
        if (type === 'title') {
          void this.#retitle();
        }
      }),
    );
    void this.#retitle();
    webview.html = panelHtml(webview, dist, chat.live.conversation.id);
  }

  /** Id of the conversation. */
  get id(): string {
    return this.#chat.live.conversation.id;
  }

  /** Whether something was asked since this panel was opened. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** Whether nothing was asked yet; a question may be typed already. */
  get isUnasked(): boolean {
    return this.#chat.live.conversation.turns.length === 0 && this.#chat.starting === undefined;
  }

  /** Whether nothing was asked, typed, added as context or set for the conversation. */
  get isUnused(): boolean {
    const { systemPrompt, parameters } = this.#chat.live.conversation;
    return this.isUnasked && this.#isEmpty && systemPrompt === undefined && parameters === undefined;
  }

  /** Whether another question can be sent now, and nothing typed would be replaced by it. */
  get canAskNext(): boolean {
    const { isBusy, starting } = this.#chat;
    const { conversation } = this.#chat.live;
    const isIdle = !isBusy && starting === undefined && conversation.edit === undefined;
    return isIdle && !isUndecided(conversation) && this.#isEmpty;
  }

  /** Whether the question box has neither text nor context. */
  get #isEmpty(): boolean {
    const { text, contexts } = this.#chat.live.composed;
    return text === '' && contexts.length === 0;
  }

  dispose(): void {
    this.calls.review.cancel();
    this.#store.dispose();
  }

  /** Sets the title. VS Code writes it to disk, so it must not show a question of a conversation that is not stored. */
  async #retitle(): Promise<void> {
    const isOnDisk = await this.#conversations.isOnDisk(this.#chat.live.conversation.id).catch(() => false);
    if (!this.#store.isDisposed) {
      this.surface.title = isOnDisk ? visibleName(titleOf(this.#chat.live.conversation)) : notStoredTitle();
    }
  }
}

/** The title of every conversation that is not stored on disk. It must contain nothing of the conversation. */
function notStoredTitle(): string {
  return l10n.t('Conversation (Not Saved)');
}

/**
 * Creates an empty webview panel.
 *
 * @param column the group of the other panels; undefined for the first one, which opens where the setting says: in the
 * group of the active editor, or beside it.
 * @param preserveFocus leaves the focus where it is, even when VS Code loads the page later.
 */
export function openSurface(column: vscode.ViewColumn | undefined, preserveFocus: boolean): vscode.WebviewPanel {
  const where = vscode.workspace.getConfiguration().get<unknown>('askModel.panel.location');
  const first = where === 'active' ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
  return vscode.window.createWebviewPanel(
    conversationViewType,
    'Ask Model',
    { viewColumn: column ?? first, preserveFocus },
    { enableFindWidget: true },
  );
}

/**
 * The HTML of the panel. Its content security policy allows only the script with the nonce, styles from the extension's
 * folder, pictures that the page makes from their bytes (`blob:`), one worker, whose code is part of the script, and that
 * worker's trusted type. Requests, forms, frames and markup from strings are forbidden. The page contains the translations of all texts, so that its
 * first frame is in VS Code's language.
 */
export function panelHtml(webview: vscode.Webview, dist: vscode.Uri, conversationId: string): string {
  const nonce = crypto.randomUUID();
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const policy = [
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    'img-src blob:',
    'worker-src blob:',
    "require-trusted-types-for 'script'",
    'trusted-types highlighter',
  ];
  const translations = localization().texts;
  const texts = translations === undefined ? '' : ` data-texts="${escaped(JSON.stringify(translations))}"`;
  return webviewPage(
    policy,
    `<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ask Model</title>
<link rel="stylesheet" href="${file('webview.css')}">`,
    `<main id="app" data-conversation="${escaped(conversationId)}"${texts}></main>
<script nonce="${nonce}" src="${file('webview.js')}"></script>`,
  );
}
