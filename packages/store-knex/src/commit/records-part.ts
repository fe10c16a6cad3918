import type { AvailabilityRecordChange } from '@calends/core/store';
import { integer } from '../sql/rows.js';
import { run, runSingle } from '../sql/steps.js';
import { availabilityTable } from '../tables/availability.js';
import type { CommitPart } from './part.js';

const find = `select version from calends_availability where ${availabilityTable.isKey}`;
const remove = `delete from calends_availability where ${availabilityTable.isKey}`;

/** The key of a record that is changed. */
export const recordKey = (organizationId: string, { kind, scopeId, id }: AvailabilityRecordChange) =>
  availabilityTable.keyValues({ organizationId, kind, scopeId, id });

/** Services, hours and exceptions, over the versions that were looked at. */
export const recordsPart: CommitPart = {
  refusal: {
    status: 'stale',
    *isRefused({ lockingProofs }, { change: { organizationId, records = [] } }) {
      for (const record of records) {
        const row = yield* runSingle(`${find}${lockingProofs}`, recordKey(organizationId, record));
        if ((row === undefined ? 0 : integer(row, 'version')) !== record.expectedVersion) return true;
      }
      return false;
    },
  },

  *write({ dialect, prepared: { change }, organizationId }) {
    for (const record of change.records ?? []) {
      const { next, expectedVersion } = record;
      const key = recordKey(organizationId, record);
      if (next === undefined) yield* run(remove, key);
      else if (expectedVersion === 0) yield* dialect.insertRows(availabilityTable, [availabilityTable.values(next)]);
      else
        yield* run(`${availabilityTable.replace} ${availabilityTable.isKey}`, [
          ...availabilityTable.otherValues(next),
          ...key,
        ]);
    }
  },
};
