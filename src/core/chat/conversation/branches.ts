import type { Conversation, Reply, Turn } from './conversation.ts';

/**
 * The turns of a conversation form a tree: an edited question is a sibling of the original one, and each has its own
 * following turns. Turns are never removed. The choice at each fork decides what is shown and what is sent.
 */
type Tree = Pick<Conversation, 'turns' | 'first'>;

/** The reply of a turn that is shown and that later questions build on; undefined when the turn has no reply. */
export function shownReply({ replies, shown }: Pick<Turn, 'replies' | 'shown'>): Reply | undefined {
  return replies.find(({ id }) => id === shown) ?? replies.at(-1);
}

/** The reply of a turn with this id, or else the shown one. */
export function replyIn(turn: Turn, replyId: string | undefined): Reply | undefined {
  return turn.replies.find(({ id }) => id === replyId) ?? shownReply(turn);
}

/** The turns that are shown, in order: at each fork the chosen one, otherwise the newest. */
export function visibleTurns(tree: Tree): readonly Turn[] {
  const followers = followersOf(tree.turns);
  const path = new Map<string, Turn>();
  let turn = shownAfter(tree, followers, undefined);
  // A broken file may have an id twice.
  while (turn && !path.has(turn.id)) {
    path.set(turn.id, turn);
    turn = shownAfter(tree, followers, turn);
  }
  return [...path.values()];
}

/** The turns from the first one to this one that another one is shown instead of. */
export function hiddenTurnsTo(tree: Tree, turnId: string): readonly Turn[] {
  const followers = followersOf(tree.turns);
  return turnsTo(tree, turnId).filter((turn, at, path) => shownAfter(tree, followers, path[at - 1]) !== turn);
}

/** The turn that is shown after this one; without one, the first that is shown. */
function shownAfter({ first }: Tree, followers: ReturnType<typeof followersOf>, turn: Turn | undefined) {
  const chosen = turn === undefined ? first : turn.next;
  const beside = followers.get(turn?.id ?? null);
  return beside?.find(({ id }) => id === chosen) ?? beside?.at(-1);
}

/** The turns from the first one to this one, whether shown or not; empty when no turn has that id. */
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

/** @returns a function that finds, by the id of a turn, that turn and its siblings, oldest first. */
export function turnsBeside({ turns }: Pick<Tree, 'turns'>): (turnId: string) => readonly Turn[] {
  const before = predecessors(turns);
  const followers = followersOf(turns);
  return (turnId) => {
    const place = before.get(turnId);
    return place === undefined ? [] : (followers.get(place) ?? []);
  };
}

/** Id of the turn that this one follows: `null` for a first turn, undefined when no turn has that id. */
export function turnBefore({ turns }: Pick<Tree, 'turns'>, turnId: string): string | null | undefined {
  return predecessors(turns).get(turnId);
}

/**
 * Id of the turn that a new turn follows; `null` for a first turn, undefined when that place doesn't exist.
 *
 * @param instead id of the turn that it becomes a sibling of; by default, it comes at the end.
 */
export function turnToFollow(tree: Tree, instead?: string): string | null | undefined {
  return instead === undefined ? (visibleTurns(tree).at(-1)?.id ?? null) : turnBefore(tree, instead);
}

/** The id of the turn that each turn follows. */
function predecessors(turns: readonly Turn[]): Map<string, string | null> {
  const before = new Map<string, string | null>();
  for (const [index, turn] of turns.entries()) {
    addPredecessor(before, turn, turns[index - 1]);
  }
  return before;
}

/**
 * Adds the id of the turn that this one follows. A turn without `after` follows the one written before it, as all turns
 * did in older versions. So does a turn whose `after` was not written before it, which rules out cycles in a broken file.
 *
 * @param last the turn written before it.
 */
export function addPredecessor(
  before: Map<string, string | null>,
  { id, after }: Pick<Turn, 'id' | 'after'>,
  last: Pick<Turn, 'id'> | undefined,
): void {
  if (!before.has(id)) {
    before.set(id, after === null || (after !== undefined && before.has(after)) ? after : (last?.id ?? null));
  }
}

/** The turns by the id of the turn they follow. Leaves out turns without replies if a sibling has one. */
function followersOf(turns: readonly Turn[]): Map<string | null, Turn[]> {
  const before = predecessors(turns);
  const followers = Map.groupBy(turns, ({ id }) => before.get(id) ?? null);
  for (const [place, beside] of followers) {
    const answered = beside.filter(({ replies }) => replies.length > 0);
    followers.set(place, answered.length > 0 ? answered : beside);
  }
  return followers;
}
