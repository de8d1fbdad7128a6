import { JsonDocuments } from '../base/jsonDocuments.ts';
import { isRecord, jsonText, type LooseRecord, parseJson, parseLooseJson, textOf } from '../base/loose.ts';

/** A tool call as the model wrote it. */
export type ToolCall = {
  readonly id?: string;
  /** Empty when the gateway sent none. */
  readonly name: string;
  /** The JSON of an object or nothing; what can't be read as an object is as it arrived, which may be cut. */
  readonly arguments: string;
  /** Vendor data to send back with the call, such as a thought signature (wire 1.3). Not used here. */
  readonly extra?: LooseRecord;
};

type OpenCall = {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  /** All pieces of the arguments, joined. */
  joined: string;
  /** The last piece, as long as each one repeated all before it. */
  snapshot: string | undefined;
  extra: LooseRecord | undefined;
};

/** Far more than any model makes in one reply. */
const maxCalls = 256;

/**
 * Joins the deltas of tool calls, because not every gateway sends them as it should (wire Q35). A delta is assigned to
 * a call by `index`, otherwise by `id`, otherwise to the last call, unless its name begins another one.
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = [];
  /** The call that the last delta belonged to; undefined if that call was beyond the limit. */
  #last: OpenCall | undefined;
  /** Length of all arguments, in UTF-16 units; written only here. */
  units = 0;

  get isEmpty(): boolean {
    return !this.#calls.some(isReal);
  }

  /** @param deltas the field `tool_calls` of a delta or of a whole message. */
  push(deltas: unknown): void {
    for (const delta of Array.isArray(deltas) ? deltas : []) {
      if (isRecord(delta)) {
        this.#add(delta.index, textOf(delta.id), delta.function, delta.extra_content);
      }
    }
  }

  /** All calls, in the order they began; one that has the id, the name and the arguments of another only once. */
  list(): ToolCall[] {
    const calls = this.#calls.filter(isReal).map((call) => ({
      ...(call.id !== undefined && { id: call.id }),
      name: call.name,
      arguments: argumentsOf(call),
      ...(call.extra && { extra: call.extra }),
    }));
    const isSame = (one: ToolCall, other: ToolCall) =>
      one.id !== undefined && one.id === other.id && one.name === other.name && one.arguments === other.arguments;
    return calls.filter((call, at) => calls.findIndex((other) => isSame(other, call)) === at || call.id === undefined);
  }

  #add(at: unknown, id: string | undefined, body: unknown, extra?: unknown): void {
    const { name: named, arguments: given } = isRecord(body) ? body : {};
    const index = typeof at === 'number' ? at : undefined;
    const name = textOf(named);
    // If an object can't be serialized, adds invalid JSON, so that the tool isn't called with incomplete arguments.
    const piece = isRecord(given) ? (jsonText(given) ?? '…') : typeof given === 'string' ? given : '';
    const call = this.#find(index, id, name, piece) ?? this.#open(index);
    this.#last = call;
    if (call === undefined) {
      return;
    }
    call.id ??= id;
    call.extra ??= isRecord(extra) && jsonText(extra) !== undefined ? extra : undefined;
    // A name may come late, in pieces, or repeat in each delta.
    call.name += name === call.name ? '' : (name ?? '');
    if (piece.trim() !== '') {
      const isFirst = isEmpty(call.joined);
      call.snapshot = isFirst || (call.snapshot && piece.startsWith(call.snapshot)) ? piece : undefined;
    }
    call.joined += piece;
    this.units += piece.length;
  }

  #find(
    index: number | undefined,
    id: string | undefined,
    name: string | undefined,
    piece: string,
  ): OpenCall | undefined {
    const known = id === undefined ? undefined : this.#calls.findLast((call) => call.id === id);
    const last = index === undefined ? this.#last : this.#calls.findLast((call) => call.index === index);
    const found = known && (index === undefined || known.index === index) ? known : last;
    if (found === undefined) {
      // Arguments alone continue a call, even under another index.
      return id === undefined && name === undefined ? this.#last : undefined;
    }
    return beginsOther(found, { index, id, name, piece }) ? undefined : found;
  }

  #open(index: number | undefined): OpenCall | undefined {
    if (this.#calls.length === maxCalls) {
      return undefined;
    }
    const call: OpenCall = { index, id: undefined, name: '', joined: '', snapshot: undefined, extra: undefined };
    this.#calls.push(call);
    return call;
  }
}

/** Whether a call has more than an id. Some gateways send empty ones beside each text (wire Q35). */
function isReal({ name, joined }: OpenCall): boolean {
  return name !== '' || joined.trim() !== '';
}

/**
 * Whether a delta begins another call than one that has its index or its id, or neither. Some gateways repeat the name,
 * or change the id, in the middle of a call.
 */
function beginsOther(
  call: OpenCall,
  { index, id, name, piece }: { index?: number; id?: string; name?: string; piece: string },
): boolean {
  const isOtherId = id !== undefined && call.id !== undefined && id !== call.id;
  if (name === undefined || call.name === '') {
    return isOtherId && name !== undefined;
  }
  if (name !== call.name) {
    // Before any arguments, it may be the rest of the name.
    return isOtherId || call.joined !== '' || (index === undefined && id === undefined);
  }
  if (id !== undefined && !isOtherId) {
    return false;
  }
  const isRepeated = call.snapshot !== undefined && piece.startsWith(call.snapshot);
  return isOtherId
    ? call.joined.trim() !== ''
    : !isEmpty(call.joined) && !isRepeated && /\}\s*$/.test(call.joined) && readObject(call.joined) !== undefined;
}

/** Whether arguments are nothing or an empty object, which some gateways send before the real ones. */
function isEmpty(text: string): boolean {
  return /^(?:\s|\{\s*\})*$/.test(text);
}

/**
 * The arguments as the JSON of one object: they may repeat, as a whole or with each piece, follow an empty object, be
 * JSON in a string, or have raw line breaks. Joined as they arrived if they can't be read as one object.
 */
function argumentsOf({ joined, snapshot }: OpenCall): string {
  if (isEmpty(joined)) {
    return '{}';
  }
  if (isRecord(parseJson(joined))) {
    return joined;
  }
  const documents = new JsonDocuments();
  const [document, ...others] = new Set(documents.push(joined).filter((each) => !isEmpty(each)));
  const only = others.length === 0 && documents.pending === 0 ? document : undefined;
  for (const text of [joined, snapshot, only]) {
    const object = text === undefined ? undefined : readObject(text);
    if (object !== undefined) {
      return jsonText(object) ?? joined;
    }
  }
  return joined;
}

function readObject(text: string): LooseRecord | undefined {
  const value = parseJson(text) ?? parseLooseJson(text);
  // JSON in a string is encoded once more.
  const inner = typeof value === 'string' ? parseJson(value) : value;
  return isRecord(inner) ? inner : undefined;
}
