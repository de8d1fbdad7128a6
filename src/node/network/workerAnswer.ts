import { Worker } from 'node:worker_threads';

/**
 * Runs a program on a thread of its own and ends the thread when it has answered or its time is over; no process stays
 * alive for it.
 *
 * @param program CommonJS; its answer is the first message to its `parentPort`.
 * @returns undefined when the time is over.
 * @throws what the program threw, or that it ended without an answer.
 */
export function workerAnswer(program: string, limitMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true });
    worker.unref();
    const end = (act: () => void) => {
      clearTimeout(timer);
      act();
      // What hangs in the system's own code ends with that code; nobody waits for it.
      void worker.terminate().catch(() => undefined);
    };
    const timer = setTimeout(() => end(() => resolve(undefined)), limitMs).unref();
    worker.once('message', (answer: unknown) => end(() => resolve(answer)));
    worker.once('error', (error) => end(() => reject(error)));
    worker.once('exit', () => end(() => reject(new Error('The thread ended without an answer'))));
  });
}
