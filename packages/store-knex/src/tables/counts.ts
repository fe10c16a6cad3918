import { type AppointmentChange, type CountedPlace, countedPlace } from '@calends/core/store';
import { sql, type SqlValue } from '../sql/sql.js';
import { columnsOf, tableOf } from './table.js';

/** So many appointments more, or fewer, of a day. */
export interface DayCount {
  readonly organizationId: string;
  readonly applicationId: string;
  /** First instant of the day in UTC, in which they start. */
  readonly day: number;
  readonly state: string;
  /** Milliseconds; absent = of any duration. */
  readonly duration?: number;
  readonly amount: number;
}

const is = columnsOf<DayCount>();
const application = { organization_id: is.text('organizationId'), application_id: is.text('applicationId') };
const dayAndState = { day: is.integer('day'), state: is.text('state') };
const duration = is.optionalInteger('duration');
const place = { ...application, ...dayAndState };
const amount = { amount: is.integer('amount') };

/** What was added up: one row for each application, day and state. */
export const countTable = tableOf<DayCount>('calends_counts')(place, amount);

/** The same by duration. */
export const durationCountTable = tableOf<DayCount>('calends_duration_counts')(
  { ...application, duration, ...dayAndState },
  amount,
);

/** What commits have counted since then, in the order of writing: only added, never changed, so that no two commits meet. */
export const countChangeTable = tableOf<DayCount>('calends_count_changes')({}, { ...place, duration, ...amount });

/** Milliseconds of a day. */
export const dayLength = 24 * 60 * 60 * 1000;

/** The first instant of the day in UTC. */
export const dayOf = (instant: number): number => Math.floor(instant / dayLength) * dayLength;

/** An appointment `x` starts on the day of `s`, as a condition. */
export const isOnDay = sql(`x.start_at >= s.day and x.start_at < s.day + ${dayLength}`);

const counted = (organizationId: string, { start, ...place }: CountedPlace, amount: number): readonly SqlValue[] =>
  countChangeTable.values({ organizationId, day: dayOf(start), amount, ...place });

const isSamePlace = (one: CountedPlace, other: CountedPlace): boolean =>
  one.applicationId === other.applicationId &&
  one.state === other.state &&
  one.duration === other.duration &&
  dayOf(one.start) === dayOf(other.start);

/** What a change of an appointment counts. */
export function countRows(
  organizationId: string,
  change: AppointmentChange | undefined,
): readonly (readonly SqlValue[])[] {
  switch (change?.kind) {
    case 'insert':
      return [counted(organizationId, countedPlace(change.next), 1)];
    case 'update': {
      const after = countedPlace(change.next);
      if (isSamePlace(change.before, after)) return [];
      return [counted(organizationId, change.before, -1), counted(organizationId, after, 1)];
    }
    case 'remove':
      return [counted(organizationId, change.before, -1)];
    default:
      return [];
  }
}
