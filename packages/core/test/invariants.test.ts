import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minutes } from '@calends/model';
import { type Appointment, CalendsError, type DomainEvent } from '../src/index.js';
import { appointmentStates, type InteractionState, interactionStates } from '../src/store.js';
import { canMove } from '../src/domain/appointments/interaction.js';
import { agentOne, type Fixture, fixture, supervisor } from './fixtures.js';
import { changeable, recordOperations } from './record-operations.js';

/** One step: an operation, a move of the interaction, or time that passes and a look of the worker. */
type Step =
  | { readonly kind: 'operation'; readonly index: number }
  | { readonly kind: 'move'; readonly to: InteractionState; readonly agent: number }
  | { readonly kind: 'reschedule'; readonly hour: number }
  | { readonly kind: 'time'; readonly minutes: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('operation' as const), index: fc.nat(recordOperations.length - 1) }),
  fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom(...interactionStates), agent: fc.nat(3) }),
  fc.record({ kind: fc.constant('reschedule' as const), hour: fc.integer({ min: 9, max: 12 }) }),
  fc.record({ kind: fc.constant('time' as const), minutes: fc.integer({ min: 1, max: 90 }) }),
);

async function take(base: Fixture, appointment: Appointment, taken: Step): Promise<void> {
  const { appointments, clock, scheduling } = base;
  const { id } = appointment;
  switch (taken.kind) {
    case 'operation': {
      const { run } = recordOperations[taken.index]!;
      await run(appointments, supervisor, appointment);
      return;
    }
    case 'move': {
      const actor = { id: `agent-${String(taken.agent)}`, type: 'AGENT' } as const;
      const errorData = { systemMessage: 'x', userMessage: 'y' };
      await appointments.moveInteraction(supervisor, { id, to: taken.to as 'PENDING', actor, errorData });
      return;
    }
    case 'reschedule': {
      const start = `2030-05-06T${String(taken.hour).padStart(2, '0')}:00:00Z`;
      await appointments.reschedule(agentOne, { id, start, duration: 'PT30M', timezone: 'UTC' });
      return;
    }
    case 'time':
      clock.advance(minutes(taken.minutes));
      await scheduling.workers.runOnce();
  }
}

/** Fails when the record after a step does not follow from the one before it and the events between. */
function check(before: Appointment | undefined, after: Appointment | undefined, events: readonly DomainEvent[]): void {
  if (before === undefined || after === undefined) {
    expect(after).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(before === undefined ? [] : ['APDeletedEvent']);
    return;
  }
  expect(appointmentStates).toContain(after.state);
  expect(after.version).toBe(before.version + events.length);
  expect(events.map(({ version }) => version)).toEqual(events.map((_event, index) => before.version + index + 1));
  if (events.length === 0) expect(after).toEqual(before);
  else {
    const { state, interactionState, organizerId } = events.at(-1)!.data;
    expect({ state, interactionState, organizerId }).toEqual({
      state: after.state,
      interactionState: after.interaction.state,
      organizerId: after.organizer.id,
    });
  }
  const isOver = before.state === 'CANCELLED' || before.state === 'ABORTED';
  if (isOver) expect(after).toEqual(before);
  if (before.state === 'ACTIVATED') expect(after.state).not.toBe('SCHEDULED');
  const [from, to] = [before.interaction.state, after.interaction.state];
  if (from !== to && events.length === 1) expect(canMove(from, to)).toBe(true);
  expect(after.interaction.state === 'CANCELLED').toBe(
    !isLive(after) && !['COMPLETED', 'NO_SHOW', 'FAILED'].includes(to),
  );
  expect(after.schedule.end).toBeGreaterThan(after.schedule.start);
  expect(after.participants.some(({ type }) => type === 'CUSTOMER')).toBe(true);
}

const isLive = ({ state }: Appointment): boolean => state === 'SCHEDULED' || state === 'ACTIVATED';

describe('Whatever is done with an appointment, in whatever order', () => {
  it('the version rises by one for each event, states are legal, and a no-op leaves no trace', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const base = fixture();
        const delivered: DomainEvent[] = [];
        // Before the first commit: an event that has no reader when it is written is kept for reading back only (D79).
        base.scheduling.events.subscribe((event) => void delivered.push(event));
        const made = await changeable(base);
        const find = (): Promise<Appointment | undefined> => base.store.appointments.find('org-1', made.id);
        for (const each of steps) {
          const before = await find();
          const counted = base.events().length;
          const error: unknown = await take(base, made, each).catch((caught: unknown) => caught);
          const events = base.events().slice(counted);
          if (error !== undefined) {
            expect(error).toSatisfy(CalendsError.is);
            expect(events).toEqual([]);
          }
          check(before, await find(), events);
        }
        await base.scheduling.workers.runOnce();
        const committed = base.events();
        expect(delivered).toEqual(committed);
        expect(await base.store.events.list({ organizationId: 'org-1', appointmentId: made.id })).toEqual(committed);
        expect(base.signals.filter(({ type }) => type !== 'committed')).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
