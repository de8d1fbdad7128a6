import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { type AccountState, accountState, emptyState } from './accountState.ts';

const repair = 'Repair it, move it away to start afresh, or name another one with --state.';

/** Thrown when a state file can't be used. The file is left as it is; the message gives the cause and the remedy. */
export class StateFileError extends Error {
  constructor(file: string, cause: string, remedy = repair) {
    super(`The state file ${file} can not be used: ${cause}\nIt was left untouched. ${remedy}`);
    this.name = 'StateFileError';
  }
}

/** Reads the state, or returns an empty one when there is no file yet. Throws a StateFileError; it never writes. */
export async function loadState(
  file: string,
  initialWalletMicroUsd: number,
): Promise<{ state: AccountState; isNew: boolean }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return { state: emptyState(initialWalletMicroUsd), isNew: true };
    }
    throw new StateFileError(file, (error as Error).message);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new StateFileError(file, `it is not JSON (${(error as Error).message}).`);
  }
  const parsed = accountState.safeParse(json);
  if (!parsed.success) {
    throw new StateFileError(file, `it does not have the expected shape.\n${z.prettifyError(parsed.error)}`);
  }
  return { state: parsed.data, isNew: false };
}

/** Saves one state to one file: writes are coalesced, atomic and in order. */
export class StateWriter {
  readonly #file: string;
  readonly #state: AccountState;
  readonly #pauseMs: number;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isDirty = false;
  #failure: unknown;

  constructor(file: string, state: AccountState, pauseMs = 100) {
    this.#file = file;
    this.#state = state;
    this.#pauseMs = pauseMs;
  }

  /** Schedules a write of the changed state, which happens after the pause or with `flush`. */
  schedule(): void {
    this.#isDirty = true;
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) => {
        // The flush at closing reports the failure too, but a gateway may run for a long time before that.
        process.emitWarning(`The gateway's state was not written: ${(error as Error).message}`);
      });
    }, this.#pauseMs);
  }

  /** Resolves when the latest state is on disk; rejects with the reason when it couldn't be written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      if (!this.#isDirty) {
        return;
      }
      this.#isDirty = false;
      this.#failure = undefined;
      try {
        await writeAtomically(this.#file, `${JSON.stringify(this.#state, null, 1)}\n`);
      } catch (error) {
        this.#isDirty = true;
        this.#failure = error;
      }
    });
    await this.#writing;
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
  }
}

/** Writes a file beside it, syncs, then renames: a reader gets the old text or the new one, never a part. */
async function writeAtomically(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
