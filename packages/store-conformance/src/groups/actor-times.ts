import type { ActorTimes, AvailabilityMark } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { availabilityOf, expect } from '../expectations.js';
import { day, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { booked, recording, service1 } from '../fixtures/availability.js';
import { lookalikes } from '../fixtures/awkward-values.js';
import { insertion } from '../fixtures/changes.js';
import { commitAll, inserted, numbers } from '../steps.js';

const at = (hours: number): number => fixtureStart + hours * hour;
const none = { before: 0, after: 0 };

/** Begins and ends by actor; stores tell them in any order. */
export const sortedTimes = (all: readonly ActorTimes[] = []): unknown =>
  Object.fromEntries(
    all.map(({ actorId, spans }) => {
      const pairs = numbers(spans.length / 2).map((place) => spans.slice(2 * place, 2 * place + 2));
      return [actorId, pairs.sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)];
    }),
  );

export const actorTimesGroup = group('one question tells when actors work and are taken', [
  { rule: 'busy' },
  it('the larger of two buffers counts on each side: that of what is booked, and that of who asks, on the other side of the gap', async (store, a) => {
    const own = { before: 20 * minute, after: 40 * minute };
    const [plain, held] = [
      a.scheduled({ id: 'plain', start: at(4) }),
      a.hold({ start: at(8), end: at(9), buffers: own }),
    ];
    await commitAll(store, insertion(a.scheduled({ service: booked(own) })), insertion(plain), a.holding(held));
    const times: readonly (readonly [before: number, after: number, from: number, to: number])[] = [
      [0, 0, 20, 40],
      [50, 10, 20, 50],
      [30, 30, 30, 40],
    ];
    for (const [before, after, from, to] of times) {
      const buffers = { before: before * minute, after: after * minute };
      const kept = (start: number) => [at(start) - from * minute, at(start + 1) + to * minute];
      expect(sortedTimes(await availabilityOf(store).listTimes({ ...a.busyQuery(), buffers }))).toEqual({
        'agent-1': [kept(0), [at(4) - buffers.after, at(5) + buffers.before], kept(8)],
      });
    }
  }),
  it('what does not block, what has ended, what is to be moved and who has nothing are left out', async (store, a) => {
    const over = a.activated({ id: 'over', interaction: { state: 'COMPLETED' } });
    const [moved, other] = [
      a.scheduled({ id: 'moved' }),
      a.scheduled({ id: 'other', start: at(2), service: booked() }),
    ];
    const [gone, held] = [a.cancelled({ id: 'gone', start: at(3) }), a.hold({ start: at(5), end: at(6) })];
    await commitAll(store, ...[over, moved, other, gone].map((next) => insertion(next)), a.holding(held));
    const actorIds = ['agent-1', service1, 'nobody', 'agent-1'];
    const asked = a.busyQuery({ actorIds, exceptAppointmentId: 'moved' });
    const listed = async (now: number) =>
      sortedTimes(await availabilityOf(store).listTimes({ ...asked, now, buffers: none }));
    expect(await listed(held.until - 1)).toEqual({
      'agent-1': [
        [at(2), at(3)],
        [at(5), at(6)],
      ],
    });
    expect(await listed(held.until)).toEqual({ 'agent-1': [[at(2), at(3)]] });
  }),
  it('what began long before is found: seven days, with a buffer of a day', async (store, a) => {
    await inserted(store, a.scheduled({ duration: 7 * day, service: booked({ before: day, after: day }) }));
    const end = at(0) + 8 * day;
    const listed = (from: number) =>
      availabilityOf(store).listTimes({ ...a.busyQuery({ window: { from, to: end + hour } }), buffers: none });
    expect(await listed(end - 1)).toEqual([{ actorId: 'agent-1', spans: [at(0) - day, end] }]);
    expect(await listed(end)).toEqual([]);
  }),
  it('what takes a day with its buffers, and what takes a moment more, is found by its first and by its last moment', async (store, a) => {
    for (const more of [0, 1]) {
      const [agentId, length] = [`agent-of-${more}`, day + more];
      const begun = a.scheduled({ id: `begun-${more}`, organizerId: agentId, duration: hour });
      const late = a.scheduled({ id: `late-${more}`, organizerId: agentId, start: at(0) + 3 * day, duration: hour });
      await commitAll(
        store,
        insertion({ ...begun, service: booked({ before: 0, after: length - hour }) }),
        insertion({ ...late, service: booked({ before: length - hour, after: 0 }) }),
      );
      const spans = [
        [at(0), at(0) + length],
        [at(1) + 3 * day - length, at(1) + 3 * day],
      ] as const;
      for (const [from, to] of spans) {
        for (const window of [
          { from: from - hour, to: from + 1 },
          { from: to - 1, to: to + hour },
        ]) {
          const asked = a.busyQuery({ actorIds: [agentId], window });
          expect(await availabilityOf(store).listTimes({ ...asked, buffers: none })).toEqual([
            { actorId: agentId, spans: [from, to] },
          ]);
        }
      }
    }
  }),
  it('hours are told where days are asked for, with the exceptions of these days, whoever is taken', async (store, a) => {
    const document = (text: string) => ({ text: `${text} "'\\ \u2028 {},` });
    const hours = (scopeId: string) => a.record({ kind: 'hours', scopeId, id: '', document: document(scopeId) });
    const exception = (scopeId: string, id: string) =>
      a.record({ kind: 'exception', scopeId, id, document: document(id) });
    const days = { from: '2026-05-04', until: '2026-05-06' };
    const around = ['2026-05-03', '2026-05-04', '2026-05-06', '2026-05-07'].map((id) => exception('agent-1', id));
    const records = [hours('agent-1'), hours('anna'), hours('stranger'), ...around, exception('bert', '2026-05-05')];
    await commitAll(store, a.change({ records: records.map(recording) }), insertion(a.scheduled({})));
    const asked = { ...a.busyQuery({ actorIds: ['agent-1', 'anna', 'bert', 'nobody'] }), buffers: none };
    const taken = { actorId: 'agent-1', spans: [at(0), at(1)] };
    expect(await availabilityOf(store).listTimes(asked)).toEqual([taken]);
    const told = await availabilityOf(store).listTimes({ ...asked, days });
    expect(Object.fromEntries((told ?? []).map(({ actorId, ...times }) => [actorId, times]))).toEqual({
      'agent-1': {
        spans: taken.spans,
        hours: document('agent-1'),
        exceptions: { '2026-05-04': document('2026-05-04'), '2026-05-06': document('2026-05-06') },
      },
      anna: { spans: [], hours: document('anna') },
      bert: { spans: [], exceptions: { '2026-05-05': document('2026-05-05') } },
    });
  }),
  it('times are told while the service of the question is as it was read, and not when it is another now, or there is none', async (store, a) => {
    const service = a.record({ kind: 'service', scopeId: 'app-1', id: 'talk' });
    const next = { ...service, version: service.version + 1, updatedAt: service.updatedAt + 1 };
    await commitAll(store, insertion(a.scheduled({})), a.change({ records: [recording(service)] }));
    const days = { from: '2026-05-04', until: '2026-05-06' };
    const told = async (mark: AvailabilityMark, more: object = {}) => {
      const { scopeId, id, version, updatedAt } = mark;
      const asked = { ...a.busyQuery(), buffers: none, service: { scopeId, id, version, updatedAt }, ...more };
      return (await availabilityOf(store).listTimes(asked))?.length;
    };
    expect(await told(service)).toEqual(1);
    expect(await told(service, { days })).toEqual(1);
    expect(await told(service, { actorIds: ['nobody'] })).toEqual(0);
    for (const other of [
      { scopeId: 'app-2' },
      { id: 'Talk' },
      { version: next.version },
      { updatedAt: next.updatedAt },
    ]) {
      expect(await told({ ...service, ...other })).toEqual(undefined);
    }
    expect(await told(service, { organizationId: a.of('owner').organizationId })).toEqual(undefined);
    await commitAll(store, a.change({ records: [recording(next)] }));
    expect(await told(service)).toEqual(undefined);
    expect(await told(service, { actorIds: ['nobody'], days })).toEqual(undefined);
    expect(await told(next)).toEqual(1);
  }),
  { rule: 'organization-first' },
  it('what another organization has or holds takes nobody’s time here', async (store, a) => {
    const owner = a.of('owner');
    const hours = owner.record({ kind: 'hours', scopeId: 'agent-1', id: '' });
    await commitAll(store, insertion(owner.scheduled({})), a.holding(owner.hold()));
    await commitAll(store, owner.change({ records: [recording(hours)] }));
    const days = { from: '2026-05-04', until: '2026-05-06' };
    expect(await availabilityOf(store).listTimes({ ...a.busyQuery(), buffers: none, days })).toEqual([]);
  }),
  { rule: 'code-points' },
  it('actors that look alike are taken each by their own', async (store, a) => {
    const ids = lookalikes('b');
    for (const [index, id] of ids.entries()) {
      await inserted(store, a.scheduled({ id: `at-${index}`, organizerId: id, start: at(index) }));
    }
    const expected = Object.fromEntries(ids.map((id, index) => [id, [[at(index), at(index + 1)]]]));
    const window = { from: at(0), to: at(ids.length) };
    const asked = a.busyQuery({ actorIds: ids, window });
    expect(sortedTimes(await availabilityOf(store).listTimes({ ...asked, buffers: none }))).toEqual(expected);
  }),
]);
