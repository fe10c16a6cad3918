import type { AuditRefusal, AuditSeal, OtpTry } from '@calends/core';
import type { Connections } from '../../database/connections.js';
import type { Row } from '../../database/outcome.js';
import { recordRefusalsStepwise, sealStepwise } from '../../queries/audit-record.js';
import { countOtpTryStepwise } from '../../queries/customer-proofs.js';
import { insertNew } from './insert-rows.js';
import { mysqlSql } from './sql.js';

/** Counts a try at a one-time password; the row stays locked until it was read. */
export const countOtpTryOnMysql = (connections: Connections, attempt: OtpTry): Promise<Row | undefined> =>
  connections.transact(() => countOtpTryStepwise(attempt));

/** Appends refused calls in one transaction. */
export const recordRefusalsOnMysql = (connections: Connections, refusals: readonly AuditRefusal[]): Promise<void> =>
  connections.transact(() => recordRefusalsStepwise(refusals));

/** Appends a seal in one transaction. */
export const sealAuditOnMysql = (connections: Connections, seal: AuditSeal): Promise<boolean> =>
  connections.transact(() => sealStepwise({ sql: mysqlSql, insertNew }, seal, ' for update'));
