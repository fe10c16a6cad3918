import { otpCodes, type Person, people } from './host.js';
import type { Host } from './host.js';

/** An id that nobody has. */
export const unknownId = '0194222d-ffff-7fff-8fff-ffffffffffff';

export const customer = {
  contact: { primaryEmail: 'ada@example.org', primaryPhone: '+30 210 000 0000' },
  name: { firstName: 'Ada', lastName: 'Lovelace' },
  metadata: { vip: 'yes' },
  username: 'ada',
};

const fields = {
  applicationId: 'app-1',
  start: '2030-01-02T09:00:00Z',
  duration: 'PT30M',
  timezone: 'Europe/Athens',
};

/** A v2 create request. */
export function creation(changes: object = {}) {
  return { ...fields, customers: [customer], ...changes };
}

/** A v1 create request. */
export function creationV1(changes: object = {}) {
  return { ...fields, customer, ...changes };
}

/** Schedules an appointment over v2 and answers its body. */
export async function created(host: Host, changes: object = {}, as: Person = people.agent) {
  const reply = await host.call('POST', '/api/v2/appointments/', { as, json: creation(changes) });
  if (reply.status !== 200) throw new Error(`create answered ${reply.status}: ${reply.text}`);
  return reply.body;
}

/** A customer whose token carries the join claim of an appointment. */
export function joining(id: string): Person {
  return { ...people.customer, conferenceId: id };
}

/** A customer whose token carries manage claims that hold for an appointment. */
export function managing(id: string, participantId: string): Person {
  return { ...people.customer, ticket_id: `ticket-of-${id}`, customer_manage_token: participantId };
}

/** Basic credentials with a one-time password (D44). */
export function oneTimePassword(username: string, code: string = otpCodes.right) {
  return { authorization: `Basic ${Buffer.from(`${username}:${code}`).toString('base64')}` };
}
