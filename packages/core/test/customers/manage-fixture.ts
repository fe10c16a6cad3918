import type { Appointment, Caller, Scheduling } from '../../src/index.js';
import type { ManageLink } from '../../src/operations.js';
import { answerOrCode } from '../error-of.js';
import { agentOne, booked, customerOf, type Fixture, fixture, type FixtureOptions, maria } from '../fixtures.js';

export const eleni = { contact: { primaryEmail: 'eleni@example.org' } } as const;
export const managePageUrl = 'https://clinic.example/appointment';
export const everyAction = ['get', 'reschedule', 'cancel'] as const;
export const allDone = { get: 'done', reschedule: 'done', cancel: 'done' } as const;
export const allStale = { get: 'stale_ticket', reschedule: 'stale_ticket', cancel: 'stale_ticket' } as const;

/** The library with one appointment of two customers, and links to manage it. */
export interface ManageFixture extends Fixture {
  readonly customers: Scheduling['customers'];
  readonly made: Appointment;
  readonly mariasId: string;
  readonly elenisId: string;
  issue(more?: { readonly participantId?: string; readonly expiresAt?: string }, by?: Caller): Promise<ManageLink>;
  /** The customer who opens a link. */
  open(link: ManageLink): Promise<Caller>;
}

export async function manageFixture(options: FixtureOptions = {}, withPage = true): Promise<ManageFixture> {
  const base = fixture({ ...(withPage && { managePageUrl }), ...options });
  const made = await booked(base, { customers: [maria, eleni] });
  const { customers } = base.scheduling;
  const mariasId = customerOf(made);
  const elenisId = made.participants.at(-1)?.id ?? '';
  return {
    ...base,
    customers,
    made,
    mariasId,
    elenisId,
    issue: (more = {}, by = agentOne) =>
      customers.issueManageLink(by, { appointmentId: made.id, participantId: mariasId, ...more }),
    open: async ({ code }) => (await customers.exchangeManageLink(code)).caller,
  };
}

/** A customer's caller as a host makes it that issues tokens itself. */
export function hostCaller({ ticketId, customerManageToken: token }: ManageLink, more: Partial<Caller> = {}): Caller {
  return {
    id: 'from-the-host',
    organizationId: 'org-1',
    roles: ['ROLE_CUSTOMER'],
    manage: { ticketId, token },
    ...more,
  };
}

let day = 0;

/** Each of the three things that a customer may do with an appointment: `done`, or the code of the error. */
export async function tried(
  { appointments }: Pick<Fixture, 'appointments'>,
  by: Caller,
  id: string,
): Promise<Readonly<Record<(typeof everyAction)[number], string>>> {
  day = (day % 27) + 1;
  const start = `2030-06-${String(day).padStart(2, '0')}T10:00:00Z`;
  const outcome = async (call: () => Promise<unknown>): Promise<string> => {
    const answer = await answerOrCode(call);
    return typeof answer === 'string' ? answer : 'done';
  };
  return {
    get: await outcome(() => appointments.get(by, id)),
    reschedule: await outcome(() =>
      appointments.reschedule(by, { id, start, duration: 'PT30M', timezone: 'Europe/Athens' }),
    ),
    cancel: await outcome(() => appointments.cancel(by, { id })),
  };
}
