import type { Knex } from 'knex';

interface Connection {
  pragma(source: string): unknown;
}

interface Pool {
  acquire(): { readonly promise: Promise<Connection> };
  release(connection: Connection): boolean;
  on(event: 'createSuccess', listener: (eventId: number, connection: Connection) => void): void;
  removeAllListeners(event: 'createSuccess'): void;
}

/** More pages than a test writes. */
const unlimited = 1_000_000;

/** Lets a SQLite file grow no further, on connections that are opened later too; the answer gives it room again. */
export async function fillDisk(knex: Knex): Promise<() => Promise<void>> {
  const { pool } = knex.client as { readonly pool: Pool };
  const onConnection = async (work: (connection: Connection) => void): Promise<void> => {
    const connection = await pool.acquire().promise;
    try {
      work(connection);
    } finally {
      pool.release(connection);
    }
  };
  // A limit below what there is means what there is.
  const fill = (connection: Connection): void => void connection.pragma('max_page_count = 1');
  pool.on('createSuccess', (_eventId, connection) => {
    fill(connection);
  });
  await onConnection(fill);
  return async () => {
    pool.removeAllListeners('createSuccess');
    await onConnection((connection) => connection.pragma(`max_page_count = ${String(unlimited)}`));
  };
}
