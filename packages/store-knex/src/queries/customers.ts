import type { CustomerProfile, CustomerSearch } from '@calends/core/store';
import { concat, type Sql, sql } from '../sql/sql.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { findRow, listRows, type Steps } from '../sql/steps.js';
import { customerTable, readCustomer } from '../tables/people.js';

/** Named one by one: a prepared statement outlives the migration that adds to them. */
const columns = customerTable.as('c');
const ofAppointment = `select ${columns} from calends_customers c where organization_id = ? and appointment_id = ?`;

/** The customer's profile, or `undefined`. */
export const findCustomer = (...key: [organizationId: string, appointmentId: string, participantId: string]) =>
  findRow(`${ofAppointment} and participant_id = ?`, key, readCustomer);

/** Profiles of all customers of an appointment. */
export const listCustomers = (organizationId: string, appointmentId: string) =>
  listRows(sql(ofAppointment, organizationId, appointmentId), readCustomer);

const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Profiles that carry one of the addresses; reads those of the whole organization. */
export function* findCustomersByContact(
  { asciiLower }: SqlDialect,
  { organizationId, username, primaryEmail, primaryPhone, after, limit }: CustomerSearch,
): Steps<readonly CustomerProfile[]> {
  const alternatives: readonly Sql[] = [
    ...(username === undefined ? [] : [sql(' or username = ?', username)]),
    ...(primaryEmail === undefined ? [] : [sql(` or ${asciiLower('primary_email')} = ?`, lowerAscii(primaryEmail))]),
    ...(primaryPhone === undefined ? [] : [sql(' or primary_phone = ?', primaryPhone)]),
  ];
  if (alternatives.length === 0) return [];
  const query = concat(
    sql(`select ${columns} from calends_customers c`),
    sql(' where organization_id = ? and removal_reason is null and (1 = 0', organizationId),
    ...alternatives,
    sql(')'),
    ...(after === undefined
      ? []
      : [
          sql(
            ' and (appointment_id > ? or (appointment_id = ? and participant_id > ?))',
            after.appointmentId,
            after.appointmentId,
            after.participantId,
          ),
        ]),
    sql(' order by appointment_id, participant_id limit ?', limit),
  );
  return yield* listRows(query, readCustomer);
}
