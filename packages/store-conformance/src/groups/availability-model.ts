import type { Appointment } from '@calends/core';
import { type Change, type HoldChanges, type LimitGuard, type OverlapGuard, serviceActorId } from '@calends/core/store';
import fc from 'fast-check';
import { Compared, seed } from '../compared.js';
import { group, it } from '../conformance-case.js';
import { availabilityOf } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { guardOf, heldAt } from '../fixtures/availability.js';
import { insertion, update } from '../fixtures/changes.js';
import type { Words } from '../fixtures/words.js';
import { numbers } from '../steps.js';
import { sortedTimes } from './actor-times.js';

const people = ['anna', 'Anna', 'bert'];
const rooms = ['room-1', 'room-2'];
const services = ['service-1', 'SERVICE-1'];
const owners = ['owner-1', 'owner-2'];
const actors = [...people, ...rooms, ...owners, ...services.map((id) => serviceActorId('app-1', id))];

const oneOf = fc.constantFrom;
const perhaps = <Value>(any: fc.Arbitrary<Value>) => fc.option(any, { nil: undefined });
const anyInstant = fc.integer({ min: 0, max: 144 }).map((step) => fixtureStart + step * 10 * minute);
const anyWindow = fc.record({ from: anyInstant, length: oneOf(10 * minute, hour, 6 * hour) });
const anyBuffer = oneOf(0, 10 * minute, 20 * minute, 2 * hour);

const anyLimit = fc.record({
  actorId: oneOf(...actors),
  serviceActorId: perhaps(oneOf(...services.map((id) => serviceActorId('app-1', id)))),
  window: anyWindow.map(({ from, length }) => ({ from, to: from + length })),
  max: fc.integer({ min: 1, max: 3 }),
});

const anyTime = fc.record({
  start: anyInstant,
  duration: oneOf(10 * minute, 30 * minute, hour),
  buffers: fc.record({ before: anyBuffer, after: anyBuffer }),
  agentIds: fc.uniqueArray(oneOf(...people), { minLength: 1, maxLength: 2 }),
  resourceIds: fc.uniqueArray(oneOf(...rooms), { maxLength: 1 }),
  serviceId: oneOf(...services),
});

const releases: readonly (readonly number[])[] = [...numbers(7).map(() => []), [0], [1, 4]];

const anyStep = fc.record({
  kind: oneOf('book', 'book', 'hold', 'hold', 'move', 'cancel'),
  place: fc.nat(29),
  time: anyTime,
  hasService: oneOf(true, true, false),
  guarded: oneOf('with a span', 'with a span', 'without a span', 'not'),
  limits: fc.array(anyLimit, { maxLength: 2 }),
  /** Places of holds among those that were written, the last one first. */
  consume: oneOf(...numbers(9).map(() => undefined), 0, 0, 3),
  release: oneOf(...releases),
  ownerKey: oneOf(...owners),
  /** How long the clock goes on before it. */
  later: fc.integer({ min: 0, max: 30_000 }),
});

const anyLook = fc.record({
  buffers: fc.record({ before: anyBuffer, after: anyBuffer }),
  actorIds: fc.uniqueArray(oneOf(...actors), { minLength: 1 }),
  window: anyWindow.map(({ from, length }) => ({ from, to: from + length })),
  exceptAppointmentId: perhaps(fc.nat(29).map((place) => `a-${place}`)),
});

type Step = typeof anyStep extends fc.Arbitrary<infer Given> ? Given : never;

/** What the change does to holds, what it asks for, and by which time. */
function extrasOf(
  { guarded, limits, consume, release }: Step,
  written: readonly string[],
  guard: OverlapGuard,
  holdsAt: number,
): { guard?: OverlapGuard; holds?: HoldChanges; limits: readonly LimitGuard[]; holdsAt: number } {
  const idOf = (place: number) => written.at(-1 - place) ?? 'none';
  const used = consume === undefined ? [] : [idOf(consume)];
  const given = release.map(idOf);
  const exceptHoldIds = [...used, ...given];
  const { span: _, ...withoutSpan } = guard;
  return {
    holds: { consume: used[0], release: given },
    limits,
    holdsAt,
    ...(guarded === 'with a span' && { guard: { ...guard, exceptHoldIds } }),
    ...(guarded === 'without a span' && { guard: withoutSpan }),
  };
}

/** The appointment of a step, over the one that is there. */
function appointmentOf(a: Words, { kind, place, time, hasService }: Step, current?: Appointment): Appointment {
  const { start, duration, buffers, agentIds, resourceIds, serviceId } = time;
  const [organizerId = '', ...others] = agentIds;
  const fields = { id: `a-${place}`, start, duration, organizerId, agentIds: others };
  const service = { id: serviceId, resources: resourceIds, buffers };
  const next = (kind === 'cancel' ? a.cancelled : a.scheduled)({ ...fields, ...(hasService && { service }) });
  return current === undefined ? next : { ...next, version: current.version + 1 };
}

function changeOf(a: Words, step: Step, written: readonly string[], holdsAt: number, current?: Appointment): Change {
  if (step.kind === 'hold') {
    const { start, duration, ...time } = step.time;
    const until = holdsAt + 10 * minute;
    const hold = a.hold({
      ...time,
      id: `h-${written.length}`,
      start,
      end: start + duration,
      ownerKey: step.ownerKey,
      until,
    });
    const extras = extrasOf(step, written, guardOf(hold), holdsAt);
    return a.holding(hold, { ...extras, holds: { ...extras.holds, add: hold } });
  }
  const next = appointmentOf(a, step, current);
  const extras = extrasOf(step, written, guardOf(next), holdsAt);
  return current === undefined ? insertion(next, extras) : update(next, { ...extras, before: current });
}

export const availabilityModelGroup = group('a store answers what the naive model answers of availability', [
  { rule: 'busy' },
  it('a store answers what the naive model answers after three hundred bookings, moves, cancellations and holds under guards and limits', async (store, a, organizationId) => {
    const compared = new Compared(store);
    const written: string[] = [];
    let now = heldAt;
    for (const step of fc.sample(anyStep, { numRuns: 300, seed })) {
      now += step.later;
      const current = await compared.ask((each) => each.appointments.find(organizationId, `a-${step.place}`));
      const change = changeOf(a, step, written, now, current);
      const { status } = await compared.ask((each) => each.commit(change));
      if (status === 'committed' && change.holds?.add !== undefined) written.push(change.holds.add.id);
    }
    for (const id of written) {
      await compared.ask((each) => availabilityOf(each).findHold(organizationId, id));
    }
    await compared.askMany(100, anyLook, async (each, { buffers, ...look }) => {
      const store = availabilityOf(each);
      const asked = { ...look, organizationId, now };
      return [await store.listBusy(asked), sortedTimes(await store.listTimes({ ...asked, buffers }))];
    });
  }),
]);
