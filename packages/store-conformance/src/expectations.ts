import assert from 'node:assert/strict';
import type { AppointmentListQuery, Change, SchedulingStore } from '@calends/core';

/** Commits changes one after another and expects each to be committed. */
export async function commitAll(store: SchedulingStore, ...changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    assert.deepEqual(await store.commit(change), { status: 'committed' });
  }
}

/** Commits a change and expects it to be refused as stale. */
export async function expectStale(store: SchedulingStore, change: Change): Promise<void> {
  assert.deepEqual(await store.commit(change), { status: 'stale' });
}

/** How often each outcome stands among results. */
export function outcomes(results: readonly { readonly status: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The ids on the page of a list, after checking that the total tells the same where one page holds all. */
export async function listedIds(store: SchedulingStore, query: AppointmentListQuery): Promise<readonly string[]> {
  const { items, total } = await store.listAppointments(query);
  if (query.pageNumber === 1 && items.length < query.pageSize) assert.equal(total, items.length);
  return items.map(({ id }) => id);
}

/** What is sorted regardless of order of arrival. */
export const sorted = (ids: readonly string[]): readonly string[] => ids.toSorted();
