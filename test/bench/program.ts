import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A file of this folder in a process of its own, which ends together with this one. */
export class Program {
  readonly #child: ChildProcess;

  constructor(file: string, ...args: readonly string[]) {
    this.#child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 2, 2, 'ipc'] });
    this.#child.on('exit', (code) => {
      if (code) {
        console.error(`${[file, ...args].join(' ')} ended with ${code}`);
        process.exit(1);
      }
    });
  }

  async ask<Answer>(question: number): Promise<Answer> {
    this.#child.send(question);
    return (await once(this.#child, 'message'))[0];
  }

  end(): void {
    this.#child.disconnect();
  }
}

/** Runs in such a process. */
export function answerAll(answer: (question: number) => Promise<unknown>): void {
  process.on('message', async (question: number) => process.send?.(await answer(question)));
  process.on('disconnect', () => process.exit());
}
