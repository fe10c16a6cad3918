import type { TimeWindow } from '@calends/core/store';
import type { LiveRows } from './organization-rows.js';

/** How many start in `from ≤ start < to` (D27). */
export function startingIn({ byStart }: LiveRows, { from, to }: TimeWindow): number {
  const startBefore = (instant: number) =>
    byStart.countWhile(({ appointment }) => appointment.schedule.start < instant);
  return Math.max(0, startBefore(to) - startBefore(from));
}

/**
 * How many intersect the window (D29): all that start before its end, without those that have ended by its
 * beginning, which all started before its end.
 */
export function overlapping({ byStart, byEnd }: LiveRows, { from, to }: TimeWindow): number {
  const started = byStart.countWhile(({ appointment }) => appointment.schedule.start < to);
  const ended = byEnd.countWhile(({ appointment }) => appointment.schedule.end <= from);
  return Math.max(0, started - ended);
}
