import type { Conversation, Reply, Turn } from './conversation.ts';

/**
 * The turns of a conversation are a tree: an edited question stands beside the one it was made from, with all that
 * follows each. Nothing is ever taken out of it; what is chosen at each fork is what is shown and what is sent.
 */
type Tree = Pick<Conversation, 'turns' | 'first'>;

/** The reply of a turn that is shown, and that later questions build on; undefined when it got none. */
export function shownReply({ replies, shown }: Pick<Turn, 'replies' | 'shown'>): Reply | undefined {
  return replies.find(({ id }) => id === shown) ?? replies.at(-1);
}

/** What is shown of each tree: a conversation is asked for it several times, and is another object after each event. */
const shown = new WeakMap<Tree, readonly Turn[]>();

/** The turns that are shown, in order: at each fork the chosen one, else the newest. */
export function visibleTurns(tree: Tree): readonly Turn[] {
  const known = shown.get(tree);
  if (known) {
    return known;
  }
  const turns = shownPath(tree);
  shown.set(tree, turns);
  return turns;
}

function shownPath(tree: Tree): Turn[] {
  const followers = followersOf(tree.turns);
  const path: Turn[] = [];
  const seen = new Set<string>();
  let chosen = tree.first;
  for (let beside = followers.get(null); beside; ) {
    const turn = beside.find(({ id }) => id === chosen) ?? beside.at(-1);
    // A broken file may have an id twice.
    if (turn === undefined || seen.has(turn.id)) {
      break;
    }
    seen.add(turn.id);
    path.push(turn);
    chosen = turn.next;
    beside = followers.get(turn.id);
  }
  return path;
}

/** From the first turn to this one, whether it is shown or not; empty when there is none of that id. */
export function turnsTo({ turns }: Pick<Tree, 'turns'>, turnId: string): Turn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const before = predecessors(turns);
  const path: Turn[] = [];
  for (let turn = byId.get(turnId); turn && path.length < turns.length; ) {
    path.push(turn);
    const id = before.get(turn.id);
    turn = id ? byId.get(id) : undefined;
  }
  return path.reverse();
}

/** @returns what finds, for the id of a turn, that turn and what stands at the same fork, oldest first. */
export function turnsBeside({ turns }: Pick<Tree, 'turns'>): (turnId: string) => readonly Turn[] {
  const before = predecessors(turns);
  const followers = followersOf(turns);
  return (turnId) => {
    const place = before.get(turnId);
    return place === undefined ? [] : (followers.get(place) ?? []);
  };
}

/** Id of the turn that this one follows: `null` for a first one, undefined when there is none of that id. */
export function turnBefore({ turns }: Pick<Tree, 'turns'>, turnId: string): string | null | undefined {
  return predecessors(turns).get(turnId);
}

/** What each turn follows; see `setPredecessor`. */
function predecessors(turns: readonly Turn[]): Map<string, string | null> {
  const before = new Map<string, string | null>();
  let last: string | null = null;
  for (const turn of turns) {
    setPredecessor(before, turn, last);
    last = turn.id;
  }
  return before;
}

/**
 * Enters what a turn follows. One that does not say follows the one written before it, as all did in older versions; so
 * does one that names what was not there yet, which keeps a broken file from going in circles.
 *
 * @param before what those before it follow.
 * @param last id of the turn written before it.
 */
export function setPredecessor(
  before: Map<string, string | null>,
  { id, after }: Pick<Turn, 'id' | 'after'>,
  last: string | null,
): void {
  if (!before.has(id)) {
    before.set(id, after === null || (after !== undefined && before.has(after)) ? after : last);
  }
}

/** By the id of what they follow, without questions that never got as far as a reply where others stand beside. */
function followersOf(turns: readonly Turn[]): Map<string | null, Turn[]> {
  const before = predecessors(turns);
  const followers = new Map<string | null, Turn[]>();
  for (const turn of turns) {
    const place = before.get(turn.id) ?? null;
    const beside = followers.get(place);
    if (beside) {
      beside.push(turn);
    } else {
      followers.set(place, [turn]);
    }
  }
  for (const [place, beside] of followers) {
    const answered = beside.filter(({ replies }) => replies.length > 0);
    followers.set(place, answered.length > 0 ? answered : beside);
  }
  return followers;
}
