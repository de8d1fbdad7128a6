import { isRecord, jsonText, type LooseRecord, textOf } from '../base/loose.ts';

/** A call of a tool as the model wrote it. */
export type ToolCall = {
  readonly id?: string;
  readonly name: string;
  /** JSON as text; half a document when the reply was cut by its limit. */
  readonly arguments: string;
  /** What a vendor wants back with the call, such as a thought signature (wire 1.3); nobody else reads it. */
  readonly extra?: LooseRecord;
};

type OpenCall = {
  key: number | string;
  id: string | undefined;
  name: string;
  arguments: string;
  extra: LooseRecord | undefined;
};

/** What a call holds before there is anything in it. */
const callUnits = 100;

/**
 * Puts the pieces of tool calls together. They belong to one another by `index`, else by `id`, else to the call that was
 * open last, because not every gateway sends all of it (wire Q35).
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = [];
  /** The newest call at each index, and the first with each id: a reply may hold very many. */
  readonly #lastAt = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  #units = 0;

  /** What is held of them, in UTF-16 units; a call counts although nothing may be in it yet. */
  get units(): number {
    return this.#units;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** @param pieces the field `tool_calls` of a delta or of a whole message. */
  push(pieces: unknown): void {
    for (const piece of Array.isArray(pieces) ? pieces : []) {
      if (isRecord(piece)) {
        this.#piece(piece.index, textOf(piece.id), piece.function, piece.extra_content);
      }
    }
  }

  /** The older spelling, with one call and neither index nor id. */
  pushLegacy(call: unknown): void {
    if (isRecord(call)) {
      this.#piece(0, undefined, call);
    }
  }

  /** Calls without a name are none. In the order they were opened. */
  list(): ToolCall[] {
    return this.#calls
      .filter(({ name }) => name !== '')
      .map(({ id, name, arguments: text, extra }) => ({
        ...(id !== undefined && { id }),
        name,
        arguments: text,
        ...(extra && { extra }),
      }));
  }

  #piece(index: unknown, id: string | undefined, body: unknown, extra?: unknown): void {
    const { name, arguments: given } = isRecord(body) ? body : {};
    const call = this.#callFor(typeof index === 'number' ? index : undefined, id, textOf(name));
    call.id ??= id;
    if (id !== undefined && !this.#byId.has(id)) {
      this.#byId.set(id, call);
    }
    const before = call.arguments.length;
    call.extra ??= isRecord(extra) && jsonText(extra) !== undefined ? extra : undefined;
    // A name comes whole, late, or again with each piece; it is never in two halves.
    call.name ||= textOf(name) ?? '';
    if (typeof given === 'string') {
      call.arguments += given;
    } else if (isRecord(given)) {
      // What can't be written is no JSON either, so that the tool is not called with less than was meant.
      call.arguments += jsonText(given) ?? '…';
    }
    this.#units += call.arguments.length - before;
  }

  #callFor(index: number | undefined, id: string | undefined, name: string | undefined): OpenCall {
    const known =
      index !== undefined
        ? this.#callAt(index, id)
        : id !== undefined
          ? this.#byId.get(id)
          : // A name begins a call; arguments alone go on with the last one.
            name === undefined
            ? this.#calls.at(-1)
            : undefined;
    if (known) {
      return known;
    }
    const call: OpenCall = { key: index ?? id ?? this.#calls.length, id, name: '', arguments: '', extra: undefined };
    this.#calls.push(call);
    this.#units += callUnits;
    if (index !== undefined) {
      this.#lastAt.set(index, call);
    }
    return call;
  }

  /** Some put every call at the same index and tell them apart by id alone. */
  #callAt(index: number, id: string | undefined): OpenCall | undefined {
    const last = this.#lastAt.get(index);
    if (id === undefined || last === undefined || last.id === undefined || last.id === id) {
      return last;
    }
    const known = this.#byId.get(id);
    return known?.key === index ? known : undefined;
  }
}
