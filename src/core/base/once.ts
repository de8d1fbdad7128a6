/** A function that does its work on the first call and returns the same result on every call. */
export type Once<T> = {
  (): T;
  /** The result, or undefined before the first call. */
  ifCalled(): T | undefined;
};

/** Wraps `make`. When it throws, nothing is stored and the next call runs it again. */
export function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | undefined;
  const call = () => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(call, { ifCalled: () => made?.value });
}
