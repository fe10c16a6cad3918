import { describe, expect, it } from 'vitest';
import type { ApplicationSettings, ManageProof, OverlapSettings, ScheduleCommand } from '../src/index.js';
import { wrapStore } from '../src/store.js';
import {
  agentOne,
  agentTwo,
  booked,
  booking,
  clientService,
  customerOf,
  type Fixture,
  fixture,
  maria,
  supervisor,
} from './fixtures.js';
import { errorOf } from './error-of.js';

const eleni = { contact: { primaryEmail: 'eleni@example.org' } };
const at = (time: string): Pick<ScheduleCommand, 'start'> => ({ start: `2030-06-01T${time}:00Z` });

function guarded(mode: OverlapSettings['mode'], buffer = 0, more: Partial<ApplicationSettings> = {}): Fixture {
  const settings = { ...more, overlap: { mode, buffer } };
  return fixture({ applications: { 'app-1': settings, 'app-2': settings } });
}

/** The error code of a call, or `done`. */
const outcome = (call: () => Promise<unknown>): Promise<string> =>
  errorOf(call).then(
    ({ code }) => code,
    () => 'done',
  );

describe('The overlap guard (D26)', () => {
  it('the overlap guard is off by default', async () => {
    const base = fixture();
    await booked(base, at('10:00'));
    expect(await outcome(() => base.appointments.schedule(agentOne, booking(at('10:00'))))).toBe('done');
  });

  it.each([
    ['09:29', 'done', 0],
    ['09:30', 'done', 0],
    ['09:31', 'slot_conflict', 0],
    ['10:00', 'slot_conflict', 0],
    ['10:29', 'slot_conflict', 0],
    ['10:30', 'done', 0],
    ['09:20', 'done', 10],
    ['09:21', 'slot_conflict', 10],
    ['10:39', 'slot_conflict', 10],
    ['10:40', 'done', 10],
  ])(
    'the overlap guard has half-open intervals: at %s %s, with a buffer of %i minutes',
    async (time, expected, buffer) => {
      const base = guarded('agent', buffer * 60_000);
      await booked(base, at('10:00'));
      const command = booking({ ...at(time), customers: [eleni] });
      expect(await outcome(() => base.appointments.schedule(agentOne, command))).toBe(expected);
    },
  );

  it.each([
    ['agent', 'slot_conflict', 'done'],
    ['customer', 'done', 'slot_conflict'],
    ['both', 'slot_conflict', 'slot_conflict'],
    ['off', 'done', 'done'],
  ] as const)(
    'the overlap guard in mode %s: the same agent %s, the same customer %s',
    async (mode, agent, customer) => {
      const base = guarded(mode);
      await booked(base, at('10:00'));
      const sameAgent = booking({ ...at('10:00'), customers: [eleni] });
      const sameCustomer = booking({ ...at('10:00'), customers: [maria] });
      const elenis = fixture({
        store: base.store,
        ids: base.ids,
        applications: { 'app-1': { overlap: { mode, buffer: 0 } } },
      });
      expect(await outcome(() => base.appointments.schedule(agentOne, sameAgent))).toBe(agent);
      expect(await outcome(() => elenis.appointments.schedule(agentTwo, sameCustomer))).toBe(customer);
    },
  );

  it('the overlap guard looks at the other applications of the organization, and at no other organization', async () => {
    const base = guarded('agent');
    await booked(base, at('10:00'));
    const other = booking({ ...at('10:00'), applicationId: 'app-2' });
    expect(await outcome(() => base.appointments.schedule(agentOne, other))).toBe('slot_conflict');
    const foreign = { ...agentOne, organizationId: 'org-2' };
    expect(await outcome(() => base.appointments.schedule(foreign, booking(at('10:00'))))).toBe('done');
  });

  it.each<[string, (base: Fixture, id: string) => Promise<unknown>]>([
    ['CANCELLED', ({ appointments }, id) => appointments.cancel(agentOne, { id })],
    ['ABORTED', ({ appointments }, id) => appointments.abort(agentOne, { id, reason: 'x' })],
    ['NO_SHOW', ({ appointments }, id) => appointments.moveInteraction(agentOne, { id, to: 'NO_SHOW' })],
    [
      'COMPLETED',
      async ({ appointments }, id) => {
        await appointments.moveInteraction(agentOne, { id, to: 'IN_PROGRESS' });
        await appointments.moveInteraction(agentOne, { id, to: 'COMPLETED' });
      },
    ],
    ['removed', ({ appointments }, id) => appointments.remove(agentOne, id)],
  ])('the overlap guard is not blocked by what is %s', async (_state, end) => {
    const base = guarded('both');
    const { id } = await booked(base, at('10:00'));
    await end(base, id);
    expect(await outcome(() => base.appointments.schedule(agentOne, booking(at('10:00'))))).toBe('done');
  });

  it('what has taken place or was missed is given to an agent who is busy then, since it takes no time any more', async () => {
    const base = guarded('agent');
    const { id } = await booked(base, at('10:00'));
    await base.appointments.moveInteraction(agentOne, { id, to: 'NO_SHOW' });
    await booked(base, at('10:00'), agentTwo);
    expect(await outcome(() => base.appointments.reassign(supervisor, { id, userId: agentTwo.id }))).toBe('done');
    expect(await outcome(() => base.appointments.addParticipant(supervisor, { id, agentId: agentOne.id }))).toBe(
      'done',
    );
  });

  it('a move that leaves the time as it is takes no time, so that language and zone change where others overlap', async () => {
    const base = guarded('customer');
    await booked(base, at('10:00'));
    const other = await booked(base, { ...at('10:00'), customers: [eleni] }, agentTwo);
    const customer = { id: customerOf(other), ...maria };
    const { id } = await base.appointments.update(agentTwo, { id: other.id, customer });
    const move = (more: object) => () =>
      base.appointments.reschedule(agentTwo, { id, ...at('10:00'), duration: 'PT30M', timezone: 'UTC', ...more });
    expect(await outcome(move({ locale: 'el' }))).toBe('done');
    expect(await outcome(move({ timezone: 'Europe/Athens', locale: 'el' }))).toBe('done');
    expect(await outcome(move({ duration: 'PT20M' }))).toBe('slot_conflict');
  });

  it('the overlap guard is blocked by what is activated', async () => {
    const base = guarded('agent');
    const { id } = await booked(base, at('10:00'));
    await base.appointments.activate(agentOne, id);
    expect(await outcome(() => base.appointments.schedule(agentOne, booking(at('10:00'))))).toBe('slot_conflict');
  });

  it('the overlap guard is checked again on reschedule, and does not count the appointment itself', async () => {
    const base = guarded('agent');
    const { id } = await booked(base, at('10:00'));
    await booked(base, at('11:00'));
    const move = (time: string) => () =>
      base.appointments.reschedule(agentOne, { id, ...at(time), duration: 'PT30M', timezone: 'UTC' });
    expect(await outcome(move('10:45'))).toBe('slot_conflict');
    expect(base.newEvents()).toEqual([]);
    expect(await outcome(move('10:15'))).toBe('done');
  });

  it('the overlap guard is checked again on reassign and when an agent or a customer joins', async () => {
    const base = guarded('both');
    await booked(base, at('10:00'));
    const { id } = await booked(base, { ...at('10:00'), customers: [eleni] }, agentTwo);
    const { appointments } = base;
    expect(await outcome(() => appointments.reassign(supervisor, { id, userId: 'agent-1' }))).toBe('slot_conflict');
    expect(await outcome(() => appointments.addParticipant(agentTwo, { id, agentId: 'agent-1' }))).toBe(
      'slot_conflict',
    );
    expect(await outcome(() => appointments.addParticipant(agentTwo, { id, customer: maria }))).toBe('slot_conflict');
    expect(await outcome(() => appointments.reassign(supervisor, { id, userId: 'agent-3' }))).toBe('done');
  });

  it('the overlap guard is not asked by operations that take no time', async () => {
    const free = fixture();
    const { id, ...first } = await booked(free, at('10:00'));
    await booked(free, at('10:00'));
    const base = fixture({
      store: free.store,
      ids: free.ids,
      applications: { 'app-1': { overlap: { mode: 'both', buffer: 0 } } },
    });
    const participantId = customerOf({ id, ...first });
    expect(await outcome(() => base.appointments.update(agentOne, { id, title: 'x' }))).toBe('done');
    const customer = { name: { firstName: 'Maria' } };
    expect(await outcome(() => base.appointments.updateParticipant(agentOne, { id, participantId, customer }))).toBe(
      'done',
    );
    expect(await outcome(() => base.appointments.activate(agentOne, id))).toBe('done');
  });
});

describe('A slot conflict names the appointments that the caller may see (D26)', () => {
  /** Maria has appointments at the same time with agent-1, and with agent-2 in another application. */
  async function conflicting(): Promise<{ base: Fixture; ids: readonly string[] }> {
    const unguarded = fixture();
    const one = await booked(unguarded, at('10:00'));
    const two = await booked(unguarded, { ...at('10:00'), applicationId: 'app-2' }, agentTwo);
    const applications = { 'app-1': { organizationId: 'org-1', overlap: { mode: 'customer', buffer: 0 } } } as const;
    const otpVerifier = { verify: async () => Promise.resolve(true) };
    // The host's own verifier, which takes anyone who asks for the first customer.
    const manageProofVerifier = {
      verify: async ({ organizationId, appointmentId }: ManageProof) => {
        const found = await unguarded.store.appointments.find(organizationId, appointmentId);
        return found && { participantId: customerOf(found) };
      },
    };
    const options = { store: unguarded.store, ids: unguarded.ids, applications, otpVerifier, manageProofVerifier };
    return { base: fixture(options), ids: [one.id, two.id] };
  }

  it.each([
    ['an agent: their own', agentOne, [0]],
    ['a supervisor: all', supervisor, [0, 1]],
    ['a client service: all', clientService, [0, 1]],
    ['a token of one application: those of it', { ...supervisor, applicationIds: ['app-1'] }, [0]],
  ])('a slot conflict names the appointments that the caller may see to %s', async (_who, by, visible) => {
    const { base, ids } = await conflicting();
    const error = await errorOf(() => base.appointments.schedule(by, booking(at('10:00'))));
    expect(error.code).toBe('slot_conflict');
    expect([...error.appointmentIds].sort()).toEqual(visible.map((index) => ids[index]));
    // Both are in Maria's way, who is not named; what the caller may not see has the bare code, once (D75).
    const told = error.appointmentIds.map((appointmentId) => ({ code: 'BUSY', appointmentId }));
    expect(error.reasons).toEqual([...told, ...(visible.length === ids.length ? [] : [{ code: 'BUSY' }])]);
  });

  it.each([
    ['the agent in the way, on a booking', 'both', 'agent-1', [{ actorId: 'agent-1' }, {}]],
    ['no agent but those of the booking', 'both', 'agent-2', [{}]],
    ['no customer, in mode agent', 'agent', 'agent-1', [{ actorId: 'agent-1' }]],
  ] as const)('a slot conflict has the reasons %s (D75)', async (_what, mode, id, expected) => {
    const base = guarded(mode);
    const { id: appointmentId } = await booked(base, at('10:00'));
    const targetAssignment = { id, type: 'AGENT' } as const;
    const command = booking({ ...at('10:00'), targetAssignment });
    const error = await errorOf(() => base.appointments.schedule(supervisor, command));
    expect(error.reasons).toEqual(expected.map((more) => ({ code: 'BUSY', appointmentId, ...more })));
  });

  it('a slot conflict names the agent on a move, on a reassignment, and within the buffer (D75)', async () => {
    const base = guarded('agent', 600_000);
    const { id: appointmentId } = await booked(base, at('10:00'));
    const { id } = await booked(base, at('12:00'), agentTwo);
    const own = await booked(base, at('14:00'));
    const reasons = [{ code: 'BUSY', appointmentId, actorId: 'agent-1' }];
    const move = { id: own.id, ...at('10:35'), duration: 'PT30M', timezone: 'UTC' };
    expect(await errorOf(() => base.appointments.reschedule(agentOne, move))).toMatchObject({ reasons });
    await base.appointments.reschedule(agentTwo, { ...move, id });
    const taken = { id, userId: 'agent-1' };
    expect(await errorOf(() => base.appointments.reassign(supervisor, taken))).toMatchObject({ reasons });
  });

  it('a slot conflict costs no more reads than the appointments in the way (D75)', async () => {
    const base = guarded('agent');
    await booked(base, at('10:00'));
    const reads: string[] = [];
    const store = wrapStore(base.store, (name, call) => (...given) => {
      reads.push(name);
      return call(...given);
    });
    const applications = { 'app-1': { overlap: { mode: 'agent', buffer: 0 } } } as const;
    const counting = fixture({ store, ids: base.ids, applications });
    // The first write of a process looks at its keys.
    await booked(counting, at('14:00'));
    reads.length = 0;
    expect(await outcome(() => counting.appointments.schedule(agentOne, booking(at('10:00'))))).toBe('slot_conflict');
    expect(reads).toEqual(['commit', 'appointments.find']);
  });

  it('a slot conflict names none to a customer, with a one-time password or by manage link', async () => {
    const { base } = await conflicting();
    const credentials = { username: 'maria@example.org', code: '123456' };
    const book = (): Promise<unknown> => base.appointments.scheduleAsCustomer(credentials, booking(at('10:00')));
    expect(await errorOf(book)).toMatchObject({
      code: 'slot_conflict',
      appointmentIds: [],
      reasons: [{ code: 'BUSY' }],
    });
    const free = await booked(base, at('15:00'), supervisor);
    const customer = {
      id: 'maria',
      organizationId: 'org-1',
      roles: ['ROLE_CUSTOMER'],
      manage: { ticketId: 't', token: 't' },
    } as const;
    const move = { id: free.id, ...at('10:00'), duration: 'PT30M', timezone: 'UTC' };
    const error = await errorOf(() => base.appointments.reschedule(customer, move));
    expect(error).toMatchObject({ code: 'slot_conflict', appointmentIds: [], reasons: [{ code: 'BUSY' }] });
  });
});
