import type { NamedKey } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, integer, optionalInteger, optionalText, text } from './fields.js';

/** What is written of a named key. */
export const keyFields = { key_number: 'integer', key_id: 'text', check_value: 'text' } as const satisfies Fields;

/** The values of a key in the order of {@link keyFields}. */
export const keyValues = (key: NamedKey): readonly SqlValue[] => [key.number, key.id, key.check];

/** The key of a row. */
export const readKey = (row: Row): NamedKey => ({
  number: integer(row, 'key_number'),
  id: text(row, 'key_id'),
  check: text(row, 'check_value'),
  ...optionalParts(row),
});

function optionalParts(row: Row): Partial<NamedKey> {
  const [quietSince, keptAudit] = [optionalInteger(row, 'quiet_since'), optionalText(row, 'kept_audit')];
  return { ...(quietSince !== undefined && { quietSince }), ...(keptAudit !== undefined && { keptAudit }) };
}
