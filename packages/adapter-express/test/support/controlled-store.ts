import { type SchedulingStore, type StoreCall, wrapStore } from '@calends/core/store';

/** Asked at most once a second, whatever is done (D67). */
const keyMethods: ReadonlySet<string> = new Set(['keys.list', 'keys.add']);

/** A store whose calls are written down, and which can be made to fail. */
export interface ControlledStore {
  readonly store: SchedulingStore;
  /** The same, uncontrolled. */
  readonly own: SchedulingStore;
  /** Calls since the last look, as method and arguments; without those about keys. */
  statements(): readonly string[];
  /** Thrown by every call from now on, until it is `undefined` again. */
  fault: Error | undefined;
  /** Told of every call before it is made, with its method and arguments. */
  before: ((statement: string) => void) | undefined;
  /** Methods that answer in the place of the store's own, as another process would have left things. */
  instead: { readonly [Subject in keyof SchedulingStore]?: Partial<SchedulingStore[Subject]> };
}

export function controlledStore(store: SchedulingStore): ControlledStore {
  let log: string[] = [];
  const controlled: ControlledStore = {
    fault: undefined,
    before: undefined,
    instead: {},
    own: store,
    statements: () => {
      const seen = log;
      log = [];
      return seen;
    },
    store: wrapStore(store, (name, call) => (...given) => {
      const statement = `${name} ${JSON.stringify(given)}`;
      if (!keyMethods.has(name)) log.push(statement);
      controlled.before?.(statement);
      if (controlled.fault !== undefined) return Promise.reject(controlled.fault);
      const [subject, method] = name.split('.');
      const instead: unknown = Reflect.get(
        Object(Reflect.get(controlled.instead, subject ?? '')) as object,
        method ?? '',
      );
      return typeof instead === 'function' ? (instead as StoreCall)(...given) : call(...given);
    }),
  };
  return controlled;
}
