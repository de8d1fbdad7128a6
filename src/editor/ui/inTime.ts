/** Resolves to undefined when nothing has come after `limitMs`. A language server that is still starting takes seconds. */
export function inTime<T>(limitMs: number, coming: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined);
  });
  return Promise.race([coming, late]).finally(() => clearTimeout(timer));
}
