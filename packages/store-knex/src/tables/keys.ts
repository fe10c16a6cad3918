import type { NamedKey } from '@calends/core/store';
import { columnsOf, readerOf, tableOf } from './table.js';

const is = columnsOf<NamedKey>();
const keyColumns = { key_number: is.integer('number') };
const fixedColumns = { key_id: is.text('id'), check_value: is.text('check') };

/** Named keys as they are made. */
export const keyTable = tableOf<NamedKey>('calends_keys')(keyColumns, fixedColumns);

const standingTable = tableOf<NamedKey>('calends_keys')(keyColumns, {
  ...fixedColumns,
  quiet_since: is.optionalInteger('quietSince'),
  kept_audit: is.optionalText('keptAudit'),
});

/** What {@link readKey} reads of a row, as columns of a statement. */
export const namedKeyColumns = standingTable.list;

/** The key of a row, with what came to it later. */
export const readKey = readerOf(standingTable);
