import { describe, expect, it } from 'vitest';
import type { Appointment, AppointmentOperations, CalendsError } from '../src/index.js';
import { wrapStore } from '../src/store.js';
import { booked, booking, fixture, foreignSupervisor, supervisor, agentTwo } from './fixtures.js';
import { errorOf } from './error-of.js';
import { changeable, recordOperations } from './record-operations.js';

const unknownId = '019a3f5c-7b1e-7c3d-8a4f-000000000000';
const changing = recordOperations.filter(({ event }) => event !== undefined);

describe('The facade', () => {
  it('the facade has every operation of the document and those without an HTTP route', () => {
    const addressed = recordOperations.map(({ name }) => name);
    const others = ['schedule', 'scheduleAsCustomer', 'list', 'listEligible', 'count', 'countOverlapping'];
    expect(Object.keys(fixture().appointments).sort()).toEqual([...addressed, ...others].sort());
  });
});

describe('A successful operation emits exactly one event (D46)', () => {
  it('schedule → APCreatedEvent', async () => {
    const { appointments, newEvents } = fixture();
    await appointments.schedule(supervisor, booking());
    expect(newEvents()).toEqual(['APCreatedEvent']);
  });

  it.each(changing)('$name → $event', async ({ run, by, event }) => {
    const base = fixture();
    const appointment = await changeable(base);
    await run(base.appointments, by, appointment);
    expect(base.newEvents()).toEqual([event]);
    const [created, changed, ...others] = await base.store.events.list({
      organizationId: 'org-1',
      appointmentId: appointment.id,
    });
    expect(others).toEqual([]);
    expect(created).toMatchObject({ type: 'APCreatedEvent', version: 1 });
    expect(changed).toEqual(base.events().at(-1));
    expect(changed).toMatchObject({ type: event, version: 2, appointmentId: appointment.id });
  });

  it.each(changing)('$name raises the version by one and keeps it when refused', async ({ name, run, by }) => {
    const base = fixture();
    const appointment = await changeable(base);
    await errorOf(() => run(base.appointments, by, appointment, { expectedVersions: [7] }));
    expect((await base.store.appointments.find('org-1', appointment.id))?.version).toBe(1);
    await run(base.appointments, by, appointment, { expectedVersions: [5, 1] });
    const after = await base.store.appointments.find('org-1', appointment.id);
    expect(after?.version).toBe(name === 'remove' ? undefined : 2);
  });
});

describe('An operation that changes nothing emits nothing (D46)', () => {
  it.each(changing.filter(({ repeatable }) => repeatable))(
    '$name once more changes nothing and emits nothing',
    async ({ run, by }) => {
      const base = fixture();
      const appointment = await changeable(base);
      const first = (await run(base.appointments, by, appointment)) as Appointment;
      base.newEvents();
      base.clock.advance(1000);
      const again = await run(base.appointments, by, appointment);
      expect(again).toEqual(first);
      expect(base.newEvents()).toEqual([]);
      expect(await base.store.appointments.find('org-1', appointment.id)).toEqual(first);
    },
  );

  it.each(recordOperations.filter(({ repeatable }) => !repeatable))('$name once more finds nothing', async (each) => {
    const base = fixture();
    const appointment = await changeable(base);
    await each.run(base.appointments, each.by, appointment);
    base.newEvents();
    const error = await errorOf(() => each.run(base.appointments, each.by, appointment));
    expect(error.code).toBe('not_found');
    expect(base.newEvents()).toEqual([]);
  });

  it('an operation that changes nothing emits nothing get reads alone', async () => {
    const base = fixture();
    const appointment = await booked(base);
    await base.appointments.get(supervisor, appointment.id);
    expect(base.newEvents()).toEqual([]);
  });
});

describe('Unknown, malformed and foreign ids are the same (D9, D39)', () => {
  const shown = ({ code, message, issues, appointmentIds, reasons, temporary }: CalendsError): object => ({
    code,
    message,
    issues,
    appointmentIds,
    reasons,
    temporary,
  });

  it.each(recordOperations)('$name finds unknown, malformed and foreign ids the same', async ({ run }) => {
    const base = fixture();
    const appointment = await changeable(base);
    const errors: object[] = [];
    for (const id of [unknownId, 'nonsense', '', `${appointment.id} `, appointment.id.toUpperCase(), "' OR 1=1 --"]) {
      errors.push(shown(await errorOf(() => run(base.appointments, supervisor, { ...appointment, id }))));
    }
    errors.push(shown(await errorOf(() => run(base.appointments, foreignSupervisor, appointment))));
    expect(errors[0]).toMatchObject({ code: 'not_found' });
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(base.newEvents()).toEqual([]);
    expect(await base.store.appointments.find('org-1', appointment.id)).toEqual(appointment);
  });

  it('an operation asks the store the same for unknown and foreign', async () => {
    for (const { run } of recordOperations) {
      const asked: string[] = [];
      const base = fixture();
      const appointment = await changeable(base);
      const recording = wrapStore(base.store, (name, call) => (...given) => {
        asked.push(name);
        return call(...given);
      });
      const { appointments } = fixture({ store: recording, clock: base.clock, ids: base.ids });
      asked.splice(0);
      await errorOf(() => run(appointments, foreignSupervisor, appointment));
      const foreign = asked.splice(0);
      await errorOf(() => run(appointments, foreignSupervisor, { ...appointment, id: unknownId }));
      expect(foreign).toEqual(asked);
      expect(asked).toEqual(['appointments.find']);
    }
  });

  it('an operation tells other tenants apart that differ in letter case, accent or trailing blank', async () => {
    const base = fixture();
    const appointment = await booked(base);
    for (const organizationId of ['ORG-1', 'org-1 ', 'örg-1', 'org-1\u0301', ' org-1']) {
      const stranger = { ...supervisor, organizationId };
      expect((await errorOf(() => base.appointments.get(stranger, appointment.id))).code).toBe('not_found');
    }
  });
});

describe('An appointment of another agent', () => {
  it.each(recordOperations)(
    'an appointment of another agent is refused with not_assigned or forbidden: $name (D23)',
    async ({ name, run }) => {
      const base = fixture();
      const appointment = await changeable(base);
      const error = await errorOf(() => run(base.appointments, agentTwo, appointment));
      expect(error.code).toBe(name === 'reassign' ? 'forbidden' : 'not_assigned');
      expect(base.newEvents()).toEqual([]);
    },
  );
});

describe('With liveOnly, as v1 reads (D25)', () => {
  const end: Readonly<Record<string, (operations: AppointmentOperations, id: string) => Promise<unknown>>> = {
    CANCELLED: (operations, id) => operations.cancel(supervisor, { id }),
    ABORTED: (operations, id) => operations.abort(supervisor, { id, reason: 'x' }),
  };
  const cells = recordOperations.flatMap((operation) => Object.keys(end).map((state) => ({ ...operation, state })));

  it.each(cells)('$name of a $state appointment is not found', async ({ run, by, state }) => {
    const base = fixture();
    const appointment = await changeable(base);
    await end[state]!(base.appointments, appointment.id);
    base.newEvents();
    const error = await errorOf(() => run(base.appointments, by, appointment, { liveOnly: true }));
    expect(error.code).toBe('not_found');
    expect(base.newEvents()).toEqual([]);
  });
});

describe('Of a CANCELLED or ABORTED appointment', () => {
  const outcomes = {
    get: 'answered',
    update: 'invalid_state',
    activate: 'invalid_state',
    reschedule: 'invalid_schedule',
    reassign: 'invalid_state',
    cancel: 'answered',
    softDelete: 'answered',
    remove: 'answered',
    moveInteraction: 'invalid_state',
    abort: 'answered',
    addParticipant: 'invalid_state',
    removeParticipant: 'invalid_state',
    updateParticipant: 'invalid_state',
    confirmParticipant: 'invalid_state',
  } as const;
  const cells = recordOperations.flatMap((each) => ['cancel', 'abort'].map((how) => ({ ...each, how })));

  it.each(cells)('an appointment after $how has one outcome: $name', async ({ name, run, by, how }) => {
    const base = fixture();
    const { id, ...rest } = await changeable(base);
    if (how === 'cancel') await base.appointments.cancel(supervisor, { id, cancelReason: 'first' });
    else await base.appointments.abort(supervisor, { id, reason: 'first' });
    const before = await base.store.appointments.find('org-1', id);
    base.newEvents();
    const outcome = await errorOf(() => run(base.appointments, by, { id, ...rest })).then(
      ({ code }) => code,
      () => 'answered',
    );
    expect(outcome).toBe(outcomes[name as keyof typeof outcomes]);
    expect(base.newEvents()).toEqual(name === 'remove' ? ['APDeletedEvent'] : []);
    if (name !== 'remove') expect(await base.store.appointments.find('org-1', id)).toEqual(before);
  });
});
