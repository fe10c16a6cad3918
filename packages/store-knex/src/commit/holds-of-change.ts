import type { Change } from '@calends/core/store';
import { holdActors } from '../tables/holds.js';

const none: readonly never[] = [];

/** Ids of the holds that a change uses or gives up, each once. */
export function endedHolds({ holds }: Change): readonly string[] {
  if (holds === undefined) return none;
  const { consume, release = none } = holds;
  return [...new Set(consume === undefined ? release : [consume, ...release])];
}

/**
 * The actors under whose locks a change is decided on: those whose time it takes, for whom it is counted, and under whom its hold
 * is found.
 */
export function lockedActors({ guard, limits, holds }: Change): readonly string[] {
  const held = holds?.add === undefined ? none : holdActors(holds.add).keys();
  return [...new Set([...(guard?.actorIds ?? none), ...(limits ?? none).map(({ actorId }) => actorId), ...held])];
}

/** Tells whether times, limits or holds decide on a change, which are looked at before anything is written. */
export const asksForTime = ({ guard, limits = none, holds }: Change): boolean =>
  guard !== undefined || limits.length > 0 || holds !== undefined;

/** Tells whether a change is looked at under locks of its actors, or of the records that it changes. */
export const decidesUnderLocks = (change: Change): boolean =>
  asksForTime(change) || (change.records ?? none).length > 0;

/** What two changes must not share to be written in one batch: a hold, and a record. */
export function holdKeys(change: Change): readonly (readonly string[])[] {
  const { holds, records = none } = change;
  if (holds === undefined && records.length === 0) return none;
  const ids = [...(holds?.add === undefined ? none : [holds.add.id]), ...endedHolds(change)];
  return [...ids.map((id) => ['hold', id]), ...records.map(({ kind, scopeId, id }) => ['record', kind, scopeId, id])];
}
