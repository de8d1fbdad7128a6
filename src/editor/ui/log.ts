import * as vscode from 'vscode';
import { redact } from '../../core/secrets/redact.ts';

/** How many keys are remembered for concealing: more than there can be connections. */
const maxConcealed = 250;

/**
 * The extension's log and its one gate: every line is redacted, by shape and by the keys this window has seen. Questions
 * and answers are never handed to it but at the level *trace*, which a person has to switch on. The channel is made with
 * the first line, so that a window in which nothing happens has none.
 */
export class Log implements vscode.Disposable {
  #channel: vscode.LogOutputChannel | undefined;
  /** Held to be recognised, not to be sent. */
  readonly #concealed = new Set<string>();

  /** A text that must never be seen in the log. */
  conceal(secret: string): void {
    this.#concealed.delete(secret);
    this.#concealed.add(secret);
    for (const oldest of this.#concealed) {
      if (this.#concealed.size <= maxConcealed) {
        break;
      }
      this.#concealed.delete(oldest);
    }
  }

  /** Every secret taken out, for what a person copies into a report. */
  redact(text: string): string {
    return redact(text, [...this.#concealed]);
  }

  get isTracing(): boolean {
    return this.#isOn(vscode.LogLevel.Trace);
  }

  trace(text: string): void {
    if (this.#isOn(vscode.LogLevel.Trace)) {
      this.#open().trace(this.redact(text));
    }
  }

  debug(text: string): void {
    if (this.#isOn(vscode.LogLevel.Debug)) {
      this.#open().debug(this.redact(text));
    }
  }

  info(text: string): void {
    if (this.#isOn(vscode.LogLevel.Info)) {
      this.#open().info(this.redact(text));
    }
  }

  warn(text: string): void {
    if (this.#isOn(vscode.LogLevel.Warning)) {
      this.#open().warn(this.redact(text));
    }
  }

  /** For what nobody expected: with its stack. */
  defect(where: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#open().error(this.redact(`${where}: ${text}`));
  }

  show(): void {
    this.#open().show();
  }

  dispose(): void {
    this.#channel?.dispose();
    this.#concealed.clear();
  }

  /** Redaction takes longer than the time to a first token may grow: lines that nobody sees are not made. */
  #isOn(level: vscode.LogLevel): boolean {
    const { logLevel } = this.#open();
    return logLevel !== vscode.LogLevel.Off && logLevel <= level;
  }

  #open(): vscode.LogOutputChannel {
    this.#channel ??= vscode.window.createOutputChannel('Ask Model', { log: true });
    return this.#channel;
  }
}
