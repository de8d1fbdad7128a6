import { isRecord, type LooseRecord, recordOf, textOf } from '../base/loose.ts';

/** A page that an answer is based on. */
export type Source = {
  /** An address, or what a gateway says in place of one. */
  readonly url: string;
  readonly title?: string;
  /** Its number in the text may mean another one: the parts of a continued answer have sources of their own. */
  readonly isAmbiguous?: true;
};

/** More are not listed. */
const maxSources = 100;
/** Longer ones are not listed; UTF-16 units. */
const maxUrl = 2_000;

/**
 * Collects the sources of an answer from the fields that gateways report them in: `citations` and `search_results` beside
 * the choices (Perplexity, xAI), and `annotations` in them (OpenAI, OpenRouter). The number of a source in the text is
 * its place in the list, from 1.
 */
export class Sources {
  #cited: readonly string[] = [];
  /** The titles of all that were found elsewhere, by their addresses. */
  readonly #found = new Map<string, string | undefined>();

  /** Reads a chunk or a whole completion. */
  read({ citations, search_results: results, choices }: LooseRecord): void {
    if (Array.isArray(citations)) {
      // Each chunk may repeat those before it. `[2]` is the second of them, so none is left out.
      this.#cited = citations.slice(0, maxSources).map((citation) => this.#note(citation));
    }
    for (const choice of Array.isArray(choices) ? choices : []) {
      const { delta, message } = recordOf(choice);
      const { annotations } = recordOf(isRecord(delta) ? delta : message);
      this.#noteAll(annotations);
    }
    this.#noteAll(results);
  }

  /** The sources in the order of their numbers. */
  list(): readonly Source[] {
    const others = [...this.#found.keys()].filter((url) => !this.#cited.includes(url));
    return [...this.#cited, ...others].slice(0, maxSources).map((url) => ({ url, title: this.#found.get(url) }));
  }

  #noteAll(items: unknown): void {
    for (const item of Array.isArray(items) ? items.slice(0, maxSources) : []) {
      this.#note(item);
    }
  }

  /** @returns the address of a source, or else its words; empty when it has neither, or one that is too long. */
  #note(item: unknown): string {
    const record = recordOf(item);
    const source = isRecord(record.url_citation) ? record.url_citation : record;
    const title = textOf(source.title);
    const url = textOf(item) ?? textOf(source.url) ?? title ?? '';
    if (url.length > maxUrl) {
      return '';
    }
    if (url !== '' && (this.#found.has(url) || this.#found.size < maxSources)) {
      this.#found.set(url, this.#found.get(url) ?? title);
    }
    return url;
  }
}
