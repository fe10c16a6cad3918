import type { Actor, AuditEntry, AuditRefusal, AuditSeal } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, integer, json, optionalInteger, optionalText, text } from './fields.js';

/** What is written of a line of the audit record when it is made; its seal comes later. */
export const auditFields = {
  organization_id: 'text',
  id: 'text',
  application_id: 'text',
  appointment_id: 'text',
  happened_at: 'integer',
  actor_id: 'text',
  actor_type: 'text',
  actor_role: 'text',
  proof: 'text',
  operation: 'text',
  from_state: 'text',
  to_state: 'text',
  version: 'integer',
  request_id: 'text',
  outcome: 'text',
  seal_number: 'integer',
} as const satisfies Fields;

/** The number of no seal: nothing covers the entry yet. */
export const notSealed = 0;

/** The values of an entry in the order of {@link auditFields}. */
export const auditValues = (entry: AuditEntry): readonly SqlValue[] => [
  entry.organizationId,
  entry.id,
  entry.applicationId,
  entry.appointmentId ?? noAppointment,
  entry.at,
  entry.actor?.id ?? null,
  entry.actor?.type ?? null,
  entry.actor?.role ?? null,
  entry.proof,
  entry.operation,
  entry.from,
  entry.to,
  entry.version,
  entry.requestId,
  entry.outcome,
  notSealed,
];

/** What stands in the column of an entry about none. */
export const noAppointment = '';

function appointmentOf(id: string): Pick<AuditEntry, 'appointmentId'> {
  return id === noAppointment ? {} : { appointmentId: id };
}

function actorOf(row: Row): Actor | null {
  const id = optionalText(row, 'actor_id');
  return id === undefined ? null : ({ id, type: text(row, 'actor_type'), role: text(row, 'actor_role') } as Actor);
}

/** The entry of a row, exactly as it was committed. */
export const readAudit = (row: Row): AuditEntry => ({
  id: text(row, 'id'),
  organizationId: text(row, 'organization_id'),
  applicationId: text(row, 'application_id'),
  ...appointmentOf(text(row, 'appointment_id')),
  at: integer(row, 'happened_at'),
  actor: actorOf(row),
  proof: text(row, 'proof') as AuditEntry['proof'],
  operation: text(row, 'operation') as AuditEntry['operation'],
  from: (optionalText(row, 'from_state') ?? null) as AuditEntry['from'],
  to: (optionalText(row, 'to_state') ?? null) as AuditEntry['to'],
  version: optionalInteger(row, 'version') ?? null,
  requestId: text(row, 'request_id'),
  outcome: text(row, 'outcome') as AuditEntry['outcome'],
});

/** What is known of a refused call; organization and application are those of the appointment. */
export const refusalFields = {
  id: 'text',
  happened_at: 'integer',
  actor_id: 'text',
  actor_type: 'text',
  actor_role: 'text',
  proof: 'text',
  operation: 'text',
  request_id: 'text',
  outcome: 'text',
  seal_number: 'integer',
} as const satisfies Fields;

/** The values of a refusal in the order of {@link refusalFields}. */
export const refusalValues = (refusal: AuditRefusal): readonly SqlValue[] => [
  refusal.id,
  refusal.at,
  refusal.actor?.id ?? null,
  refusal.actor?.type ?? null,
  refusal.actor?.role ?? null,
  refusal.proof,
  refusal.operation,
  refusal.requestId,
  refusal.outcome,
  notSealed,
];

/** What is written of a seal. */
export const sealFields = {
  organization_id: 'text',
  seal_number: 'integer',
  entry_ids: 'text',
  hash: 'text',
  key_id: 'text',
  sealed_at: 'integer',
} as const satisfies Fields;

/** The values of a seal in the order of {@link sealFields}. */
export const sealValues = (seal: AuditSeal): readonly SqlValue[] => [
  seal.organizationId,
  seal.number,
  JSON.stringify(seal.entryIds),
  seal.hash,
  seal.keyId ?? null,
  seal.sealedAt,
];

function keyOf(row: Row): Pick<AuditSeal, 'keyId'> {
  const keyId = optionalText(row, 'key_id');
  return keyId === undefined ? {} : { keyId };
}

/** The seal of a row, exactly as it was appended. */
export const readSeal = (row: Row): AuditSeal => ({
  organizationId: text(row, 'organization_id'),
  number: integer(row, 'seal_number'),
  entryIds: json(row, 'entry_ids') as readonly string[],
  hash: text(row, 'hash'),
  ...keyOf(row),
  sealedAt: integer(row, 'sealed_at'),
});
