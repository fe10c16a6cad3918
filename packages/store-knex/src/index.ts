/**
 * Appointments in SQLite, PostgreSQL, MariaDB and MySQL through Knex.
 *
 * @packageDocumentation
 */
export { knexStore, type KnexStore, type KnexStoreOptions } from './knex-store.js';
export type { MigrationProgress } from './migrations/lock-retries.js';
export { migrate, type MigrateOptions, type MigrationReport } from './migrations/migrate.js';
export { type DatabaseAddress, readDatabaseAddress } from './connect/database-address.js';
export { openKnex, type OpenKnexOptions } from './connect/open-knex.js';
export { sqliteKnex, type SqliteKnexOptions } from './connect/sqlite-knex.js';
export type { AnsweredBy, OnShownRead, PrimaryReason } from './readers/readers.js';
