/** A value, now or later. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Tells whether a value comes later; a host's promise may be of another library. */
export function isPromise<Value>(value: MaybePromise<Value>): value is Promise<Value> {
  return typeof (value as Partial<Promise<Value>> | null | undefined)?.then === 'function';
}

/** Goes on with a value: at once where it is there, so that what is known costs no promise. */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** An answer that nobody waits for: where it is a promise that rejects, that must not end the process. */
export function dropRejection(answer: unknown): void {
  if (isPromise(answer)) void Promise.resolve(answer).catch(() => undefined);
}

/** So many parts of an answer are looked at; no port asks for an answer with more of them. */
const maxParts = 1000;

/** An answer of the host that is refused: promises anywhere in it must not end the process either, where an `await` is missing. */
export function dropRejectionsIn(answer: unknown): void {
  const parts = new Set<unknown>([answer]);
  // A set goes on to what is added while it is walked, and an answer may hold itself.
  for (const part of parts) {
    try {
      dropRejection(part);
      if (typeof part !== 'object' || part === null || isPromise(part) || ArrayBuffer.isView(part)) continue;
      for (const inner of Object.values(part)) if (parts.size < maxParts) parts.add(inner);
    } catch {
      // What throws when it is looked at has nothing to drop.
    }
  }
}

/**
 * Calls a hook of the host: what it throws, or rejects with, must not become the fault of a request, nor end the process.
 *
 * A hook that answers nothing may be written as one that hands on to several, `(told) => all.map((each) => each(told))`: no compiler
 * says that nobody waits for the promises in that list.
 */
export function quietly(hook: () => unknown): void {
  try {
    for (const answer of [hook()].flat()) dropRejection(answer);
  } catch {
    // Nobody is left to tell.
  }
}

/** The fields of whatever was given, typed or not: what is no object has none. */
export function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  return Object(given) as Readonly<Record<string, unknown>>;
}

/** Something with a class and no fields, as a map or a promise: what it holds is no member of it. */
export function isEmptyInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Object.keys(value).length === 0 && prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
