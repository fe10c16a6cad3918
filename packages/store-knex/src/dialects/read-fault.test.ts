import type { StoreErrorCode, StoreErrorReason } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import { mysqlFault } from './mysql/faults.js';
import { postgresFault } from './postgres/faults.js';
import { sqliteFault } from './sqlite/faults.js';
import { type Fault, storeError } from '../faults/store-fault.js';

type Row = readonly [what: string, error: unknown, code: StoreErrorCode, reason?: StoreErrorReason];

const errorWith = (fields: Record<string, unknown>, message = 'a message'): Error =>
  Object.assign(new Error(message), fields);

const named = (name: string, message: string): Error => errorWith({ name }, message);

const transport: readonly Row[] = [
  ['a refused connection', errorWith({ code: 'ECONNREFUSED', errno: -111 }), 'unavailable', 'noConnection'],
  [
    'a refused connection at every address',
    new AggregateError([errorWith({ code: 'ECONNREFUSED' })]),
    'unavailable',
    'noConnection',
  ],
  ['a host that has no address', errorWith({ code: 'ENOTFOUND' }), 'unavailable', 'noConnection'],
  ['a connection that was cut', errorWith({ code: 'ECONNRESET' }), 'unavailable'],
  ['a certificate of nobody', errorWith({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'unavailable', 'tlsRefused'],
  ['a certificate that has expired', errorWith({ code: 'CERT_HAS_EXPIRED' }), 'unavailable', 'tlsRefused'],
  ['a certificate of somebody else', errorWith({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'unavailable', 'tlsRefused'],
  ['a pool that stays exhausted', named('KnexTimeoutError', 'Knex: Timeout acquiring a connection.'), 'unavailable'],
  ['a Knex that was ended', new Error('Unable to acquire a connection'), 'unavailable'],
  ['a defect', new TypeError('x is not a function'), 'unexpected'],
  ['nothing', undefined, 'unexpected'],
  ['a text', 'broken', 'unexpected'],
];

const tables: Readonly<Record<string, readonly [read: (error: unknown) => Fault, rows: readonly Row[]]>> = {
  PostgreSQL: [
    postgresFault,
    [
      ['a serialization failure', errorWith({ code: '40001' }), 'contention'],
      ['a deadlock', errorWith({ code: '40P01' }), 'contention'],
      ['a missing table', errorWith({ code: '42P01' }), 'schema'],
      ['a missing column', errorWith({ code: '42703' }), 'schema'],
      ['a shut-down', errorWith({ code: '57P01' }), 'unavailable'],
      ['a start that is not done', errorWith({ code: '57P03' }), 'unavailable'],
      ['too many connections', errorWith({ code: '53300' }), 'unavailable', 'connectionsUsedUp'],
      ['a wrong password', errorWith({ code: '28P01' }), 'unavailable', 'loginRefused'],
      ['a role that may not log in', errorWith({ code: '28000' }), 'unavailable', 'loginRefused'],
      [
        'a login that must be encrypted',
        errorWith({ code: '28000' }, 'no pg_hba.conf entry for host "h", user "u", database "d", no encryption'),
        'unavailable',
        'tlsRefused',
      ],
      ['a server without TLS', new Error('The server does not support SSL connections'), 'unavailable', 'tlsRefused'],
      ['an unknown database', errorWith({ code: '3D000' }), 'unavailable', 'databaseUnknown'],
      ['a missing right', errorWith({ code: '42501' }), 'unavailable', 'rightMissing'],
      ['a database that takes no connections', errorWith({ code: '55000' }), 'unavailable'],
      ['a transaction that waited too long', errorWith({ code: '25P03' }), 'unavailable'],
      ['a standby', errorWith({ code: '25006' }), 'unavailable', 'readOnly'],
      ['a full disk', errorWith({ code: '53100' }), 'unavailable', 'diskFull'],
      ['a server without memory', errorWith({ code: '53200' }), 'unavailable'],
      ['a disk that fails', errorWith({ code: '58030' }), 'unavailable'],
      ['a file that is gone', errorWith({ code: '58P01' }), 'unexpected'],
      ['a lock that was waited for too long', errorWith({ code: '55P03' }), 'unavailable'],
      ['a violated rule', errorWith({ code: '23514', constraint: 'c' }), 'unexpected'],
      ['a connection that ended', new Error('Connection terminated unexpectedly'), 'unavailable'],
      ...transport,
    ],
  ],
  MariaDB: [
    mysqlFault,
    [
      ['a deadlock', errorWith({ errno: 1213, sqlState: '40001' }), 'contention'],
      ['a lock wait', errorWith({ errno: 1205, sqlState: 'HY000' }), 'contention'],
      ['a changed record', errorWith({ errno: 1020, sqlState: 'HY000' }), 'contention'],
      ['a missing table', errorWith({ errno: 1146, sqlState: '42S02' }), 'schema'],
      ['a missing column', errorWith({ errno: 1054, sqlState: '42S22' }), 'schema'],
      ['a wrong password', errorWith({ errno: 1045, sqlState: '28000' }), 'unavailable', 'loginRefused'],
      ['an unknown database', errorWith({ errno: 1049, sqlState: '42000' }), 'unavailable', 'databaseUnknown'],
      ['a database of others', errorWith({ errno: 1044, sqlState: '42000' }), 'unavailable', 'rightMissing'],
      ['a missing right', errorWith({ errno: 1142, sqlState: '42000' }), 'unavailable', 'rightMissing'],
      ['an account that is locked', errorWith({ errno: 4151, sqlState: 'HY000' }), 'unavailable', 'loginRefused'],
      ['a host that is blocked', errorWith({ errno: 1129, sqlState: 'HY000' }), 'unavailable', 'loginRefused'],
      ['too many connections', errorWith({ errno: 1040, sqlState: '08004' }), 'unavailable', 'connectionsUsedUp'],
      ['too many of a user', errorWith({ errno: 1203, sqlState: '42000' }), 'unavailable', 'connectionsUsedUp'],
      [
        'too many of an account',
        errorWith({ errno: 1226, sqlState: '42000' }, `User 'u' has exceeded the 'max_user_connections' resource`),
        'unavailable',
        'connectionsUsedUp',
      ],
      [
        'an account that has used up its share',
        errorWith({ errno: 1226, sqlState: '42000' }, `User 'u' has exceeded the 'max_questions' resource`),
        'unavailable',
      ],
      ['a login that must be encrypted', errorWith({ errno: 3159, sqlState: 'HY000' }), 'unavailable', 'tlsRefused'],
      ['a server without TLS', errorWith({ code: 'HANDSHAKE_NO_SSL_SUPPORT' }), 'unavailable', 'tlsRefused'],
      ['a commit that failed', errorWith({ errno: 1180, sqlState: 'HY000' }), 'unavailable'],
      ['a killed connection', errorWith({ errno: 1927, sqlState: '70100' }), 'unavailable'],
      ['a connection that ended', errorWith({ code: 'PROTOCOL_CONNECTION_LOST' }), 'unavailable'],
      ['a closed connection', new Error(`Can't add new command when connection is in closed state`), 'unavailable'],
      ['a full disk', errorWith({ errno: 1021, sqlState: 'HY000' }), 'unavailable', 'diskFull'],
      ['a server that is read only', errorWith({ errno: 1290, sqlState: 'HY000' }), 'unavailable', 'readOnly'],
      ['a session that is read only', errorWith({ errno: 1792, sqlState: '25006' }), 'unavailable', 'readOnly'],
      ['a server in read-only mode', errorWith({ errno: 1836, sqlState: 'HY000' }), 'unavailable', 'readOnly'],
      ['a table that cannot grow', errorWith({ errno: 1114, sqlState: 'HY000' }), 'unavailable'],
      ['a file that cannot be written', errorWith({ errno: 3, sqlState: 'HY000' }), 'unavailable'],
      ['a disk that fails', errorWith({ errno: 1030, sqlState: 'HY000' }), 'unavailable'],
      ['a violated rule', errorWith({ errno: 4025, sqlState: '23000' }), 'unexpected'],
      ...transport,
    ],
  ],
  SQLite: [
    sqliteFault,
    [
      ['a busy database', errorWith({ code: 'SQLITE_BUSY' }), 'contention'],
      ['a busy snapshot', errorWith({ code: 'SQLITE_BUSY_SNAPSHOT' }), 'contention'],
      [
        'a wait that libsql has no name for',
        errorWith({ code: 'UNKNOWN_SQLITE_ERROR_773' }),
        'contention',
        'fileLocked',
      ],
      ['a file that cannot be opened', errorWith({ code: 'SQLITE_CANTOPEN' }), 'unavailable', 'fileRefused'],
      [
        'a file that libsql cannot open',
        new Error('ConnectionFailed("Unable to open connection to local database x: 14")'),
        'unavailable',
        'fileRefused',
      ],
      [
        'a driver for another version of Node',
        errorWith({ code: 'ERR_DLOPEN_FAILED' }),
        'unavailable',
        'driverUnusable',
      ],
      ['a driver without its binary', errorWith({ tries: ['/a', '/b'] }), 'unavailable', 'driverUnusable'],
      ['a file of others', errorWith({ code: 'EACCES' }), 'unavailable', 'fileRefused'],
      ['a folder on a disk that is read-only', errorWith({ code: 'EROFS' }), 'unavailable', 'fileRefused'],
      ['a name that is too long', errorWith({ code: 'ENAMETOOLONG' }), 'unavailable', 'fileRefused'],
      ['a link that leads to itself', errorWith({ code: 'ELOOP' }), 'unavailable', 'fileRefused'],
      ['a folder that takes no files', errorWith({ code: 'ENOENT' }), 'unavailable', 'fileRefused'],
      ['a disk too full for a new file', errorWith({ code: 'ENOSPC' }), 'unavailable', 'diskFull'],
      ['a quota that is used up', errorWith({ code: 'EDQUOT' }), 'unavailable', 'diskFull'],
      ['a folder of others', errorWith({ code: 'UNKNOWN_SQLITE_ERROR_1544' }), 'unavailable', 'fileRefused'],
      ['a log that cannot be set up', errorWith({ code: 'UNKNOWN_SQLITE_ERROR_1288' }), 'unavailable', 'fileRefused'],
      ['a missing table', errorWith({ code: 'SQLITE_ERROR' }, 'no such table: x'), 'schema'],
      ['a missing column', errorWith({ code: 'SQLITE_ERROR' }, 'table x has no column named y'), 'schema'],
      ['a wrong statement', errorWith({ code: 'SQLITE_ERROR' }, 'near "x": syntax error'), 'unexpected'],
      ['a full disk', errorWith({ code: 'SQLITE_FULL' }), 'unavailable'],
      ['a disk too full to open the file', errorWith({ code: 'SQLITE_IOERR_SHMSIZE' }), 'unavailable'],
      ['a disk that fails', errorWith({ code: 'SQLITE_IOERR_FSYNC' }), 'unavailable'],
      ['a disk that fails in a way of its own', errorWith({ code: 'UNKNOWN_SQLITE_ERROR_8458' }), 'unavailable'],
      ['a disk that became read-only', errorWith({ code: 'SQLITE_READONLY' }), 'unavailable', 'fileRefused'],
      ['a damaged file', errorWith({ code: 'SQLITE_CORRUPT' }), 'unavailable', 'fileDamaged'],
      ['a damaged sequence', errorWith({ code: 'UNKNOWN_SQLITE_ERROR_523' }), 'unavailable', 'fileDamaged'],
      ['a damaged index', errorWith({ code: 'UNKNOWN_SQLITE_ERROR_779' }), 'unavailable', 'fileDamaged'],
      ['a file that is no database', errorWith({ code: 'SQLITE_NOTADB' }), 'unavailable', 'fileDamaged'],
      ['a rule that libsql has no name for', errorWith({ code: 'UNKNOWN_SQLITE_ERROR_3091' }), 'unexpected'],
      ['a violated rule', errorWith({ code: 'SQLITE_CONSTRAINT_CHECK' }), 'unexpected'],
      ...transport,
    ],
  ],
};

for (const [database, [read, rows]] of Object.entries(tables)) {
  describe(`a fault of ${database}`, () => {
    it.each(rows)('a fault is told as what it is: %s', (_what, error, code, reason) => {
      const { name, ...fault } = storeError(error, read);
      expect({ name, code: fault.code }).toEqual({ name: 'StoreError', code });
      if (reason !== undefined) expect(fault.reason).toBe(reason);
    });

    it('a fault comes without what the driver wrote', () => {
      const detail = errorWith({ code: '23505', errno: 1062, sqlState: '23000', detail: 'secret' }, 'insert secret');
      const fault = storeError(detail, read);
      expect(JSON.stringify([fault.message, fault.cause, (fault.cause as Error).message])).not.toContain('secret');
    });
  });
}
