import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { factsText } from '../../core/base/localization.ts';
import { shortened, shortLine } from '../../core/base/shortLine.ts';
import { commandState } from '../../core/chat/context/contextText.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { terminalText } from '../../core/chat/context/terminalText.ts';
import { inTime } from '../ui/lastEditor.ts';
import { containsTyped, type IncludableContext } from './foundContext.ts';

/** The maximum length of a command's output, in UTF-16 units. */
const outputLimit = 100_000;
/** How much of what a command wrote is in memory, in UTF-16 units, with its control sequences. */
const writtenLimit = 2 * outputLimit;
/** How much of the command line a row shows, so that there is room for its exit code. */
const shownUnits = 30;
/** How long the output of a command that has ended is waited for. */
const outputWaitMs = 500;
/** A longer command line, such as one with a whole document in it, is cut. */
const lineLimit = 2_000;

/** The command that was started last in a terminal. */
type Command = {
  readonly id: string;
  readonly execution: vscode.TerminalShellExecution;
  written: string;
  /** UTF-16 units that were dropped before `written`. */
  dropped: number;
  exitCode: number | undefined;
  isRunning: boolean;
  /** Resolves when all of the output is there: it may arrive after VS Code has reported the end of the command. */
  outputRead: Promise<void>;
};

/**
 * The last command of each terminal with its output, from the moment this is created. It is only in memory, until the
 * next command or until the terminal closes. VS Code tells commands only of shells with its shell integration.
 */
export class TerminalCommands extends DisposableStore {
  readonly #last = new Map<vscode.Terminal, Command>();

  constructor() {
    super();
    this.add(vscode.window.onDidStartTerminalShellExecution((event) => this.#start(event)));
    this.add(
      vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const command = this.#last.get(terminal);
        if (command?.execution === execution) {
          command.exitCode = exitCode;
          command.isRunning = false;
        }
      }),
    );
    this.add(vscode.window.onDidCloseTerminal((terminal) => this.#last.delete(terminal)));
  }

  /**
   * The last command of each terminal, that of the active terminal first; with letters, those whose name or command line
   * matches. If there are terminals but no commands, a row that says how to get one.
   */
  rows(query: string): readonly IncludableContext[] {
    const active = vscode.window.activeTerminal;
    const terminals = vscode.window.terminals.toSorted((a, b) => Number(b === active) - Number(a === active));
    const commands = terminals.flatMap((terminal) => {
      const command = this.#last.get(terminal);
      return command ? [{ terminal, command }] : [];
    });
    const rows = commands.map((each) => this.#row(each.terminal, each.command, commands.length > 1));
    const all = rows.length > 0 || terminals.length === 0 ? rows : [missingRow(terminals)];
    return all.filter(({ label, detail }) => containsTyped(`${label} ${detail}`, query));
  }

  /** The last command of the active terminal, or a row that says why there is none; undefined without a terminal. */
  get last(): IncludableContext | undefined {
    const terminal = vscode.window.activeTerminal;
    const command = terminal && this.#last.get(terminal);
    return command ? this.#row(terminal, command, false) : terminal && missingRow([terminal]);
  }

  /** Shows the terminal with the command of a context. @returns false when it is closed, or has another one by now. */
  show(contextId: string): boolean {
    const [terminal] = [...this.#last].find(([, { id }]) => contextId.startsWith(id)) ?? [];
    terminal?.show();
    return terminal !== undefined;
  }

  #start({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    const command: Command = {
      id: crypto.randomUUID(),
      execution,
      written: '',
      dropped: 0,
      exitCode: undefined,
      isRunning: true,
      outputRead: Promise.resolve(),
    };
    this.#last.set(terminal, command);
    // To be called at once: what the command has written before is not in it.
    const output = execution.read();
    const read = async () => {
      for await (const piece of output) {
        if (this.#last.get(terminal) !== command) {
          return;
        }
        command.written += piece;
        const excess = command.written.length - writtenLimit;
        if (excess > outputLimit) {
          command.written = command.written.slice(excess);
          command.dropped += excess;
        }
      }
    };
    // If it fails, what has been read by then is all there is.
    command.outputRead = read().catch(() => undefined);
  }

  #row(terminal: vscode.Terminal, command: Command, hasOthers: boolean): IncludableContext {
    const context = contextOf(command);
    return {
      id: `terminal:${command.id}`,
      kind: 'terminal',
      label: l10n.t('Last Terminal Command'),
      detail: factsText(
        shortLine(context.name ?? '', shownUnits),
        commandState(context),
        hasOthers ? terminal.name : undefined,
      ),
      pieces: [context],
      read: async () => {
        // Since the row was shown, more may have arrived.
        await (command.isRunning || inTime(outputWaitMs, command.outputRead));
        return { pieces: [contextOf(command)] };
      },
    };
  }
}

function contextOf(command: Command): CodeContext {
  const { id, execution, written, dropped, exitCode, isRunning } = command;
  const output = terminalText(written, outputLimit);
  const { text } = output;
  const cut = output.cut + dropped;
  return {
    kind: 'terminal',
    // A command that is still running can be included more than once.
    id: `${id}.${written.length + dropped}`,
    path: '',
    languageId: 'plaintext',
    startLine: 1,
    endLine: text.split('\n').length,
    text,
    name: shortened(execution.commandLine.value.trim(), lineLimit),
    exitCode,
    isRunning: isRunning || undefined,
    ...(cut > 0 && { cut }),
  };
}

function missingRow(terminals: readonly vscode.Terminal[]): IncludableContext {
  const canRead = terminals.some(({ shellIntegration }) => shellIntegration !== undefined);
  const note = canRead
    ? l10n.t('Run the command again: commands are read after Ask Model has started.')
    : l10n.t("Commands can't be read because VS Code's shell integration isn't active in the terminal.");
  return {
    id: 'terminal',
    kind: 'terminal',
    label: l10n.t('Last Terminal Command'),
    detail: l10n.t('no command yet'),
    read: async () => ({ pieces: [], notes: [note] }),
  };
}
