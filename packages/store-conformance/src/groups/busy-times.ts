import type { BusyEntry } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { availabilityOf, expect, spoil } from '../expectations.js';
import { agent, customer, day, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { booked, busyOf, heldAt, service1 } from '../fixtures/availability.js';
import { lookalikes } from '../fixtures/awkward-values.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { commitAll, inserted, numbers } from '../steps.js';

const at = (hours: number): number => fixtureStart + hours * hour;
const buffers = { before: 20 * minute, after: 40 * minute };

/** Ids of what they are of, in their order. */
const idsOf = (entries: readonly BusyEntry[]) => entries.map(({ appointmentId, holdId }) => appointmentId ?? holdId);

export const busyTimesGroup = group('one question tells the busy times of actors', [
  { rule: 'busy' },
  it('an appointment stands under each of its actors, its service blocks nothing, and buffers are told beside its own time', async (store, a) => {
    const service = booked(buffers, ['room-1', 'room-2']);
    const participants = [customer('customer-1', 'identity-1'), customer('customer-2'), agent('bert')];
    const next = await inserted(store, a.scheduled({ organizerId: 'anna', participants, service }));
    const actorIds = ['room-2', 'identity-1', 'customer-2', 'anna', service1, 'bert', 'nobody', 'anna', 'room-1'];
    const expected = ['anna', 'bert', 'identity-1', 'room-1', 'room-2', service1];
    expect(await availabilityOf(store).listBusy(a.busyQuery({ actorIds }))).toEqual(
      expected.map((actorId) => busyOf(next, actorId, actorId !== service1)),
    );
  }),
  it('an appointment without a service has no buffers, and one entry for an organizer who is assigned too', async (store, a) => {
    const next = await inserted(store, a.scheduled({ agentIds: ['agent-1'] }));
    const expected = { ...busyOf(next), busy: { from: at(0), to: at(1) } };
    expect(await availabilityOf(store).listBusy(a.busyQuery())).toEqual([expected]);
  }),
  it('what was cancelled or aborted is left out, and what is over counts without blocking', async (store, a) => {
    const service = booked();
    const blocking = [
      a.activated({ id: 'activated', service }),
      ...(['PENDING', 'INITIATED', 'IN_PROGRESS', 'FAILED'] as const).map((state) =>
        a.activated({ id: state, interaction: { state }, service }),
      ),
    ];
    const over = (['COMPLETED', 'NO_SHOW'] as const).map((state) =>
      a.activated({ id: state, interaction: { state }, service }),
    );
    const gone = [a.cancelled({ id: 'cancelled', service }), a.aborted({ id: 'aborted', service })];
    await commitAll(store, ...[...blocking, ...over, ...gone].map((next) => insertion(next)));
    const listed = await availabilityOf(store).listBusy(a.busyQuery({ actorIds: ['agent-1', service1] }));
    const blocks = Object.fromEntries(
      listed.flatMap(({ actorId, appointmentId = '', blocks }) =>
        actorId === service1 ? [] : [[appointmentId, blocks]],
      ),
    );
    const expected = [...blocking.map(({ id }) => [id, true]), ...over.map(({ id }) => [id, false])];
    expect(blocks).toEqual(Object.fromEntries(expected));
    expect(listed.filter(({ actorId }) => actorId === service1).map((each) => each.blocks)).toEqual(
      expected.map(() => false),
    );
  }),
  it('a window is half-open, and buffers belong to what is busy', async (store, a) => {
    await inserted(store, a.scheduled({ service: booked(buffers) }));
    const [from, to] = [at(0) - buffers.before, at(1) + buffers.after];
    const windows: readonly (readonly [from: number, to: number, isIn: boolean])[] = [
      [from - hour, from, false],
      [from - hour, from + 1, true],
      [at(0) + minute, at(0) + 2 * minute, true],
      [to - 1, to + hour, true],
      [to, to + hour, false],
      [from - day, to + day, true],
    ];
    for (const [start, end, isIn] of windows) {
      const found = await availabilityOf(store).listBusy(a.busyQuery({ window: { from: start, to: end } }));
      expect(idsOf(found)).toEqual(isIn ? ['appointment-1'] : [], `${start - from} to ${end - to}`);
    }
  }),
  it('what began long before is found: seven days, with a buffer of a day', async (store, a) => {
    const long = { duration: 7 * day, service: booked({ before: day, after: day }) };
    await inserted(store, a.scheduled(long));
    const asked = (from: number, to: number) => a.busyQuery({ window: { from, to } });
    const end = at(0) + 8 * day;
    expect(idsOf(await availabilityOf(store).listBusy(asked(end - 1, end + hour)))).toEqual(['appointment-1']);
    expect(await availabilityOf(store).listBusy(asked(end, end + hour))).toEqual([]);
    const begin = at(0) - day;
    expect(idsOf(await availabilityOf(store).listBusy(asked(begin - hour, begin + 1)))).toEqual(['appointment-1']);
    expect(await availabilityOf(store).listBusy(asked(begin - hour, begin))).toEqual([]);
  }),
  it('the appointment that is to be moved is left out, others are not', async (store, a) => {
    const [moved, other] = [a.scheduled({ id: 'moved' }), a.scheduled({ id: 'other' })];
    await commitAll(store, insertion(moved), insertion(other), a.holding(a.hold({ id: 'moved' })));
    const entries = await availabilityOf(store).listBusy(a.busyQuery({ exceptAppointmentId: 'moved' }));
    expect(entries).toEqual([busyOf(a.hold({ id: 'moved' })), busyOf(other)]);
  }),
  it('an appointment is busy as it is now: moved, given to others, cancelled or removed', async (store, a) => {
    const first = await inserted(store, a.scheduled({ service: booked(buffers, ['room-1']) }));
    const asked = a.busyQuery({ actorIds: ['agent-1', 'agent-2', 'room-1', 'room-2', service1] });
    const listed = () => availabilityOf(store).listBusy(asked);
    const moved = nextVersion(first, { schedule: { ...first.schedule, start: at(3), end: at(4) } });
    await commitAll(store, update(moved));
    expect(await listed()).toEqual([busyOf(moved), busyOf(moved, 'room-1'), busyOf(moved, service1, false)]);
    const given = nextVersion(moved, { organizer: agent('agent-2'), service: booked({}, ['room-2']) });
    await commitAll(store, update(given));
    expect(await listed()).toEqual([busyOf(given, 'agent-2'), busyOf(given, 'room-2'), busyOf(given, service1, false)]);
    const { service: _, ...withoutService } = given;
    const plain = nextVersion(withoutService);
    await commitAll(store, update(plain));
    expect(await listed()).toEqual([busyOf(plain, 'agent-2')]);
    await commitAll(
      store,
      update(a.cancelled({ organizerId: 'agent-2', start: at(3), version: plain.version + 1 }), { before: plain }),
    );
    expect(await listed()).toEqual([]);
    const again = await inserted(store, a.scheduled({ id: 'again' }));
    expect(idsOf(await listed())).toEqual(['again']);
    await commitAll(store, removal(again));
    expect(await listed()).toEqual([]);
  }),
  it('a hold stands under its agents and resources, and blocks nothing under its service and its owner', async (store, a) => {
    const hold = a.hold({ agentIds: ['anna', 'bert'], resourceIds: ['room-1'], buffers });
    await commitAll(store, a.holding(hold));
    const actorIds = ['anna', 'bert', 'room-1', service1, 'owner-1'];
    expect(await availabilityOf(store).listBusy(a.busyQuery({ actorIds }))).toEqual(
      actorIds.toSorted().map((actorId) => busyOf(hold, actorId, actorId !== service1 && actorId !== 'owner-1')),
    );
  }),
  it('a hold is busy until it ends, by the time that is given', async (store, a) => {
    const hold = a.hold();
    await commitAll(store, a.holding(hold));
    const listed = (now: number) => availabilityOf(store).listBusy(a.busyQuery({ now }));
    expect(await listed(hold.until - 1)).toEqual([busyOf(hold)]);
    expect(await listed(hold.until)).toEqual([]);
    expect(await listed(hold.until + 1)).toEqual([]);
  }),
  it('a hold is busy by the clock of the store where no time is given', async (store, a) => {
    const alive = a.hold({ id: 'alive', until: Date.now() + hour });
    const ended = a.hold({ id: 'ended', until: Date.now() - hour });
    await commitAll(store, a.holding(alive), a.holding(ended));
    expect(await availabilityOf(store).listBusy(a.busyQuery({ now: undefined }))).toEqual([busyOf(alive)]);
  }),
  it('entries stand by actor, then start, then id, by code point', async (store, a) => {
    const appointments = ['b', 'B', '\ue000', '\u{10000}'].map((id) => a.scheduled({ id, agentIds: ['Agent-1'] }));
    const late = a.scheduled({ id: 'a', start: at(1) });
    const holds = [a.hold({ id: 'C' }), a.hold({ id: 'c', start: at(-1) })];
    await commitAll(store, insertion(late), ...appointments.map((next) => insertion(next)));
    await commitAll(store, ...holds.map((hold) => a.holding(hold)));
    const listed = await availabilityOf(store).listBusy(a.busyQuery({ actorIds: ['agent-1', 'Agent-1'] }));
    const sameStart = ['B', 'b', '\ue000', '\u{10000}'];
    expect(listed.map(({ actorId, appointmentId, holdId }) => [actorId, appointmentId ?? holdId])).toEqual([
      ...sameStart.map((id) => ['Agent-1', id]),
      ...['c', 'B', 'C', ...sameStart.slice(1), 'a'].map((id) => ['agent-1', id]),
    ]);
  }),
  it('a hundred actors are answered at once', async (store, a) => {
    const all = numbers(100).map((index) => {
      const id = `at-${String(index).padStart(3, '0')}`;
      return a.scheduled({ id, organizerId: `agent of ${id}`, service: booked(buffers), start: at(index / 100) });
    });
    await commitAll(store, ...all.map((next) => insertion(next)));
    const actorIds = all.map(({ organizer }) => organizer.id);
    expect(await availabilityOf(store).listBusy(a.busyQuery({ actorIds }))).toEqual(
      all.map((next) => busyOf(next, next.organizer.id)),
    );
  }),
  { rule: 'copies' },
  it('what a caller does to busy times changes nothing stored', async (store, a) => {
    const hold = a.hold();
    const next = await inserted(store, a.scheduled({ start: at(2), service: booked(buffers) }));
    await commitAll(store, a.holding(hold));
    spoil(await availabilityOf(store).listBusy(a.busyQuery()));
    expect(await availabilityOf(store).listBusy(a.busyQuery())).toEqual([busyOf(hold), busyOf(next)]);
  }),
  { rule: 'organization-first' },
  it('what another organization has or holds is nobody’s busy time here', async (store, a) => {
    const owner = a.of('owner');
    await commitAll(store, insertion(owner.scheduled({ service: booked() })), a.holding(owner.hold()));
    const actorIds = ['agent-1', service1, 'owner-1'];
    expect(await availabilityOf(store).listBusy(a.busyQuery({ actorIds }))).toEqual([]);
  }),
  { rule: 'code-points' },
  it('actors that look alike have busy times of their own', async (store, a) => {
    for (const [index, id] of lookalikes('b').entries()) {
      await inserted(store, a.scheduled({ id: `at-${index}`, organizerId: id, service: booked({}, [`room ${id}`]) }));
      await commitAll(store, a.holding(a.hold({ id: `hold-${index}`, agentIds: [id], ownerKey: `owner ${id}` })));
    }
    for (const [index, id] of lookalikes('b').entries()) {
      for (const [actorId, ids] of [
        [id, [`at-${index}`, `hold-${index}`]],
        [`room ${id}`, [`at-${index}`]],
        [`owner ${id}`, [`hold-${index}`]],
      ] as const) {
        const query = a.busyQuery({ actorIds: [actorId], now: heldAt });
        expect(idsOf(await availabilityOf(store).listBusy(query))).toEqual(ids);
      }
    }
  }),
  { rule: 'round-trip' },
  it('an appointment comes back with its service, its buffers and its resources', async (store, a) => {
    const services = [undefined, booked(), booked(buffers), booked({ before: day, after: day }, ['room-2', 'room-1'])];
    for (const [index, service] of services.entries()) {
      const next = a.scheduled({ id: `at-${index}`, ...(service !== undefined && { service }) });
      await inserted(store, next);
      await expect.appointments(store, next);
      const { service: _, ...plain } = nextVersion(next);
      await commitAll(store, update(plain, { before: next }));
      await expect.appointments(store, plain);
      const again = { ...nextVersion(plain), service: booked(buffers, ['room-3']) };
      await commitAll(store, update(again, { before: plain }));
      await expect.appointments(store, again);
    }
  }),
]);
