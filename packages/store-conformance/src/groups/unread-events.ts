import { group, it } from '../conformance-case.js';
import { expect, sorted } from '../expectations.js';
import { minute } from '../fixtures/appointments.js';
import { commitAll } from '../steps.js';

/** So early that nothing else in the store is due by it, or was delivered before it. */
const birth = 5_001;

/**
 * Comes before every other case that claims events: a store that knows of none who takes them has these born delivered. One that
 * knows of somebody lets them wait. Each may be, so that the case needs no empty store; what lies between the two may not.
 */
export const unreadEventsGroup = group('events that nobody takes are delivered from their birth, or wait (D79)', [
  { rule: 'events-unread', level: 'events' },
  it('an event that nobody takes in its process is kept like a delivered one and never claimed, or waits like any other', async (store, a, organizationId) => {
    const ids = ['a', 'b'];
    const events = ids.map((id, index) => a.event(a.scheduled({ id }), { occurredAt: birth + index }));
    await commitAll(store, { organizationId, events, eventsUnread: true });
    const kept = async () => {
      const lists = await Promise.all(ids.map((id) => store.events.list({ organizationId, appointmentId: id })));
      return lists.flat();
    };
    expect(await kept()).toEqual(events);
    const claimed = await store.events.claim({ now: birth + 1, limit: 100, leaseUntil: birth + minute });
    const waiting = sorted(claimed.map(({ event }) => event.appointmentId));
    expect(waiting).toEqual(waiting.length === 0 ? [] : ids, 'of two alike both wait, or none does');
    // Delivered at their `occurredAt`: the purge of what was delivered before it leaves them, and the next one does not.
    const [first, second] = waiting.length === 0 ? [events.slice(1), []] : [events, events];
    await store.events.purge(birth, 100);
    expect(await kept()).toEqual(events);
    await store.events.purge(birth + 1, 100);
    expect(await kept()).toEqual(first);
    await store.events.purge(birth + 2, 100);
    expect(await kept()).toEqual(second);
    expect(await store.events.claim({ now: birth + 1, limit: 100, leaseUntil: birth + minute })).toEqual([]);
  }),
]);
