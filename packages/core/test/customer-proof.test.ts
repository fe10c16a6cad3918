import { describe, expect, it } from 'vitest';
import { minutes } from '@calends/model';
import type { Appointment, Caller, ManageProof, ManageProofVerifier } from '../src/index.js';
import { agentOne, booked, customerOf, type Fixture, fixture, maria } from './fixtures.js';
import { CountingRooms } from './counting-rooms.js';
import { errorOf } from './error-of.js';

const eleni = { contact: { primaryEmail: 'eleni@example.org' } };
const unknownId = '019a3f5c-7b1e-7c3d-8a4f-000000000000';
const client: Caller = { id: 'client', organizationId: 'org-1', roles: ['ROLE_CUSTOMER'] };
const joining = (conferenceId: string): Caller => ({ ...client, conferenceId });
const managing = (ticketId: string): Caller => ({ ...client, manage: { ticketId, token: 'signed' } });

/** Tickets of a host: each is for one appointment, one participant and some actions. */
class Tickets implements ManageProofVerifier {
  readonly #tickets = new Map<
    string,
    { appointment: Appointment; participantId: string; actions: readonly string[] }
  >();

  issue(ticketId: string, appointment: Appointment, actions: readonly string[], participantId: string): void {
    this.#tickets.set(ticketId, { appointment, participantId, actions });
  }

  verify({
    organizationId,
    appointmentId,
    action,
    claims,
  }: ManageProof): Promise<{ participantId: string } | undefined> {
    const ticket = this.#tickets.get(claims.ticketId);
    const holds =
      ticket?.appointment.id === appointmentId &&
      ticket.appointment.organizationId === organizationId &&
      ticket.actions.includes(action) &&
      claims.token === 'signed';
    return Promise.resolve(holds ? { participantId: ticket.participantId } : undefined);
  }
}

const later = { start: '2030-05-07T11:00:00Z', duration: 'PT1H', timezone: 'UTC' };
const actions = ['get', 'reschedule', 'cancel'] as const;

/** Each of the three things that a customer may do, or its error code. */
async function tried(base: Fixture, by: Caller, id: string): Promise<Readonly<Record<string, string>>> {
  const { appointments } = base;
  const calls = {
    get: () => appointments.get(by, id),
    reschedule: () => appointments.reschedule(by, { id, ...later }),
    cancel: () => appointments.cancel(by, { id }),
  };
  const outcomes: Record<string, string> = {};
  for (const action of actions) {
    outcomes[action] = await errorOf(calls[action]).then(
      ({ code }) => code,
      () => 'done',
    );
  }
  return outcomes;
}

describe('A customer without a proof', () => {
  it('a customer without a proof does nothing, and cannot tell whether the appointment exists', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const forbidden = { get: 'forbidden', reschedule: 'forbidden', cancel: 'forbidden' };
    for (const each of [id, unknownId, 'nonsense']) expect(await tried(base, client, each)).toEqual(forbidden);
    expect(base.newEvents()).toEqual([]);
  });
});

describe('A join claim (spec: Endpoints, rule 9; D43)', () => {
  it('a join claim must equal the conference id of the appointment; it does not prove a reschedule', async () => {
    const base = fixture();
    const { id } = await booked(base);
    expect(await tried(base, joining(id), id)).toEqual({ get: 'done', reschedule: 'forbidden', cancel: 'done' });
    const other = await booked(base);
    expect(await tried(base, joining(id), other.id)).toMatchObject({ get: 'forbidden', cancel: 'forbidden' });
  });

  it('a join claim for an unknown appointment is not found, a wrong one is forbidden without a look-up', async () => {
    const base = fixture();
    expect(await tried(base, joining(unknownId), unknownId)).toMatchObject({ get: 'not_found', cancel: 'not_found' });
    const { id } = await booked(base);
    let lookups = 0;
    const findAppointment: typeof base.store.appointments.find = (...args) => {
      lookups += 1;
      return base.store.appointments.find(...args);
    };
    const counting = fixture({
      store: { ...base.store, appointments: { ...base.store.appointments, find: findAppointment } },
    });
    for (const each of [id, unknownId]) {
      expect((await errorOf(() => counting.appointments.get(joining('wrong'), each))).code).toBe('forbidden');
    }
    expect(lookups).toBe(0);
  });

  it('a join claim of a host room service is compared after the look-up: unknown looks like wrong', async () => {
    const base = fixture({ accessProvider: new CountingRooms() });
    const { id } = await booked(base);
    await base.appointments.activate(agentOne, id);
    expect(await tried(base, joining('conference-9'), id)).toMatchObject({ get: 'forbidden', cancel: 'forbidden' });
    expect(await tried(base, joining('conference-1'), unknownId)).toMatchObject({
      get: 'forbidden',
      cancel: 'forbidden',
    });
    expect(await tried(base, joining('conference-1'), id)).toMatchObject({ get: 'done', cancel: 'done' });
    expect(await tried(base, joining('conference-1'), id)).toMatchObject({ get: 'done' });
  });

  it('a join claim of another organization is not found', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const foreign = { ...joining(id), organizationId: 'org-2' };
    expect((await errorOf(() => base.appointments.get(foreign, id))).code).toBe('not_found');
  });
});

describe('Manage claims (spec: Endpoints, rules 7, 9, 10; D42)', () => {
  async function withTicket(allowed: readonly string[] = actions, more = {}): Promise<Fixture & { made: Appointment }> {
    const manageProofVerifier = new Tickets();
    const base = fixture({ manageProofVerifier, ...more });
    const made = await booked(base, { customers: [maria, eleni] });
    manageProofVerifier.issue('ticket-1', made, allowed, customerOf(made));
    return { ...base, made };
  }

  it('Manage claims that hold let the customer get, reschedule and cancel this appointment', async () => {
    const { made, ...base } = await withTicket();
    expect(await tried(base, managing('ticket-1'), made.id)).toEqual({
      get: 'done',
      reschedule: 'done',
      cancel: 'done',
    });
    expect(base.events().map(({ type, actor }) => `${type} ${actor.type} ${actor.role}`)).toEqual([
      'APCreatedEvent AGENT ROLE_AGENT',
      'APRescheduledEvent CUSTOMER ROLE_CUSTOMER',
      'APCancelledEvent CUSTOMER ROLE_CUSTOMER',
    ]);
  });

  it('Manage claims that do not hold are a stale ticket, whatever is wrong with them', async () => {
    const { made, ...base } = await withTicket();
    const other = await booked(base);
    const stale = { get: 'stale_ticket', reschedule: 'stale_ticket', cancel: 'stale_ticket' };
    expect(await tried(base, managing('unknown'), made.id)).toEqual(stale);
    expect(await tried(base, managing('ticket-1'), other.id)).toEqual(stale);
    expect(await tried(base, managing('ticket-1'), unknownId)).toEqual(stale);
    expect(await tried(base, { ...client, manage: { ticketId: 'ticket-1', token: 'altered' } }, made.id)).toEqual(
      stale,
    );
    expect(await tried(base, { ...managing('ticket-1'), organizationId: 'org-2' }, made.id)).toEqual(stale);
    expect(base.newEvents()).toEqual([]);
  });

  it('Manage claims are for the actions that they allow', async () => {
    const { made, ...base } = await withTicket(['get']);
    expect(await tried(base, managing('ticket-1'), made.id)).toEqual({
      get: 'done',
      reschedule: 'stale_ticket',
      cancel: 'stale_ticket',
    });
  });

  it('Manage claims go before a join claim: stale ones are not made up for by it', async () => {
    const { made, ...base } = await withTicket();
    const both = { ...joining(made.id), manage: { ticketId: 'unknown', token: 'x' } };
    expect((await errorOf(() => base.appointments.get(both, made.id))).code).toBe('stale_ticket');
  });

  it('Manage claims without a verifier are all stale', async () => {
    const base = fixture();
    const { id } = await booked(base);
    expect((await errorOf(() => base.appointments.get(managing('ticket-1'), id))).code).toBe('stale_ticket');
  });

  it('Manage claims show a customer only their own participant', async () => {
    const { made, ...base } = await withTicket();
    const seen = await base.appointments.get(managing('ticket-1'), made.id);
    expect(seen.participants.map(({ id }) => id)).toEqual([customerOf(made)]);
    expect((await base.appointments.get(agentOne, made.id)).participants).toHaveLength(2);
  });

  it.each(['reschedule', 'cancel'] as const)(
    'Manage claims show a customer only their own participant in the answer of %s',
    async (action) => {
      const { made, ...base } = await withTicket();
      const { id } = made;
      const by = managing('ticket-1');
      const answer = await (action === 'cancel'
        ? base.appointments.cancel(by, { id })
        : base.appointments.reschedule(by, { id, ...later }));
      expect(answer.participants.map((participant) => participant.id)).toEqual([customerOf(made)]);
      expect((await base.appointments.get(agentOne, id)).participants).toHaveLength(2);
    },
  );

  it('Manage claims are bound by the cut-offs of the application (D21)', async () => {
    const settings = { customerCancelCutoff: minutes(60), customerRescheduleCutoff: minutes(120) };
    const { made, ...base } = await withTicket(actions, { applications: { 'app-1': settings } });
    base.clock.set(made.schedule.start - minutes(59));
    expect(await tried(base, managing('ticket-1'), made.id)).toEqual({
      get: 'done',
      reschedule: 'outside_reschedule_window',
      cancel: 'outside_cancellation_window',
    });
    expect((await base.appointments.cancel(agentOne, { id: made.id })).state).toBe('CANCELLED');
  });

  it('What changes nothing is answered as before, however late or often it is sent again (D16, D20)', async () => {
    const settings = { customerCancelCutoff: minutes(60), customerMaxReschedules: 1 };
    const { made, ...base } = await withTicket(actions, { applications: { 'app-1': settings } });
    const { id } = made;
    const by = managing('ticket-1');
    const move = { id, ...later };
    const moved = await base.appointments.reschedule(by, move);
    expect(await base.appointments.reschedule(by, move)).toEqual(moved);
    expect((await errorOf(() => base.appointments.reschedule(by, { ...move, duration: 'PT31M' }))).code).toBe(
      'reschedule_limit',
    );
    const cancelled = await base.appointments.cancel(by, { id });
    base.clock.set(moved.schedule.start - minutes(59));
    expect(await base.appointments.cancel(by, { id })).toEqual(cancelled);
  });

  it('Who is too late is told so before version and state are looked at (D39)', async () => {
    const settings = { customerCancelCutoff: minutes(60), customerRescheduleCutoff: minutes(60) };
    const { made, ...base } = await withTicket(actions, { applications: { 'app-1': settings } });
    const { id } = made;
    const by = managing('ticket-1');
    base.clock.set(made.schedule.start - minutes(59));
    const stale = { expectedVersions: [99] };
    expect((await errorOf(() => base.appointments.cancel(by, { id }, stale))).code).toBe('outside_cancellation_window');
    await base.appointments.cancel(agentOne, { id });
    expect((await errorOf(() => base.appointments.reschedule(by, { id, ...later }))).code).toBe(
      'outside_reschedule_window',
    );
  });

  it('Manage claims are bound by the number of moves, which staff are not and do not use up (D21)', async () => {
    const applications = { 'app-1': { customerMaxReschedules: 1 } };
    const { made, ...base } = await withTicket(actions, { applications });
    const { id } = made;
    const move = (by: Caller, day: number): Promise<string> => {
      const command = { id, ...later, start: `2030-06-0${String(day)}T10:00:00Z` };
      return errorOf(() => base.appointments.reschedule(by, command)).then(
        ({ code }) => code,
        () => 'done',
      );
    };
    expect(await move(agentOne, 1)).toBe('done');
    expect(await move(managing('ticket-1'), 2)).toBe('done');
    expect(await move(managing('ticket-1'), 3)).toBe('reschedule_limit');
    expect(await move(agentOne, 4)).toBe('done');
  });
});
