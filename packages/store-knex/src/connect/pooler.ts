import type { Knex } from 'knex';

/**
 * Where the client of an instance says that a pooler gives each of its transactions another connection; the same in both builds
 * of this package.
 */
export const poolerMark = Symbol.for('calends.pooler');

/** True where what is set for a connection, or prepared on it, may be of another one in the next transaction. */
export const changesConnections = (knex: Knex): boolean =>
  (knex.client as { readonly [poolerMark]?: boolean })[poolerMark] === true;
