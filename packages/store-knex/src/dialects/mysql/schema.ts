import { StoreError } from '@calends/core';
import { run, type Steps } from '../../database/steps.js';
import { type ColumnTypes, tableElements } from '../../schema/table.js';
import type { SchemaDialect } from '../dialect.js';

const types: ColumnTypes = {
  key: ({ length = 128 }) => `varchar(${length})`,
  text: () => 'text',
  json: () => 'mediumtext',
  integer: () => 'bigint',
};

/** Seconds to wait for another process that migrates. */
const patience = 60;

/** Locks of this kind are those of the whole server: the name holds the database's. */
const lockName = `concat('calends_', left(sha1(database()), 40))`;

/**
 * Collations that compare by code point and count trailing blanks, of MariaDB and of MySQL. `utf8mb4_bin` pads:
 * it takes 'a' and 'a ' for equal.
 */
const collations = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin'];

function* byCodePoint(): Steps<string> {
  const { rows } = yield* run(
    'select collation_name as name from information_schema.collations where collation_name in (?, ?)',
    collations,
  );
  const found = collations.find((collation) => rows.some(({ name }) => name === collation));
  if (found === undefined) {
    throw new StoreError('unexpected', 'The server has no collation that tells ids with trailing blanks apart.');
  }
  return found;
}

export const mysqlSchema: SchemaDialect = {
  *tableWriter() {
    const collation = yield* byCodePoint();
    // One statement, since the server commits each by itself; it cannot index a part of the rows.
    return (table) => [
      `create table if not exists ${table.name} (${[
        ...tableElements(table, types),
        ...table.indices.map(
          ({ name, columns, unique }) => `${unique === true ? 'unique ' : ''}index ${name} (${columns.join(', ')})`,
        ),
      ].join(', ')}) engine = InnoDB default character set utf8mb4 collate ${collation}`,
    ];
  },
  resume: ['start transaction'],
  locksActorRows: true,
  *lock() {
    const { rows } = yield* run(`select get_lock(${lockName}, ?) as held`, [patience]);
    if (Number(rows[0]?.['held']) !== 1) {
      throw new StoreError('contention', 'Another process is migrating the database and does not come to an end.');
    }
  },
  *unlock() {
    yield* run(`select release_lock(${lockName})`);
  },
};
