import { describe, expect, it } from 'vitest';
import { type AppointmentState, appointmentStates, type InteractionState, interactionStates } from '@calends/model';
import { codeOrValue } from '../../../test/error-of.js';
import { access, agentActor, end, inState, interaction, now } from '../../../test/sample-appointments.js';
import type { Appointment } from './appointment.js';
import { abort, activate, cancel, interact, reassign, reschedule, requireLive, type Transition } from './lifecycle.js';

const schedule = { start: end, end: end + 1_800_000, timezone: 'Europe/Athens' };

type Operation = (appointment: Appointment, at: number) => Transition | undefined;

const operations = {
  activate: (appointment, at) => activate(appointment, { grant: access, at, explicit: true }),
  cancel: (appointment, at) => cancel(appointment, { at, actor: agentActor, event: 'APCancelledEvent' }),
  softDelete: (appointment, at) => cancel(appointment, { at, actor: agentActor, event: 'APDeletedEvent' }),
  abort: (appointment, at) => abort(appointment, { at, reason: 'the host says so' }),
  reschedule: (appointment, at) => reschedule(appointment, { schedule, at, byCustomer: false }),
  reassign: (appointment, at) => reassign(appointment, { agentId: 'agent-7', at }),
} satisfies Record<string, Operation>;

const c = 'CANCELLED';
const a = 'ABORTED';
const refused = { state: 'invalid_state', schedule: 'invalid_schedule' };

/** What becomes of the appointment: its next state, `=` where nothing changes, or an error code. */
interface Row {
  readonly activate: string;
  readonly cancel: string;
  readonly abort: string;
  readonly reschedule: string;
  readonly reassign: string;
}

// By hand: spec States table, D15, D16, D18, D20, D22. `stays` is the state that it is in.
const live: Readonly<Record<InteractionState, Omit<Row, 'activate'>>> = {
  PENDING: { cancel: c, abort: a, reschedule: 'stays', reassign: 'stays' },
  INITIATED: { cancel: c, abort: a, reschedule: 'stays', reassign: 'stays' },
  IN_PROGRESS: { cancel: c, abort: a, reschedule: refused.schedule, reassign: 'stays' },
  COMPLETED: { cancel: refused.state, abort: a, reschedule: refused.schedule, reassign: 'stays' },
  NO_SHOW: { cancel: refused.state, abort: a, reschedule: refused.schedule, reassign: 'stays' },
  FAILED: { cancel: c, abort: a, reschedule: 'stays', reassign: 'stays' },
  CANCELLED: { cancel: c, abort: a, reschedule: refused.schedule, reassign: 'stays' },
};
const ended: Row = {
  activate: refused.state,
  cancel: '=',
  abort: '=',
  reschedule: refused.schedule,
  reassign: refused.state,
};

function rowOf(state: AppointmentState, interactionState: InteractionState): Row {
  switch (state) {
    case 'SCHEDULED':
      return { ...live[interactionState], activate: 'ACTIVATED' };
    case 'ACTIVATED':
      return { ...live[interactionState], activate: '=' };
    case 'CANCELLED':
    case 'ABORTED':
      return ended;
  }
}

const cells = appointmentStates.flatMap((state) =>
  interactionStates
    .filter((interactionState) => interactionState !== 'CANCELLED' || state === 'CANCELLED' || state === 'ABORTED')
    .flatMap((interactionState) => {
      const row = rowOf(state, interactionState);
      return Object.entries({ ...row, softDelete: row.cancel }).map(([operation, outcome]) => ({
        state,
        interactionState,
        operation: operation as keyof typeof operations,
        outcome: outcome === 'stays' ? state : outcome,
      }));
    }),
);

const eventTypes = {
  activate: 'APActivatedEvent',
  cancel: 'APCancelledEvent',
  softDelete: 'APDeletedEvent',
  abort: 'APAbortedEvent',
  reschedule: 'APRescheduledEvent',
  reassign: 'APReassignedEvent',
} as const;

describe('An appointment (spec: States)', () => {
  it.each(cells)('an appointment in $state with the interaction $interactionState: $operation → $outcome', (cell) => {
    const before = inState(cell.state, { interaction: interaction(cell.interactionState) });
    const copy = structuredClone(before);
    const result = codeOrValue(() => operations[cell.operation](before, now));
    if (cell.outcome === '=') {
      expect(result).toBeUndefined();
    } else if (cell.outcome.startsWith('invalid_')) {
      expect(result).toBe(cell.outcome);
    } else {
      expect(result).toMatchObject({
        next: { state: cell.outcome, version: before.version + 1, updatedAt: now, createdAt: before.createdAt },
        event: { type: eventTypes[cell.operation] },
      });
    }
    expect(before).toEqual(copy);
  });

  it.each(appointmentStates)('%s is live unless it is cancelled or aborted', (state) => {
    const appointment = inState(state);
    const outcome = codeOrValue(() => requireLive(appointment));
    expect(outcome).toBe(state === 'CANCELLED' || state === 'ABORTED' ? 'invalid_state' : appointment);
  });
});

describe('Activation (D18)', () => {
  it('Activation keeps the room that was opened and the time', () => {
    const { next } = operations.activate(inState('SCHEDULED'), now)!;
    expect(next).toMatchObject({ access, activatedAt: now });
  });

  it('Activation says whether it was explicit (D19)', () => {
    const by = (explicit: boolean): Transition | undefined =>
      activate(inState('SCHEDULED'), { grant: access, at: now, explicit });
    expect(by(true)?.event.data).toEqual({ explicit: true });
    expect(by(false)?.event.data).toEqual({ explicit: false });
  });
});

describe('Cancelling (D16, D17)', () => {
  const cancelling = { at: now + 5, actor: agentActor, event: 'APCancelledEvent' } as const;

  it('Cancelling keeps who, when and why', () => {
    const { next, event } = cancel(inState('SCHEDULED'), { ...cancelling, reason: 'ill' })!;
    expect(next).toMatchObject({ cancellation: { at: now + 5, by: 'agent-1', reason: 'ill' } });
    expect(event.data).toEqual({ reason: 'ill' });
  });

  it('Cancelling ends the open interaction, and keeps one that failed', () => {
    const interactionAfter = (state: InteractionState): string =>
      cancel(inState('ACTIVATED', { interaction: interaction(state) }), cancelling)!.next.interaction.state;
    expect(interactionAfter('IN_PROGRESS')).toBe('CANCELLED');
    expect(interactionAfter('FAILED')).toBe('FAILED');
  });

  it('Cancelling leaves nothing of the activation but the room that was open', () => {
    const { next } = cancel(inState('ACTIVATED'), cancelling)!;
    expect(next).toMatchObject({ state: 'CANCELLED', access });
    expect(next).not.toHaveProperty('activatedAt');
  });
});

describe('Rescheduling (D20)', () => {
  const { schedule: present } = inState('SCHEDULED');
  const to = (more: object): Transition | undefined =>
    reschedule(inState('ACTIVATED'), { schedule, at: now, byCustomer: false, ...more });

  it('Rescheduling keeps id, state and access, and counts the schedule', () => {
    const before = inState('ACTIVATED');
    expect(to({})?.next).toMatchObject({
      id: before.id,
      access,
      scheduleVersion: before.scheduleVersion + 1,
      schedule,
    });
  });

  it('Rescheduling to the identical schedule changes nothing', () => {
    expect(to({ schedule: { ...present } })).toBeUndefined();
    expect(to({ schedule: { ...present }, locale: 'en' })).toBeUndefined();
  });

  it.each([
    ['start', { ...present, start: present.start + 1 }],
    ['duration', { ...present, end: present.end + 1 }],
    ['time zone', { ...present, timezone: 'UTC' }],
  ])('Rescheduling with another %s is a move, told with the previous schedule', (_field, other) => {
    const moved = to({ schedule: other });
    expect(moved?.event.data?.previousSchedule).toEqual({
      start: '2030-05-06T11:00:00Z',
      end: '2030-05-06T11:30:00Z',
      timezone: 'Europe/Athens',
    });
  });

  it('Rescheduling may change the locale only, which is no new schedule and counts as a move of a customer: it is told, too', () => {
    const before = inState('ACTIVATED');
    const next = to({ schedule: present, locale: 'el', byCustomer: true })?.next;
    expect(next).toMatchObject({
      locale: 'el',
      scheduleVersion: before.scheduleVersion,
      customerReschedules: 1,
      version: before.version + 1,
    });
  });

  it("Rescheduling counts the customers' moves only (D21)", () => {
    expect(to({ byCustomer: true })?.next.customerReschedules).toBe(1);
    expect(to({ byCustomer: false })?.next.customerReschedules).toBe(0);
  });

  it('Rescheduling of a failed interaction is possible before the end only', () => {
    const failed = inState('ACTIVATED', { interaction: interaction('FAILED') });
    const at = (when: number): unknown =>
      codeOrValue(() => reschedule(failed, { schedule, at: when, byCustomer: false }));
    expect(at(end - 1)).toMatchObject({ next: { state: 'ACTIVATED' } });
    expect(at(end)).toBe('invalid_schedule');
  });
});

describe('The interaction of an appointment (D14)', () => {
  it('the interaction of an appointment moves while the appointment is live, and its move is an event', () => {
    const moved = interact(inState('ACTIVATED'), { to: 'INITIATED', at: now, actor: agentActor });
    expect(moved).toMatchObject({
      next: { state: 'ACTIVATED', interaction: { state: 'INITIATED' } },
      event: { type: 'APInteractionUpdatedEvent' },
    });
  });

  it('the interaction of an appointment that is where the move leads changes nothing', () => {
    expect(interact(inState('SCHEDULED'), { to: 'PENDING', at: now, actor: agentActor })).toBeUndefined();
  });

  it.each(['CANCELLED', 'ABORTED'] as const)(
    'the interaction of an appointment does not move once the appointment is %s',
    (state) => {
      const move = { to: 'INITIATED', at: now, actor: agentActor } as const;
      expect(codeOrValue(() => interact(inState(state), move))).toBe('invalid_state');
    },
  );

  it('the interaction of an appointment is retried before the end only', () => {
    const failed = inState('ACTIVATED', { interaction: interaction('FAILED') });
    const retry = (at: number): unknown =>
      codeOrValue(() => interact(failed, { to: 'PENDING', at, actor: agentActor }));
    expect(retry(end - 1)).toMatchObject({ next: { interaction: { state: 'PENDING' } } });
    expect(retry(end)).toBe('invalid_state');
  });
});
