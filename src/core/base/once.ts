/** A function that does its work at the first call and gives every caller the same result. */
export type Once<T> = {
  (): T;
  /** The result, only when somebody has asked for it. */
  ifCalled(): T | undefined;
};

export function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | undefined;
  const call = () => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(call, { ifCalled: () => made?.value });
}
