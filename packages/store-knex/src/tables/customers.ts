import type { CustomerProfile, RemovalReason } from '@calends/core/store';
import { integer, optionalText } from '../sql/rows.js';
import { columnsOf, readerOf, tableOf } from './table.js';

const is = columnsOf<CustomerProfile>();

export const customerTable = tableOf<CustomerProfile>('calends_customers', 'c_')(
  {
    organization_id: is.text('organizationId'),
    appointment_id: is.text('appointmentId'),
    participant_id: is.text('participantId'),
  },
  {
    username: is.optionalText('username'),
    primary_email: is.optionalText('primaryEmail'),
    primary_phone: is.optionalText('primaryPhone'),
    first_name: is.optionalText('firstName'),
    last_name: is.optionalText('lastName'),
    metadata: is.json('metadata'),
    removal_reason: is.written('text', ({ removal }) => removal?.reason),
    removed_at: is.written('integer', ({ removal }) => removal?.at),
  },
);

/** The profile of a row, exactly as it was committed. */
export const readCustomer = readerOf(customerTable, (part, row) => {
  const reason = optionalText(row, 'c_removal_reason') as RemovalReason | undefined;
  return Object.assign(part, reason && { removal: { reason, at: integer(row, 'c_removed_at') } });
});
