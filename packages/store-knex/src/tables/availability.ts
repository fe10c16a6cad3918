import type { AvailabilityKey, AvailabilityRecord } from '@calends/core/store';
import { columnsOf, readerOf, tableOf } from './table.js';

/** The key of a record, in its organization. */
export interface RecordPlace extends AvailabilityKey {
  readonly organizationId: string;
}

const key = columnsOf<RecordPlace>();
const is = columnsOf<AvailabilityRecord>();

export const availabilityTable = tableOf<AvailabilityRecord>('calends_availability')(
  {
    organization_id: key.text('organizationId'),
    kind: key.text('kind'),
    scope_id: key.text('scopeId'),
    id: key.text('id'),
  },
  {
    version: is.integer('version'),
    document: is.json('document'),
    updated_at: is.integer('updatedAt'),
  },
);

/** The record of a row. */
export const readRecord = readerOf(availabilityTable);
