import { openKnex } from '@calends/store-knex';
import { randomUUID } from 'node:crypto';
import type { Mark } from './examples.js';

/** A server of databases that some examples need. */
export interface DatabaseServer {
  readonly mark: Mark;
  readonly name: string;
  /** The address that examples show; a database of the test takes its place. */
  readonly shown: string;
  readonly url: string | undefined;
  /** Why it cannot be used here. */
  readonly missing: string | undefined;
}

function server(mark: Mark, name: string, shown: string, variable: string): DatabaseServer {
  const url = process.env[variable];
  if (url === undefined && process.env['CALENDS_REQUIRE_DATABASES'] === '1') {
    throw new Error(`CALENDS_REQUIRE_DATABASES=1: ${variable} is not set`);
  }
  return { mark, name, shown, url, missing: url === undefined ? ` (${variable} is not set)` : undefined };
}

export const databaseServers = [
  server('on-postgres', 'PostgreSQL', 'postgres://calends:secret@127.0.0.1:5432/calends', 'CALENDS_TEST_POSTGRES_URL'),
  server('on-mariadb', 'MariaDB', 'mysql://calends:secret@127.0.0.1:3306/calends', 'CALENDS_TEST_MARIADB_URL'),
] as const;

/** Gives an empty database of the server for as long as something runs. */
export async function withDatabase(
  { name, url: serverUrl }: DatabaseServer,
  run: (url: string) => Promise<void>,
): Promise<void> {
  if (serverUrl === undefined) throw new Error(`There is no ${name} here.`);
  const database = `calends_docs_${randomUUID().replaceAll('-', '')}`;
  const server = openKnex(serverUrl);
  try {
    await server.raw(`create database ${database}`);
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    await run(url.href);
  } finally {
    await server.raw(`drop database if exists ${database}`);
    await server.destroy();
  }
}
