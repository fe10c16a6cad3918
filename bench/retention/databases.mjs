// A database of its own on each engine that is there, and how big its tables are.
import { migrate, openKnex, sqliteKnex } from '@calends/store-knex';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const servers = {
  postgres: process.env['CALENDS_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test',
  mariadb: process.env['CALENDS_TEST_MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test',
};

/** Names that were asked for on the command line, after the subject; all unless told. */
export const asked = process.argv.slice(3).length > 0 ? process.argv.slice(3) : ['sqlite', ...Object.keys(servers)];

/** Runs with a migrated database of its own, which is taken away afterwards. */
export async function withDatabase(name, use, prepare = migrate) {
  if (name === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'calends-bench-'));
    const knex = sqliteKnex({ filename: join(folder, 'calends.db') });
    try {
      await prepare(knex);
      return await use(knex);
    } finally {
      await knex.destroy();
      await rm(folder, { recursive: true });
    }
  }
  const server = openKnex(servers[name]);
  const database = `cal_bench_${process.pid}`;
  await server.raw(`drop database if exists ${database}`);
  await server.raw(`create database ${database}`);
  const url = new URL(servers[name]);
  url.pathname = `/${database}`;
  const knex = openKnex(url.href, { statementTimeout: 600_000 });
  try {
    await prepare(knex);
    return await use(knex, url.href);
  } finally {
    await knex.destroy();
    await server.raw(`drop database ${database}`);
    await server.destroy();
  }
}

const sizeQueries = {
  sqlite: `select t.tbl_name as name, sum(case when t.name = t.tbl_name then s.pgsize else 0 end) as rows_,
      sum(case when t.name = t.tbl_name then 0 else s.pgsize end) as indices
    from dbstat s join sqlite_schema t on t.name = s.name where t.tbl_name like 'calends%' group by t.tbl_name`,
  postgres: `select relname as name, pg_table_size(oid) as rows_, pg_indexes_size(oid) as indices from pg_class
    where relkind = 'r' and relname like 'calends%'`,
  mariadb: `select table_name as name, data_length as rows_, index_length as indices from information_schema.tables
    where table_schema = database()`,
};

/** Bytes of rows and of indices, by table. */
export async function sizes(name, knex) {
  if (name === 'postgres') await knex.raw('vacuum analyze');
  const answer = await knex.raw(sizeQueries[name]);
  const rows = name === 'postgres' ? answer.rows : name === 'mariadb' ? answer[0] : answer;
  if (name === 'mariadb') {
    await knex.raw(`analyze table ${rows.map((row) => row.name).join(', ')}`);
    const [again] = await knex.raw(sizeQueries[name]);
    return byName(again);
  }
  return byName(rows);
}

const byName = (rows) =>
  new Map(rows.map((row) => [row.name, { rows: Number(row.rows_), indices: Number(row.indices) }]));
