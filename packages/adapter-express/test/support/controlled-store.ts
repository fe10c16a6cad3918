import type { SchedulingStore } from '@calends/core';

/** Asked at most once a second, whatever is done (D67). */
const keyMethods: ReadonlySet<string | symbol> = new Set(['listKeys', 'addKey']);

/** A store whose calls are written down, and which can be made to fail. */
export interface ControlledStore {
  readonly store: SchedulingStore;
  /** Calls since the last look, as method and arguments; without those about keys. */
  statements(): readonly string[];
  /** Thrown by every call from now on, until it is `undefined` again. */
  fault: Error | undefined;
  /** Told of every call before it is made, with its method and arguments. */
  before: ((statement: string) => void) | undefined;
  /** Methods that answer in the place of the store's own, as another process would have left things. */
  instead: Partial<SchedulingStore>;
}

export function controlledStore(store: SchedulingStore): ControlledStore {
  let log: string[] = [];
  const controlled: ControlledStore = {
    fault: undefined,
    before: undefined,
    instead: {},
    statements: () => {
      const seen = log;
      log = [];
      return seen;
    },
    store: new Proxy(store, {
      get(target, property, receiver) {
        const own: unknown = Reflect.get(target, property, receiver);
        const member: unknown = Reflect.get(controlled.instead, property) ?? own;
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          const statement = `${String(property)} ${JSON.stringify(given)}`;
          if (!keyMethods.has(property)) log.push(statement);
          controlled.before?.(statement);
          if (controlled.fault !== undefined) return Promise.reject(controlled.fault);
          return (member as (...all: unknown[]) => unknown).apply(target, given);
        };
      },
    }),
  };
  return controlled;
}
