import type { Actor, AuditEntry, AuditRefusal, AuditSeal } from '@calends/core/store';
import { optionalText, text } from '../sql/rows.js';
import { columnsOf, readerOf, tableOf } from './table.js';

/** The number of no seal: nothing covers the entry yet. */
export const notSealed = 0;

/** What stands in the column of an entry about no appointment. */
export const noAppointment = '';

/** What is told of a refused call too. */
type Told = Pick<AuditEntry, 'id' | 'at' | 'actor' | 'proof' | 'operation' | 'requestId' | 'outcome'>;

const told = columnsOf<Told>();
const is = columnsOf<AuditEntry>();

const id = { id: told.text('id') };
const ofCall = {
  happened_at: told.integer('at'),
  actor_id: told.written('text', ({ actor }) => actor?.id),
  actor_type: told.written('text', ({ actor }) => actor?.type),
  actor_role: told.written('text', ({ actor }) => actor?.role),
  proof: told.text('proof'),
  operation: told.text('operation'),
  request_id: told.text('requestId'),
  outcome: told.text('outcome'),
  seal_number: told.written('integer', () => notSealed),
};

/** Lines of the audit record as they are made; their seals come later. */
export const auditTable = tableOf<AuditEntry>('calends_audit')(
  { organization_id: is.text('organizationId'), ...id },
  {
    application_id: is.text('applicationId'),
    appointment_id: is.written('text', ({ appointmentId }) => appointmentId ?? noAppointment),
    ...ofCall,
    from_state: is.nullableText('from'),
    to_state: is.nullableText('to'),
    version: is.nullableInteger('version'),
  },
);

/** The entry of a row, exactly as it was committed. */
export const readAudit = readerOf(auditTable, (part, row) => {
  const actorId = optionalText(row, 'actor_id');
  const actor =
    actorId === undefined
      ? null
      : ({ id: actorId, type: text(row, 'actor_type'), role: text(row, 'actor_role') } as Actor);
  const appointmentId = text(row, 'appointment_id');
  return Object.assign(part, { actor }, appointmentId === noAppointment ? undefined : { appointmentId });
});

/** What is known of a refused call; organization and application are those of the appointment. */
export const refusalTable = tableOf<AuditRefusal>('calends_audit')(id, ofCall);

const sealed = columnsOf<AuditSeal>();

export const sealTable = tableOf<AuditSeal>('calends_audit_seals')(
  { organization_id: sealed.text('organizationId'), seal_number: sealed.integer('number') },
  {
    entry_ids: sealed.json('entryIds'),
    hash: sealed.text('hash'),
    key_id: sealed.optionalText('keyId'),
    sealed_at: sealed.integer('sealedAt'),
    anchor: sealed.optionalText('anchor'),
  },
);

/** The seal of a row, exactly as it was appended. */
export const readSeal = readerOf(sealTable);
