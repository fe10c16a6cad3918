import type { SchedulingStore } from '@calends/core';

/** A store whose calls are written down, and which can be made to fail. */
export interface ControlledStore {
  readonly store: SchedulingStore;
  /** Calls since the last look, as method and arguments. */
  statements(): readonly string[];
  /** Thrown by every call from now on, until it is `undefined` again. */
  fault: Error | undefined;
}

export function controlledStore(store: SchedulingStore): ControlledStore {
  let log: string[] = [];
  const controlled: ControlledStore = {
    fault: undefined,
    statements: () => {
      const seen = log;
      log = [];
      return seen;
    },
    store: new Proxy(store, {
      get(target, property, receiver) {
        const member: unknown = Reflect.get(target, property, receiver);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          log.push(`${String(property)} ${JSON.stringify(given)}`);
          if (controlled.fault !== undefined) return Promise.reject(controlled.fault);
          return (member as (...all: unknown[]) => unknown).apply(target, given);
        };
      },
    }),
  };
  return controlled;
}
