import type { Appointment } from '@calends/core';
import type { Change, Notification, OtpChallenge, RefusalStatus, SchedulingStore, Ticket } from '@calends/core/store';
import { expect } from './expectations.js';
import { insertion } from './fixtures/changes.js';
import { adding } from './fixtures/notifications.js';
import { firstIssue, proving } from './fixtures/proofs.js';

/** Commits changes one after another and expects each to be committed. */
export async function commitAll(store: SchedulingStore, ...changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    expect(await store.commit(change)).toEqual({ status: 'committed' });
  }
}

/** Commits the appointment, and gives it back. */
export async function inserted<Kind extends Appointment>(store: SchedulingStore, next: Kind): Promise<Kind> {
  await commitAll(store, insertion(next));
  return next;
}

/** Commits the notification, and gives it back. */
export async function added(store: SchedulingStore, next: Notification): Promise<Notification> {
  await commitAll(store, adding(next));
  return next;
}

/** Puts the first challenge of its subject, and gives it back. */
export async function put(store: SchedulingStore, first: OtpChallenge): Promise<OtpChallenge> {
  expect(await store.customers.putChallenge(first, undefined)).toEqual(true);
  return first;
}

/** Issues the first ticket of its key, and gives it back. */
export async function issued(store: SchedulingStore, first: Ticket): Promise<Ticket> {
  await commitAll(store, proving(first.organizationId, { ticket: firstIssue(first) }));
  return first;
}

export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** The answers to as many calls at once. */
export const atOnce = <Answer>(count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(numbers(count).map(call));

/** How often each outcome stands among results. */
export function outcomes(results: readonly { readonly status: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Commits as many changes at once, by both stores if there are two; expects one to win, and the others to be refused. */
export async function race(
  count: number,
  refused: RefusalStatus,
  changeOf: (index: number) => Change,
  store: SchedulingStore,
  other = store,
): Promise<number> {
  const results = await atOnce(count, (index) => (index % 2 === 0 ? store : other).commit(changeOf(index)));
  expect(outcomes(results)).toEqual({ committed: 1, [refused]: count - 1 });
  return results.findIndex(({ status }) => status === 'committed');
}
