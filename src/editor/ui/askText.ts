import * as vscode from 'vscode';
import { plainProblem } from './boxes.ts';
import type { NamedButton } from './pickRow.ts';
import { plainLabel, plainMessage } from './plainText.ts';

/** What became of a box: left, left by its Back button, or accepted with a result. */
export type TextOutcome<T, B extends string = never> =
  | { readonly status: 'cancelled' }
  | { readonly status: 'back'; readonly typed: string; readonly trouble?: string }
  | { readonly status: 'done'; readonly value: T; readonly typed: string }
  | Pressed<B>;

/** A button of the box was pressed; there is none in most boxes. */
type Pressed<B extends string> = B extends string
  ? { readonly status: 'button'; readonly name: B; readonly typed: string }
  : never;

/** What `accept` makes of the text: a result, something to say under the box, or the way back to the box before. */
type Accepted<T> =
  | { readonly done: T }
  | { readonly problem: string | vscode.InputBoxValidationMessage }
  | { readonly back: string };

export type TextQuestion<T, B extends string = never> = {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly value?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  readonly canGoBack?: boolean;
  /** Further buttons beside the title. */
  readonly buttons?: readonly NamedButton<B>[];
  /** Said under the box at once. */
  readonly trouble?: string | undefined;
  /** The line under the box, for the text as it stands. */
  readonly prompt: (text: string) => string;
  /** Said while one types, after a short rest; undefined when all is well. */
  readonly validate?: (text: string) => string | vscode.InputBoxValidationMessage | undefined;
  /**
   * At Enter. The text stays in the box until it is done, whatever happens.
   *
   * @param text the box's text.
   * @param signal aborted when the person leaves.
   * @param keep called before something is kept: from then on leaving changes nothing, and the outcome is told as it is.
   */
  readonly accept: (text: string, signal: AbortSignal, keep: () => void) => Promise<Accepted<T>> | Accepted<T>;
};

/** Long enough that a half-typed word is not called wrong. */
const restMs = 300;

/** Asks for one line of text in VS Code's input box. A click beside the box does not lose what was typed. */
export function askText<T, B extends string = never>(question: TextQuestion<T, B>): Promise<TextOutcome<T, B>> {
  return new Promise((resolve) => {
    const box = vscode.window.createInputBox();
    const abort = new AbortController();
    let isKeeping = false;
    let rest: NodeJS.Timeout | undefined;
    const finish = (outcome: TextOutcome<T, B>) => {
      clearTimeout(rest);
      resolve(outcome);
      abort.abort();
      box.dispose();
    };
    box.title = plainLabel(question.title);
    box.step = question.step;
    box.totalSteps = question.totalSteps;
    box.ignoreFocusOut = true;
    box.password = question.password ?? false;
    box.placeholder = question.placeholder && plainLabel(question.placeholder);
    box.value = question.value ?? '';
    box.prompt = plainMessage(question.prompt(box.value));
    box.validationMessage = plainProblem(question.trouble);
    box.buttons = [...(question.canGoBack ? [vscode.QuickInputButtons.Back] : []), ...(question.buttons ?? [])];
    box.onDidTriggerButton((button) => {
      const typed = box.value;
      const pressed = question.buttons?.find((each) => each === button);
      if (!isKeeping) {
        finish(pressed ? ({ status: 'button', name: pressed.name, typed } as Pressed<B>) : { status: 'back', typed });
      }
    });
    box.onDidChangeValue((text) => {
      box.validationMessage = undefined;
      box.prompt = plainMessage(question.prompt(text));
      clearTimeout(rest);
      rest = setTimeout(() => {
        if (text !== '') {
          box.validationMessage = plainProblem(question.validate?.(text));
        }
      }, restMs);
    });
    box.onDidAccept(async () => {
      if (box.busy) {
        return;
      }
      clearTimeout(rest);
      const typed = box.value;
      box.busy = true;
      box.validationMessage = undefined;
      const keep = () => {
        isKeeping = true;
      };
      let accepted: Accepted<T>;
      try {
        accepted = await question.accept(typed, abort.signal, keep);
      } catch (error) {
        accepted = { problem: error instanceof Error ? error.message : String(error) };
      }
      if (abort.signal.aborted) {
        return;
      }
      if ('done' in accepted) {
        finish({ status: 'done', value: accepted.done, typed });
      } else if ('back' in accepted) {
        finish({ status: 'back', typed, trouble: accepted.back });
      } else {
        if (isKeeping) {
          isKeeping = false;
          // The box may have been left meanwhile; it comes back with the text still in it.
          box.show();
        }
        box.busy = false;
        box.validationMessage = plainProblem(accepted.problem);
      }
    });
    box.onDidHide(() => isKeeping || finish({ status: 'cancelled' }));
    box.show();
  });
}
