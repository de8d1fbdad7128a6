import { recordOf } from '../../base/loose.ts';

/** The person's choices among the models of one connection: exact ids, which the gateway may no longer list. */
export type ModelChoices = {
  readonly defaultModel?: string;
  /** In the order they were chosen. */
  readonly favourites: readonly string[];
  /** Newest first. */
  readonly recent: readonly string[];
  /** Ids that the person added manually, because the gateway doesn't list all models it serves. */
  readonly manual: readonly string[];
};

export const noChoices: ModelChoices = { favourites: [], recent: [], manual: [] };

const maxRecent = 8;
const maxIdChars = 256;

/** Reads stored choices; leaves out any part that is invalid. */
export function readChoices(stored: unknown): ModelChoices {
  const { defaultModel, favourites, recent, manual } = recordOf(stored);
  const isId = (id: unknown): id is string => typeof id === 'string' && id !== '';
  const idsOf = (value: unknown) => [...new Set(Array.isArray(value) ? value.filter(isId) : [])];
  return {
    ...(isId(defaultModel) && { defaultModel }),
    favourites: idsOf(favourites),
    recent: idsOf(recent).slice(0, maxRecent),
    manual: idsOf(manual),
  };
}

/** Adds an id at the end of a list, or removes it. */
export function withChoice(
  chosen: ModelChoices,
  list: 'favourites' | 'recent' | 'manual',
  id: string,
  isIn: boolean,
): ModelChoices {
  const ids = chosen[list];
  return ids.includes(id) === isIn
    ? chosen
    : { ...chosen, [list]: isIn ? [...ids, id] : ids.filter((each) => each !== id) };
}

/** Moves the model that was just used to the front; beyond eight, drops the oldest one. */
export function withRecent(chosen: ModelChoices, id: string): ModelChoices {
  return chosen.recent[0] === id
    ? chosen
    : { ...chosen, recent: [id, ...chosen.recent.filter((each) => each !== id)].slice(0, maxRecent) };
}

/** @returns the typed id without surrounding blanks; undefined when the text cannot be an id. */
export function manualId(typed: string): string | undefined {
  const id = typed.trim();
  return id === '' || id.length > maxIdChars || /\p{Cc}/u.test(id) ? undefined : id;
}
