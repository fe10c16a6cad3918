import { recordKey } from '../../commit/records-part.js';
import { availabilityTable } from '../../tables/availability.js';
import { holdTable } from '../../tables/holds.js';
import { assignments, insertApplied, isApplied, sameKey, statementPart } from './statement-part.js';

/** Holds; whether one that is used is alive was looked at before, under a lock that is still held. */
export const holdsStatement = statementPart({
  sets: { held: holdTable.fields, ended_holds: { organization_id: 'text', hold_id: 'text' } },
  rows: ({ change: { organizationId }, holds, endedHolds }) => ({
    held: holds,
    ended_holds: endedHolds.map((id) => [organizationId, id]),
  }),
  effects: {
    held: () => [`inserted_holds as (${insertApplied(holdTable, 'held')})`],
    ended_holds: () => [
      `deleted_holds as (
        delete from calends_holds t using ended_holds d
        where t.organization_id = d.organization_id and t.hold_id = d.hold_id and d.${isApplied})`,
    ],
  },
});

const { fields } = availabilityTable;

/** Records of services and hours; their versions were looked at before, under locks that are still held. */
export const recordsStatement = statementPart({
  sets: {
    made_records: fields,
    changed_records: fields,
    dropped_records: { organization_id: 'text', kind: 'text', scope_id: 'text', id: 'text' },
  },
  rows({ change: { organizationId, records = [] } }) {
    const written = (isNew: boolean) =>
      records.flatMap(({ next, expectedVersion }) =>
        next !== undefined && (expectedVersion === 0) === isNew ? [availabilityTable.values(next)] : [],
      );
    const dropped = records.filter(({ next }) => next === undefined);
    return {
      made_records: written(true),
      changed_records: written(false),
      dropped_records: dropped.map((record) => recordKey(organizationId, record)),
    };
  },
  effects: {
    // A rival's of the same key violates it, and undoes the whole statement.
    made_records: () => [`inserted_records as (${insertApplied(availabilityTable, 'made_records')})`],
    changed_records: () => [
      `updated_records as (
        update calends_availability r set ${assignments(availabilityTable, 'c')}
        from changed_records c join applied s on s.position = c.position
        where ${sameKey(availabilityTable, 'r', 'c')})`,
    ],
    dropped_records: () => [
      `deleted_records as (
        delete from calends_availability r using dropped_records d
        where ${sameKey(availabilityTable, 'r', 'd')} and d.${isApplied})`,
    ],
  },
});
