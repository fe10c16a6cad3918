import { afterEach, beforeEach, expect, it } from 'vitest';
import { dialectOf } from '../src/dialects/dialect-of.js';
import { asRows, type MysqlConnection } from '../src/dialects/mysql/connection.js';
import { sql, type Sql } from '../src/sql/sql.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

interface RawConnections {
  acquireRawConnection(): Promise<MysqlConnection>;
  destroyRawConnection(connection: MysqlConnection): Promise<void>;
}

/** The next statement that is prepared ends the transaction, and nothing is said: as on a node of Galera that loses against another. */
function loseTransaction(connection: MysqlConnection): void {
  const { prepare } = connection;
  connection.prepare = (query, done) =>
    prepare.call(connection, query, (error, statement) => {
      connection.prepare = prepare;
      connection.query(asRows(connection, 'rollback'), () => {
        done(error, statement);
      });
    });
}

describeEach(
  'a transaction that is ended while a statement of it is prepared',
  (kind) => {
    let database: TestDatabase;
    let connections: RawConnections;
    let connection: MysqlConnection;
    beforeEach(async () => {
      database = await openDatabase(kind);
      connections = database.knex.client as RawConnections;
      connection = await connections.acquireRawConnection();
      await database.knex.raw('create table counted (id int primary key, value int)');
      await database.knex('counted').insert([
        { id: 1, value: 0 },
        { id: 2, value: 0 },
      ]);
    });
    afterEach(async () => {
      await connections.destroyRawConnection(connection);
      await database.drop();
    });

    const addOne = (id: number) => sql('update counted set value = value + 1 where id = ?', id);
    const addTen = sql('update counted set value = value + 10 where id = ?', 2);
    const run = async (statement: Sql) => dialectOf(database.knex).driver.run(connection, statement, true);
    const values = async (): Promise<readonly number[]> =>
      (await database.knex<{ id: number; value: number }>('counted').orderBy('id')).map(({ value }) => value);

    it('a transaction that is ended while it prepares a statement is told as a deadlock, and the statement is not done alone', async () => {
      await run(sql('start transaction'));
      await run(addOne(1));
      loseTransaction(connection);
      const fault: unknown = await run(addTen).catch((error: unknown) => error);
      expect(dialectOf(database.knex).readFault(fault)).toMatchObject({ code: 'contention', undone: true });
      await run(sql('commit'));
      expect(await values()).toEqual([0, 0]);
    });

    it('a transaction that was ended is looked for again by the next transaction, whose statement is done', async () => {
      await run(sql('start transaction'));
      loseTransaction(connection);
      await expect(run(addTen)).rejects.toThrow('was ended');
      await run(sql('start transaction'));
      expect(await run(addTen)).toMatchObject({ affected: 1 });
      await run(sql('commit'));
      expect(await values()).toEqual([0, 10]);
    });

    it('a transaction that is ended while it prepares a statement is looked for once: the connection keeps the statement', async () => {
      const asked: string[] = [];
      const { query } = connection;
      connection.query = (statement, done) => {
        asked.push(statement.sql);
        return query.call(connection, statement, done);
      };
      await run(sql('start transaction'));
      for (const id of [1, 2]) await run(addOne(id));
      await run(sql('commit'));
      expect(asked).toEqual(['start transaction', 'do 0', 'commit']);
      expect(await values()).toEqual([1, 1]);
    });

    it('a transaction that is ended while it prepares a statement is not looked for where a server is no node of a cluster', async () => {
      await dialectOf(database.knex).driver.adopt(connection);
      await run(sql('start transaction'));
      loseTransaction(connection);
      // Nothing was prepared apart: what would have lost the transaction was not asked.
      expect(await run(addOne(1))).toMatchObject({ affected: 1 });
      await run(sql('commit'));
      expect(await values()).toEqual([1, 0]);
    });
  },
  { families: ['mysql'], shared: true },
);
