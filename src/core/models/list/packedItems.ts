/** What a gateway wrote of each model of a list, as JSON, by exact id. */
export type ModelItems = {
  /** @returns the item; an array of all its items when the id was listed more than once; undefined when there is none. */
  get(id: string): string | undefined;
};

/** How many items of one id are kept word by word. */
const maxItemsOfOneId = 16;
const pieceBytes = 256 * 1024;

/** Where a text begins, and how many bytes it has. */
type Place = readonly [piece: number, start: number, length: number];

/**
 * Items as bytes. A list is megabytes of text that hardly anybody asks for, and strings that stay are copied twice by
 * the engine's garbage collector, all at once and with the program standing still; bytes lie outside of its reach.
 */
export class PackedItems implements ModelItems {
  readonly #encoder = new TextEncoder();
  readonly #pieces: Uint8Array[] = [];
  /** How much of the last piece is used. */
  #used = 0;
  /** Three numbers for each text; see `Place`. */
  readonly #places: number[] = [];
  readonly #firstOf = new Map<string, number>();
  /** Ids listed more than once; most lists have none. */
  readonly #allOf = new Map<string, number[]>();

  add(id: string, text: string): void {
    const first = this.#firstOf.get(id);
    if (first === undefined) {
      this.#firstOf.set(id, this.#put(text));
      return;
    }
    const all = this.#allOf.get(id) ?? [first];
    if (all.length < maxItemsOfOneId) {
      this.#allOf.set(id, [...all, this.#put(text)]);
    }
  }

  get(id: string): string | undefined {
    const all = this.#allOf.get(id);
    if (all !== undefined) {
      return `[${all.map((index) => this.#text(index)).join(',')}]`;
    }
    const first = this.#firstOf.get(id);
    return first === undefined ? undefined : this.#text(first);
  }

  #put(text: string): number {
    const index = this.#places.length / 3;
    this.#places.push(...(this.#write(text) ?? this.#writeAnew(text)));
    return index;
  }

  /** @returns undefined when the last piece has no room for it. */
  #write(text: string): Place | undefined {
    const room = this.#pieces.at(-1)?.subarray(this.#used);
    if (room === undefined || room.length < text.length) {
      return undefined;
    }
    const { read, written } = this.#encoder.encodeInto(text, room);
    if (read < text.length) {
      return undefined;
    }
    const start = this.#used;
    this.#used += written;
    return [this.#pieces.length - 1, start, written];
  }

  #writeAnew(text: string): Place {
    // A unit of a string is three bytes at most.
    const piece = new Uint8Array(Math.max(pieceBytes, text.length * 3));
    const { written } = this.#encoder.encodeInto(text, piece);
    this.#pieces.push(piece);
    this.#used = written;
    return [this.#pieces.length - 1, 0, written];
  }

  #text(index: number): string {
    const [piece = 0, start = 0, length = 0] = this.#places.slice(index * 3, index * 3 + 3);
    return new TextDecoder().decode(this.#pieces[piece]?.subarray(start, start + length));
  }
}
