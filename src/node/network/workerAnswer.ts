import { Worker } from 'node:worker_threads';

/**
 * Runs a program on a worker thread and ends the thread when it has answered or timed out. The thread does not keep the
 * process alive.
 *
 * @param program CommonJS; its answer is the first message to its `parentPort`.
 * @returns undefined after `limitMs`.
 * @throws what the program threw, or an error when it ended without an answer.
 */
export function workerAnswer(program: string, limitMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true });
    worker.unref();
    const end = (act: () => void) => {
      clearTimeout(timer);
      act();
      // A thread that hangs in native code ends only when that code returns; nothing waits for it.
      void worker.terminate().catch(() => undefined);
    };
    const timer = setTimeout(() => end(() => resolve(undefined)), limitMs).unref();
    worker.once('message', (answer: unknown) => end(() => resolve(answer)));
    worker.once('error', (error) => end(() => reject(error)));
    worker.once('exit', () => end(() => reject(new Error('The thread ended without an answer'))));
  });
}
