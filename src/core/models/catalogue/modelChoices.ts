import * as z from 'zod/mini';

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

const maxFavourites = 500;
const maxRecent = 8;
const maxManual = 500;
const maxIdChars = 256;

const choices = z.looseObject({});
const modelId = z.string().check(z.minLength(1));
const ids = z.array(z.unknown());

/** Reads stored choices; leaves out any part that is invalid. */
export function readChoices(stored: unknown): ModelChoices {
  const parts = z.safeParse(choices, stored).data ?? {};
  const defaultModel = z.safeParse(modelId, parts.defaultModel).data;
  return {
    ...(defaultModel !== undefined && { defaultModel }),
    favourites: readIds(parts.favourites).slice(0, maxFavourites),
    recent: readIds(parts.recent).slice(0, maxRecent),
    manual: readIds(parts.manual)
      .filter((id) => manualId(id) === id)
      .slice(0, maxManual),
  };
}

/** Adds a favourite at the end, up to 500 of them, or removes it. */
export function withFavourite(chosen: ModelChoices, id: string, isFavourite: boolean): ModelChoices {
  const { favourites } = chosen;
  if (favourites.includes(id) === isFavourite || (isFavourite && favourites.length >= maxFavourites)) {
    return chosen;
  }
  return { ...chosen, favourites: isFavourite ? [...favourites, id] : favourites.filter((each) => each !== id) };
}

/** Moves the model that was just used to the front; beyond eight, drops the oldest one. */
export function withRecent(chosen: ModelChoices, id: string): ModelChoices {
  return chosen.recent[0] === id
    ? chosen
    : { ...chosen, recent: [id, ...chosen.recent.filter((each) => each !== id)].slice(0, maxRecent) };
}

export function withManual(chosen: ModelChoices, id: string): ModelChoices {
  return chosen.manual.includes(id) || chosen.manual.length >= maxManual
    ? chosen
    : { ...chosen, manual: [...chosen.manual, id] };
}

export function withoutManual(chosen: ModelChoices, id: string): ModelChoices {
  return chosen.manual.includes(id) ? { ...chosen, manual: chosen.manual.filter((each) => each !== id) } : chosen;
}

/** @returns the typed id without surrounding blanks; undefined when the text cannot be an id. */
export function manualId(typed: string): string | undefined {
  const id = typed.trim();
  return id === '' || id.length > maxIdChars || /\p{Cc}/u.test(id) ? undefined : id;
}

function readIds(value: unknown): string[] {
  const items = z.safeParse(ids, value).data ?? [];
  return [...new Set(items.flatMap((item) => z.safeParse(modelId, item).data ?? []))];
}
