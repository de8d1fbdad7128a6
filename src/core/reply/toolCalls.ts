import { isRecord, jsonText, type LooseRecord, textOf } from '../base/loose.ts';

/** A tool call as the model wrote it. */
export type ToolCall = {
  readonly id?: string;
  readonly name: string;
  /** JSON text; incomplete when the reply ended at its length limit. */
  readonly arguments: string;
  /** Vendor data to send back with the call, such as a thought signature (wire 1.3). Not used here. */
  readonly extra?: LooseRecord;
};

type OpenCall = {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  extra: LooseRecord | undefined;
};

/** Far more than any model makes in one reply. */
const maxCalls = 256;

/**
 * Joins the deltas of tool calls. A delta is assigned to a call by `index`, otherwise by `id`, otherwise to the
 * last call, because not every gateway sends both (wire Q35).
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = [];
  /** The call that the last delta belonged to; undefined if that call was beyond the limit. */
  #last: OpenCall | undefined;
  #units = 0;

  /** Length of all arguments, in UTF-16 units. */
  get units(): number {
    return this.#units;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** @param deltas the field `tool_calls` of a delta or of a whole message. */
  push(deltas: unknown): void {
    for (const delta of Array.isArray(deltas) ? deltas : []) {
      if (isRecord(delta)) {
        this.#add(delta.index, textOf(delta.id), delta.function, delta.extra_content);
      }
    }
  }

  /** Reads the older field `function_call`: a single call with neither index nor id. */
  pushLegacy(call: unknown): void {
    if (isRecord(call)) {
      this.#add(0, undefined, call);
    }
  }

  /** All calls that have a name, in the order they began. */
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

  #add(at: unknown, id: string | undefined, body: unknown, extra?: unknown): void {
    const { name, arguments: given } = isRecord(body) ? body : {};
    const index = typeof at === 'number' ? at : undefined;
    const call = this.#find(index, id, textOf(name)) ?? this.#open(index);
    this.#last = call;
    if (call === undefined) {
      return;
    }
    call.id ??= id;
    const before = call.arguments.length;
    call.extra ??= isRecord(extra) && jsonText(extra) !== undefined ? extra : undefined;
    // A name may come late or repeat in each delta, but is never split.
    call.name ||= textOf(name) ?? '';
    if (typeof given === 'string') {
      call.arguments += given;
    } else if (isRecord(given)) {
      // If it can't be serialized, adds invalid JSON, so that the tool isn't called with incomplete arguments.
      call.arguments += jsonText(given) ?? '…';
    }
    this.#units += call.arguments.length - before;
  }

  #find(index: number | undefined, id: string | undefined, name: string | undefined): OpenCall | undefined {
    if (index !== undefined) {
      const calls = this.#calls.filter((call) => call.index === index);
      const last = calls.at(-1);
      // Some gateways send the same index for every call, so that only the id distinguishes them.
      const isLast = id === undefined || last?.id === undefined || last.id === id;
      return isLast ? last : calls.find((call) => call.id === id);
    }
    if (id !== undefined) {
      return this.#calls.find((call) => call.id === id);
    }
    // A name begins a new call; arguments alone continue the last one.
    return name === undefined ? this.#last : undefined;
  }

  #open(index: number | undefined): OpenCall | undefined {
    if (this.#calls.length === maxCalls) {
      return undefined;
    }
    const call: OpenCall = { index, id: undefined, name: '', arguments: '', extra: undefined };
    this.#calls.push(call);
    return call;
  }
}
