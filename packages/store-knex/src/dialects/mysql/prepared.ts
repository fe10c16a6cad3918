import { asRows, isRows, isWithin, type MysqlConnection, type MysqlQuery, type MysqlStatement } from './connection.js';

/** Statements after whose making the transaction was seen to stand. */
const seen = new WeakSet<MysqlStatement>();

/** What the node would have said, and its client reads it so. */
const lost = () =>
  Object.assign(new Error('The transaction was ended while a statement of it was prepared.'), {
    code: 'ER_LOCK_DEADLOCK',
    errno: 1213,
    sqlState: '40001',
  });

/**
 * Prepares a statement within a transaction, once for each connection.
 *
 * A node of Galera ends a transaction that lost against another node's, and says so at its next statement; while it
 * prepares one, it does not. What came then would stand by itself, without what was done and locked before (ADR 0100). So the
 * transaction is looked for after each statement that is new.
 *
 * @param fail gets a deadlock when the transaction stands no more
 */
export function prepareWithin(
  connection: MysqlConnection,
  query: MysqlQuery,
  then: () => void,
  fail: (error: Error) => void,
): void {
  connection.prepare(query, (error, statement) => {
    if (error !== null) fail(error);
    else if (seen.has(statement)) then();
    else {
      connection.query(asRows(connection, 'do 0'), (fault, result) => {
        if (fault !== null) fail(fault);
        else if (isRows(result) || !isWithin(result)) fail(lost());
        else {
          seen.add(statement);
          then();
        }
      });
    }
  });
}
