import type { Knex } from 'knex';
import type { DatabaseKind } from './databases.js';
import { isOfProgramVersion } from './program-version.js';

/** A statement as it was sent. */
interface Asked {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** How a statement reads one of the tables of Calends. */
export interface TableAccess {
  /** As the database words it. */
  readonly detail: string;
  /** True when it reads the table, or all of an index, from its beginning to its end. */
  readonly isWhole: boolean;
  /** True when it sorts rows instead of reading them in order. */
  readonly sorts: boolean;
}

async function explainOnMysql(knex: Knex, { sql, bindings }: Asked): Promise<readonly TableAccess[]> {
  const [rows] = (await knex.raw(`explain ${sql}`, [...bindings])) as [
    readonly Record<string, string | number | null>[],
  ];
  return rows.map(({ table, type, key, Extra }) => {
    const isOwn = table !== null && !String(table).startsWith('<');
    const detail = `${String(table)} ${String(type)} ${String(key)} ${String(Extra)}`;
    return { detail, isWhole: isOwn && (type === 'ALL' || type === 'index'), sorts: /filesort/.test(String(Extra)) };
  });
}

async function explainOnSqlite(knex: Knex, { sql, bindings }: Asked): Promise<readonly TableAccess[]> {
  const rows = await knex.raw<readonly { readonly detail: string }[]>(`explain query plan ${sql}`, [...bindings]);
  return rows.map(({ detail }) => ({
    detail,
    // Aliases of tables; what a statement has put together by itself has other names.
    isWhole: /^SCAN (calends_\w+|[xae])\b/.test(detail),
    sorts: /TEMP B-TREE/.test(detail),
  }));
}

async function explainOnPostgres(knex: Knex, { sql, bindings }: Asked): Promise<readonly TableAccess[]> {
  const { rows } = await knex.raw<{ rows: readonly Record<string, string>[] }>(`explain (costs off) ${sql}`, [
    ...bindings,
  ]);
  return rows.map((row) => {
    const detail = row['QUERY PLAN'] ?? '';
    return { detail, isWhole: /Seq Scan on calends_/.test(detail), sorts: /Sort\b/.test(detail) };
  });
}

const explainOn = { mysql: explainOnMysql, sqlite: explainOnSqlite, postgres: explainOnPostgres } as const;

/** How the statements of a call, made on one instance and explained on another, read their tables. */
export async function accessesOf(
  { family }: DatabaseKind,
  { asks, explains }: { readonly asks: Knex; readonly explains: Knex },
  call: () => Promise<unknown>,
): Promise<readonly TableAccess[]> {
  const asked: Asked[] = [];
  const listener = (statement: Asked): void => {
    // An insert of values reads nothing.
    if (isOfProgramVersion(statement.sql)) return;
    if (/^(select|update|delete|with)|^insert[^]* select /.test(statement.sql)) asked.push(statement);
  };
  asks.on('query', listener);
  try {
    await call();
  } finally {
    asks.removeListener('query', listener);
  }
  const accesses: TableAccess[] = [];
  for (const statement of asked) accesses.push(...(await explainOn[family](explains, statement)));
  return accesses;
}
