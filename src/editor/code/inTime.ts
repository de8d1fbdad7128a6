/** Resolves to undefined when nothing has come after `limitMs`. A language server that is still starting takes seconds. */
export function inTime<T>(limitMs: number, coming: Promise<T>): Promise<T | undefined> {
  return Promise.race([coming, new Promise<undefined>((resolve) => setTimeout(resolve, limitMs, undefined))]);
}
