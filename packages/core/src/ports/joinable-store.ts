import type { SchedulingStore } from './scheduling-store.js';

/** A store inside a transaction of the host: what it writes is committed or rolled back with the host's own rows. */
export interface JoinedStore extends SchedulingStore {
  /**
   * Resolves once the outermost transaction was committed, rejects once it was rolled back; absent where only the host
   * knows. A database may answer a commit well that was none: it is looked at again.
   */
  readonly ended?: Promise<unknown> | undefined;
}

/** A store that can work inside transactions of the host (`scheduling.within`). */
export interface JoinableStore extends SchedulingStore {
  /**
   * The same store inside a transaction that the host has opened and will end.
   *
   * @throws TypeError for what is no transaction that the store knows
   */
  joining(transaction: object): JoinedStore;
}
