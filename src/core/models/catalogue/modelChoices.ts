import * as z from 'zod/mini';

/** What a person chose among the models of one connection: exact ids, which the gateway may no longer list. */
export type ModelChoices = {
  readonly defaultModel?: string;
  /** In the order they were chosen. */
  readonly favourites: readonly string[];
  /** Newest first. */
  readonly recent: readonly string[];
  /** Ids typed by hand, because a gateway lists none or not all it serves. */
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

/** Reads what was kept between sessions; a part that is wrong is left out and the rest stays. */
export function readChoices(kept: unknown): ModelChoices {
  const parts = z.safeParse(choices, kept).data ?? {};
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

/** The favourite joins at the end; beyond 500 none does. */
export function withFavourite(chosen: ModelChoices, id: string, isFavourite: boolean): ModelChoices {
  const { favourites } = chosen;
  if (favourites.includes(id) === isFavourite || (isFavourite && favourites.length >= maxFavourites)) {
    return chosen;
  }
  return { ...chosen, favourites: isFavourite ? [...favourites, id] : favourites.filter((each) => each !== id) };
}

/** The model that was just asked goes to the front; the oldest one falls out. */
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

/** @returns the id a person typed, without blanks around it; undefined when it can be none. */
export function manualId(typed: string): string | undefined {
  const id = typed.trim();
  return id === '' || id.length > maxIdChars || /\p{Cc}/u.test(id) ? undefined : id;
}

function readIds(value: unknown): string[] {
  const items = z.safeParse(ids, value).data ?? [];
  return [...new Set(items.flatMap((item) => z.safeParse(modelId, item).data ?? []))];
}
