import { tracedAvailability } from '../operations/availability/availability.js';
import { operationsWithoutCodes } from '../operations/appointments/appointments.js';
import { eraseCustomer } from '../operations/customers/erase-customer.js';
import { exportCustomer } from '../operations/customers/export-customer.js';
import { issueManageLink, revokeManageLink } from '../operations/customers/manage-links.js';
import { guardedStore, type KeyCheck } from '../keys/key-check.js';
import { OneAtATime } from '../support/one-at-a-time.js';
import { Turns } from '../support/turns.js';
import type { JoinableStore, JoinedStore, SchedulingStore } from '../ports/store/store.js';
import { StoreError } from '../ports/store/store-error.js';
import type { SchedulingWithin } from '../scheduling.js';
import { followCommit } from '../operations/after-commit.js';
import type { Consistency } from '../operations/consistency.js';
import type { Committed, UseCaseContext } from '../operations/context.js';

/** What the operations inside a transaction are made of. */
export interface WithinParts {
  /** That of the library outside: what follows a commit happens there. */
  readonly context: UseCaseContext;
  readonly keyCheck: Pick<KeyCheck, 'admitWithin'>;
  /** Where copies of the data answer what is only shown. */
  readonly consistency: Pick<Consistency, 'noting'> | undefined;
  /** What is built over a store. */
  readonly over: (store: SchedulingStore) => Pick<UseCaseContext, 'manageProofVerifier' | 'availability'>;
}

/**
 * The store inside a transaction of the host.
 *
 * @throws TypeError where the store knows no transactions of hosts, or not this one
 */
export function joinedStore(store: SchedulingStore, transaction: object): JoinedStore {
  if (!isJoinable(store)) throw new TypeError('The store cannot work inside a transaction of the host.');
  return store.joining(transaction);
}

const isJoinable = (store: SchedulingStore): store is JoinableStore => 'joining' in store;

/**
 * The operations inside a transaction of the host; what follows their commits waits for its end.
 *
 * Calls on one appointment, and pages of long answers, are not put in line with those outside: these may wait for a row or the
 * connection that the transaction holds, and it would wait for them.
 */
export function withinTransaction(
  { context, keyCheck, consistency, over }: WithinParts,
  joined: JoinedStore,
): SchedulingWithin {
  const waiting: Committed[] = [];
  const notes: (() => void)[] = [];
  let isOver = false;
  const admit = (): Promise<void> | undefined =>
    isOver
      ? Promise.reject(new StoreError('unexpected', 'The transaction is over.', { outcome: 'none' }))
      : keyCheck.admitWithin(joined);
  const { tracing } = context;
  const guarded = guardedStore(joined, { admit });
  const store = consistency?.noting(guarded, (note) => notes.push(note)) ?? guarded;
  const { availability, ...parts } = over(store);
  const inside: UseCaseContext = {
    ...context,
    ...parts,
    // A savepoint that is rolled back takes versions back, which come again with other rules: nothing is remembered.
    availability: availability && { ...availability, recent: undefined },
    store,
    oneAtATime: new OneAtATime(),
    turns: new Turns(),
    requestsUnderWay: new Map(),
    // Nobody else sees what the transaction has written.
    shown: () => [],
    heldBack: waiting,
  };

  const rolledBack = (): void => {
    isOver = true;
    waiting.length = 0;
  };
  const follow = async (): Promise<void> => {
    isOver = true;
    // From now on it takes copies as long to have it as any other commit.
    for (const note of notes.splice(0)) note();
    const standing = await thatStand(context, waiting.splice(0));
    await Promise.all(standing.map((committed) => followCommit(context, committed)));
  };
  const ended = joined.ended?.then(follow, rolledBack);
  let followed: Promise<void> | undefined;
  return {
    appointments: tracing.operations('appointments', operationsWithoutCodes(inside)),
    customers: tracing.operations('customers', customersWithin(inside)),
    availability: tracedAvailability(inside),
    committed: () => ended ?? (followed ??= follow()),
    rolledBack: () => {
      if (ended === undefined) rolledBack();
    },
  };
}

/** Those that write nothing but what is committed with the rest. */
function customersWithin(context: UseCaseContext): SchedulingWithin['customers'] {
  return {
    issueManageLink: issueManageLink(context),
    revokeManageLink: revokeManageLink(context),
    erase: eraseCustomer(context),
    export: exportCustomer(context),
  };
}

/**
 * Those whose events are there, seen from outside: a savepoint may have been rolled back, and PostgreSQL answers the
 * commit of a transaction that had failed as if it were one. Where the store cannot be asked, that is all that is told.
 */
async function thatStand(
  { store, observer }: UseCaseContext,
  commits: readonly Committed[],
): Promise<readonly Committed[]> {
  const standing = await Promise.all(
    commits.map(async ({ organizationId, event }) => {
      if (event === undefined) return true;
      try {
        const events = await store.events.list({ organizationId, appointmentId: event.appointmentId });
        return events.some(({ id }) => id === event.id);
      } catch (error) {
        observer.observe({ type: 'workerFailed', job: 'within', error });
        return false;
      }
    }),
  );
  return commits.filter((_, index) => standing[index]);
}
