import * as vscode from 'vscode';
import { redact } from '../../core/secrets/redact.ts';

/**
 * The extension's log. Every line is redacted: text that looks like a key, and the keys known to this window. Questions
 * and answers are only logged at the level *trace*, which the person has to turn on. The output channel is created for
 * the first line, so that a window that does not use the extension has none.
 */
export class Log implements vscode.Disposable {
  #channel: vscode.LogOutputChannel | undefined;
  /** Only used to find the secrets in log lines. */
  readonly #concealed = new Set<string>();
  readonly #onDefect: (where: string, error: unknown) => void;

  /** @param onDefect called with each unexpected error that is logged. */
  constructor(onDefect: (where: string, error: unknown) => void) {
    this.#onDefect = onDefect;
  }

  /** Removes a secret from all later lines. */
  conceal(secret: string): void {
    this.#concealed.add(secret);
  }

  /** Removes all secrets from a text. Also used for reports that the person copies. */
  redact(text: string): string {
    return redact(text, [...this.#concealed]);
  }

  get isTracing(): boolean {
    return this.#isOn(vscode.LogLevel.Trace);
  }

  readonly trace = this.#writer('trace', vscode.LogLevel.Trace);
  readonly debug = this.#writer('debug', vscode.LogLevel.Debug);
  readonly info = this.#writer('info', vscode.LogLevel.Info);
  readonly warn = this.#writer('warn', vscode.LogLevel.Warning);

  /** Logs an unexpected error with its stack. */
  defect(where: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#open().error(this.redact(`${where}: ${text}`));
    this.#onDefect(where, error);
  }

  show(): void {
    this.#open().show();
  }

  dispose(): void {
    this.#channel?.dispose();
    this.#concealed.clear();
  }

  #writer(method: 'trace' | 'debug' | 'info' | 'warn', level: vscode.LogLevel): (text: string) => void {
    return (text) => {
      if (this.#isOn(level)) {
        this.#open()[method](this.redact(text));
      }
    };
  }

  /** Lines below the log level are not redacted, because that would noticeably delay the first token. */
  #isOn(level: vscode.LogLevel): boolean {
    const { logLevel } = this.#open();
    return logLevel !== vscode.LogLevel.Off && logLevel <= level;
  }

  #open(): vscode.LogOutputChannel {
    this.#channel ??= vscode.window.createOutputChannel('Ask Model', { log: true });
    return this.#channel;
  }
}
