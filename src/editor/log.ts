import * as vscode from 'vscode';
import { redact } from '../core/gateway/redact.ts';

/**
 * The extension's log. Everything passes the redaction; questions, answers and keys are never handed to it. The channel
 * is made with the first line, so that a window in which nothing happens has none.
 */
export class Log implements vscode.Disposable {
  #channel: vscode.LogOutputChannel | undefined;

  info(text: string): void {
    this.#open().info(redact(text));
  }

  warn(text: string): void {
    this.#open().warn(redact(text));
  }

  /** For what nobody expected: with its stack. */
  defect(where: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#open().error(redact(`${where}: ${text}`));
  }

  show(): void {
    this.#open().show();
  }

  dispose(): void {
    this.#channel?.dispose();
  }

  #open(): vscode.LogOutputChannel {
    this.#channel ??= vscode.window.createOutputChannel('Ask Model', { log: true });
    return this.#channel;
  }
}
