import * as vscode from 'vscode';
import type { Parsed } from '../../core/base/loose.ts';
import { messageOf } from '../../core/base/loose.ts';
import { plainLabel, plainMessage } from './plainText.ts';

/** How an input box was closed. */
export type TextOutcome<T> =
  | { readonly status: 'cancelled' }
  | { readonly status: 'back'; readonly typed: string }
  | { readonly status: 'done'; readonly value: T; readonly typed: string };

/** The result of `accept`, or a problem to show under the box. */
type Accepted<T> = { readonly done: T } | { readonly problem: string };

/** The options of an input box whose text is parsed as a `V` and accepted as a `T`. */
export type TextQuestion<V, T> = {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly value?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  readonly canGoBack?: boolean;
  /** A problem that is shown under the box when it opens. */
  readonly trouble?: string;
  /** The line under the box for the current text. */
  readonly prompt: (text: string) => string;
  /** Parses the text. The reason of an invalid text is shown after Enter, and when typing pauses. */
  readonly read: (text: string) => Parsed<V>;
  /**
   * Called after Enter with the parsed text. The box stays open until this returns a result.
   *
   * @param signal aborted when the box is closed.
   * @param isAgain whether this same text was rejected before, and the person pressed Enter again.
   */
  readonly accept: (value: V, signal: AbortSignal, isAgain: boolean) => Promise<Accepted<T>>;
};

/** The pause in typing after which the text is validated: long enough not to reject a half-typed word. */
const validationDelayMs = 300;

/** Asks for one line of text in VS Code's input box. A click outside the box does not close it. */
export function askText<V, T>(question: TextQuestion<V, T>): Promise<TextOutcome<T>> {
  return new Promise((resolve) => {
    const box = vscode.window.createInputBox();
    const abort = new AbortController();
    let validation: NodeJS.Timeout | undefined;
    /** The text that was rejected last. */
    let rejected: string | undefined;
    const finish = (outcome: TextOutcome<T>) => {
      resolve(outcome);
      abort.abort();
      box.dispose();
    };
    const showProblem = (problem: string | undefined) => {
      box.validationMessage = problem && plainMessage(problem);
    };
    const accept = async (text: string): Promise<Accepted<T>> => {
      const read = question.read(text);
      return read.ok ? question.accept(read.value, abort.signal, text === rejected) : { problem: read.reason };
    };
    box.title = plainLabel(question.title);
    box.step = question.step;
    box.totalSteps = question.totalSteps;
    box.ignoreFocusOut = true;
    box.password = question.password ?? false;
    box.placeholder = question.placeholder && plainLabel(question.placeholder);
    box.value = question.value ?? '';
    box.prompt = plainMessage(question.prompt(box.value));
    showProblem(question.trouble);
    box.buttons = question.canGoBack ? [vscode.QuickInputButtons.Back] : [];
    box.onDidTriggerButton(() => finish({ status: 'back', typed: box.value }));
    box.onDidChangeValue((text) => {
      showProblem(undefined);
      box.prompt = plainMessage(question.prompt(text));
      clearTimeout(validation);
      validation = setTimeout(() => {
        const read = question.read(text);
        if (text !== '' && !read.ok) {
          showProblem(read.reason);
        }
      }, validationDelayMs);
    });
    box.onDidAccept(async () => {
      if (box.busy) {
        return;
      }
      const typed = box.value;
      box.busy = true;
      showProblem(undefined);
      const accepted = await accept(typed).catch((error: unknown) => ({
        problem: messageOf(error),
      }));
      if ('done' in accepted) {
        finish({ status: 'done', value: accepted.done, typed });
        return;
      }
      rejected = typed;
      box.busy = false;
      showProblem(accepted.problem);
    });
    box.onDidHide(() => finish({ status: 'cancelled' }));
    box.show();
  });
}
