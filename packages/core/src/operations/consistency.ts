import { AsyncLocalStorage } from 'node:async_hooks';
import { copiesMayLack, type ShownRead } from '../ports/store/appointments.js';
import type { SchedulingStore } from '../ports/store/store.js';
import { RecentMarks } from './recent-marks.js';
import { fieldsOf } from '../support/host-answers.js';

/** Calls that see what the caller has written before, where copies of the data answer what is only shown. */
export interface ConsistentCalls {
  /** Runs calls of the caller: they see what the token stands for, and what they write is in the token that they leave. */
  run<Result>(work: () => Result): Result;
  /** What the caller is to bring along with later calls, in whatever process; absent where nothing was written. */
  readonly token: string | undefined;
}

/** What a read of the store gets besides its query, where copies may answer it. */
export type Shown = readonly [] | readonly [ShownRead];

/** Which calls are under way. */
interface Call {
  readonly calls: Conversation | undefined;
  /** Whose they are; absent where nobody is named. */
  readonly caller: string | undefined;
}

interface Conversation {
  /** What the caller brought; `unread` for what is no token. */
  readonly after: string | undefined | { readonly unread: true };
  token: string | undefined;
}

const form = /^[0-9A-Za-z]{1,64}$/;

/** A second more for the answer on its way, and one for the looks of a store. */
const rememberedFor = copiesMayLack + 2000;

type Operation = (...given: readonly unknown[]) => unknown;

/**
 * Lets callers read what they have written, where copies of the store's data answer what is only shown: remembers for some
 * seconds what the operations of a caller have committed in this process, and takes the word of a token for other processes.
 */
export class Consistency {
  readonly #current = new AsyncLocalStorage<Call>();
  readonly #recent: RecentMarks;

  /** `elapsed` tells milliseconds that never go back. */
  constructor(elapsed: () => number) {
    this.#recent = new RecentMarks(elapsed, rememberedFor);
  }

  /** Operations whose first argument tells who calls. */
  operations<Operations extends object>(operations: Operations): Operations {
    const known = (operation: Operation): Operation => {
      return (...given) => {
        const call = { calls: this.#current.getStore()?.calls, caller: callerIn(given[0]) };
        return this.#current.run(call, () => operation(...given));
      };
    };
    return Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [name, known(operation as Operation)]),
    ) as typeof operations;
  }

  /** Calls that follow those that have left this token. */
  following(token: string | undefined): ConsistentCalls {
    const after = token === undefined || form.test(token) ? token : ({ unread: true } as const);
    return new FollowingCalls(this.#current, { after, token: undefined });
  }

  /** How a read is asked for whose answer is only shown; nothing where only the store itself can know all of it. */
  readonly shown = (): Shown => {
    const { calls, caller } = this.#current.getStore() ?? {};
    const after = calls?.after;
    if (typeof after === 'object') return [];
    return [{ after: greater(after, this.#recent.of(caller)) }];
  };

  /** The store, of whose commits the callers are remembered; `later` gets what remembers a commit once more. */
  noting(store: SchedulingStore, later?: (note: () => void) => void): SchedulingStore {
    return {
      ...store,
      commit: async (change, options) => {
        const result = await store.commit(change, options);
        if (result.status !== 'committed' || result.mark === undefined) return result;
        const { mark } = result;
        const call = this.#current.getStore();
        const note = (): void => {
          this.#note(mark, call);
        };
        note();
        later?.(note);
        return result;
      },
    };
  }

  #note(mark: string, { calls, caller }: Partial<Call> = {}): void {
    this.#recent.note(caller, mark);
    if (calls !== undefined) calls.token = greater(calls.token, greater(mark, this.#recent.of(caller)));
  }
}

class FollowingCalls implements ConsistentCalls {
  readonly #current: AsyncLocalStorage<Call>;
  readonly #calls: Conversation;

  constructor(current: AsyncLocalStorage<Call>, calls: Conversation) {
    this.#current = current;
    this.#calls = calls;
  }

  run<Result>(work: () => Result): Result {
    return this.#current.run({ calls: this.#calls, caller: undefined }, work);
  }

  get token(): string | undefined {
    return this.#calls.token;
  }
}

/** Marks compare as strings. */
function greater(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

/** Who calls, by what operations get first: a caller, a visitor, or something else. */
function callerIn(given: unknown): string | undefined {
  const { id, organizationId, clientAddress } = fieldsOf(given);
  if (typeof organizationId === 'string' && typeof id === 'string') return JSON.stringify([organizationId, id]);
  return typeof clientAddress === 'string' ? clientAddress : undefined;
}
