import workerSource from './highlightWorker.ts?program';

/** `code`: at most 65,535 UTF-16 units. `language`: a word that `languageName` knows. */
export type HighlightQuestion = { readonly code: string; readonly language: string };

export type HighlightAnswer = {
  /** Two numbers a run of one colour: its length in UTF-16 units, and its place in `codeTokens` from 1 on, 0 for none. */
  readonly runs: Uint16Array<ArrayBuffer>;
  /** The code ends where it began, outside of any comment, string or tag: what follows can be coloured on its own. */
  readonly isWhole: boolean;
};

type Waiting = HighlightQuestion & { readonly answer: (answer: HighlightAnswer | undefined) => void };

/** Some grammars take for ever with some texts; nobody waits that long for colours. */
const longestMs = 3_000;

declare const trustedTypes: {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
};

/** The one address of a script the page may make: that of our own program, whose text came with the page's. */
let address: string | undefined;
const waiting: Waiting[] = [];
let worker: Worker | undefined;
let asked: Waiting | undefined;
let askedAt = 0;
let isTimed = false;

/**
 * Colours code, in the order in which it is asked, without taking time from the page.
 *
 * @returns undefined when it took too long or broke: the code is read without colours then.
 */
export function coloured(question: HighlightQuestion): Promise<HighlightAnswer | undefined> {
  return new Promise((answer) => {
    waiting.push({ ...question, answer });
    askNext();
  });
}

function askNext(): void {
  if (asked !== undefined) {
    return;
  }
  asked = waiting.shift();
  if (asked === undefined) {
    return;
  }
  askedAt = performance.now();
  if (!isTimed) {
    look(longestMs);
  }
  const { code, language } = asked;
  try {
    worker ??= started();
    worker.postMessage({ code, language } satisfies HighlightQuestion);
  } catch {
    // A host that allows the page no program beside it.
    giveUp();
  }
}

function started(): Worker {
  address ??= trustedTypes
    .createPolicy('highlighter', { createScriptURL: (url) => url })
    .createScriptURL(URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' })));
  const made = new Worker(address);
  made.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => settle(data));
  made.addEventListener('error', giveUp);
  return made;
}

/**
 * Looks in a while whether the question that is asked then has waited too long: one timer for many questions, since to
 * set one for each would cost more than their answers.
 */
function look(afterMs: number): void {
  isTimed = true;
  setTimeout(() => {
    isTimed = false;
    if (asked === undefined) {
      return;
    }
    const leftMs = askedAt + longestMs - performance.now();
    if (leftMs > 0) {
      look(leftMs);
    } else {
      giveUp();
    }
  }, afterMs);
}

/** Ends a program that hangs or broke; the next question starts another one. */
function giveUp(): void {
  worker?.terminate();
  worker = undefined;
  settle(undefined);
}

function settle(answer: HighlightAnswer | undefined): void {
  const settled = asked;
  asked = undefined;
  settled?.answer(answer);
  askNext();
}
