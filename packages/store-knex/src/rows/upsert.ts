import { places } from '../database/sql.js';
import { type Fields, fieldNames } from './fields.js';

/** Makes `insert … values (?, …)` that replaces the row of the same key, for databases with `on conflict`. */
export function upsertOnConflict(): (table: string, fields: Fields, key: readonly string[]) => string {
  const made = new Map<string, string>();
  return (table, fields, key) => {
    const known = made.get(table);
    if (known !== undefined) return known;
    const names = fieldNames(fields);
    const replaced = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
    const statement = `insert into ${table} (${names.join(', ')}) values (${places(names.length)})
      on conflict (${key.join(', ')}) do update set ${replaced.join(', ')}`;
    made.set(table, statement);
    return statement;
  };
}
