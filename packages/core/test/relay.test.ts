import { describe, expect, it } from 'vitest';
import { days, minutes, seconds } from '@calends/model';
import { memoryStore } from '@calends/store-memory';
import type { DomainEvent, Signal } from '../src/index.js';
import { PublisherUnavailableError } from '../src/publisher.js';
import { answerOrCode } from './error-of.js';
import { agentOne, booked, type Fixture, fixture } from './fixtures.js';

/** Events as `appointment version`, in the order of their delivery. */
function following(base: Fixture, fails: (event: DomainEvent) => boolean = () => false): string[] {
  const seen: string[] = [];
  base.scheduling.events.subscribe((event) => {
    if (fails(event)) throw new Error('The subscriber is not ready.');
    seen.push(`${event.appointmentId.slice(-2)} ${String(event.version)}`);
  });
  return seen;
}

/** An appointment with events of three versions. */
async function withThreeEvents(base: Fixture, start = '2030-05-06T11:00:00Z'): Promise<string> {
  const { id } = await booked(base, { start });
  await base.appointments.update(agentOne, { id, title: 'two' });
  await base.appointments.update(agentOne, { id, title: 'three' });
  return id;
}

const relayed = async (base: Fixture): Promise<number> => (await base.scheduling.workers.runOnce()).events;

describe('Subscribers (D48)', () => {
  it.each([[undefined], [null], [5], [{}], [Promise.resolve(() => undefined)]])(
    'Subscribers that are no functions are refused when they subscribe, and no event is tried for them: %j',
    async (handler) => {
      const base = fixture();
      const fault = 'events.subscribe: handler must be a function.';
      expect(() => base.scheduling.events.subscribe(handler as never)).toThrow(new TypeError(fault));
      await booked(base);
      expect(await relayed(base)).toBe(0);
    },
  );

  it('Subscribers get every event once it is committed, in version order, and not again', async () => {
    const base = fixture();
    const seen = following(base);
    const id = (await withThreeEvents(base)).slice(-2);
    expect(seen).toEqual([]);
    expect(await relayed(base)).toBe(3);
    expect(seen).toEqual([`${id} 1`, `${id} 2`, `${id} 3`]);
    expect(await relayed(base)).toBe(0);
    expect(seen).toHaveLength(3);
  });

  it('Subscribers that change their event change it for nobody else, nor where it is kept', async () => {
    const seen: unknown[] = [];
    const take = (event: DomainEvent): void => {
      seen.push(structuredClone(event));
      const mine = event as unknown as { type: string; data: { agentIds: string[]; schedule: { start: string } } };
      mine.type = 'changed';
      mine.data.agentIds.push('changed');
      mine.data.schedule.start = 'changed';
    };
    const base = fixture({ eventPublisher: { publish: async (event) => take(event) } });
    let isAgain = false;
    base.scheduling.events.subscribe(take);
    base.scheduling.events.subscribe(() => {
      if (!isAgain) throw new Error('not yet');
    });
    await booked(base);
    const [committed] = base.events();
    await relayed(base);
    isAgain = true;
    base.clock.advance(seconds(1));
    await relayed(base);
    expect(seen).toEqual([committed, committed, committed, committed]);
  });

  it('Subscribers get what is committed from the first of them on: before, events are born delivered (D79)', async () => {
    const base = fixture();
    const id = await withThreeEvents(base);
    const seen = following(base);
    expect(await relayed(base)).toBe(0);
    await base.appointments.update(agentOne, { id, title: 'four' });
    expect(await relayed(base)).toBe(1);
    expect(seen).toEqual([`${id.slice(-2)} 4`]);
  });

  it('Subscribers that come again get what was committed while there was none', async () => {
    const base = fixture();
    const end = base.scheduling.events.subscribe(() => undefined);
    await relayed(base);
    end();
    await withThreeEvents(base);
    const seen = following(base);
    expect(await relayed(base)).toBe(3);
    expect(seen).toHaveLength(3);
  });

  it('Subscribers that never come let events go with the retention of events (D79)', async () => {
    const base = fixture();
    const appointmentId = await withThreeEvents(base);
    const query = { organizationId: agentOne.organizationId, appointmentId };
    base.clock.advance(days(30) + 1);
    expect(await base.store.events.list(query)).toHaveLength(3);
    await relayed(base);
    expect((await base.store.events.list(query)).filter(({ version }) => version <= 3)).toEqual([]);
  });

  it('Subscribers are several, and the publisher of the host one of them', async () => {
    const published: string[] = [];
    const base = fixture({ eventPublisher: { publish: async ({ type }) => void published.push(type) } });
    const [one, other] = [following(base), following(base)];
    await withThreeEvents(base);
    await relayed(base);
    expect([one.length, other.length, published.length]).toEqual([3, 3, 3]);
  });

  it('Subscribers are called with no more events at a time than the host says, where passes run beside each other', async () => {
    const inner = memoryStore();
    const claim: typeof inner.events.claim = async (asked) => {
      await new Promise(setImmediate);
      return inner.events.claim(asked);
    };
    const base = fixture({ store: { ...inner, events: { ...inner.events, claim } }, worker: { batchSize: 2 } });
    let [seen, atOnce, max] = [0, 0, 0];
    base.scheduling.events.subscribe(async () => {
      seen += 1;
      max = Math.max(max, (atOnce += 1));
      await new Promise(setImmediate);
      atOnce -= 1;
    });
    for (let count = 0; count < 5; count += 1) await booked(base);
    await Promise.all([relayed(base), relayed(base), relayed(base)]);
    expect([seen, max]).toEqual([5, 2]);
  });

  it('Subscribers end their subscription', async () => {
    const base = fixture();
    const seen: string[] = [];
    const handler = ({ type }: DomainEvent): void => void seen.push(type);
    const [end, endAgain] = [base.scheduling.events.subscribe(handler), base.scheduling.events.subscribe(handler)];
    await booked(base);
    await relayed(base);
    expect(seen).toHaveLength(2);
    end();
    end();
    await booked(base);
    await relayed(base);
    expect(seen).toHaveLength(3);
    endAgain();
    await booked(base);
    expect(await relayed(base)).toBe(0);
  });

  it('Subscribers get what the event says, frozen in time: a later change does not show', async () => {
    const base = fixture();
    const states: string[] = [];
    base.scheduling.events.subscribe(({ data }) => void states.push(data.state));
    const { id } = await booked(base);
    await base.appointments.cancel(agentOne, { id });
    await relayed(base);
    expect(states).toEqual(['SCHEDULED', 'CANCELLED']);
  });
});

describe('A subscriber that fails (D48)', () => {
  it('a subscriber that fails sees the event again after 1 s, 2 s, 4 s, … at most 5 min, and its later events wait', async () => {
    const base = fixture();
    let ready = false;
    const seen = following(base, () => !ready);
    await withThreeEvents(base);
    for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      expect(await relayed(base)).toBe(1);
      base.clock.advance(seconds(wait) - 1);
      expect(await relayed(base)).toBe(0);
      base.clock.advance(1);
    }
    ready = true;
    expect(await relayed(base)).toBe(3);
    expect(seen.map((each) => each.slice(-1))).toEqual(['1', '2', '3']);
  });

  it('a subscriber that fails blocks no other appointment', async () => {
    const base = fixture();
    let broken = '';
    const seen = following(base, ({ appointmentId }) => appointmentId === broken);
    broken = await withThreeEvents(base);
    const fine = await withThreeEvents(base);
    await relayed(base);
    expect(seen).toEqual([1, 2, 3].map((version) => `${fine.slice(-2)} ${String(version)}`));
  });

  it('a subscriber that fails makes the other subscribers see the event again, under the same id', async () => {
    const base = fixture();
    const ids: string[] = [];
    let ready = false;
    base.scheduling.events.subscribe(({ id }) => void ids.push(id));
    following(base, () => !ready);
    await booked(base);
    await relayed(base);
    ready = true;
    base.clock.advance(seconds(1));
    await relayed(base);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it('a subscriber that fails is reported each time, and the event parked after the last; the later ones wait', async () => {
    const { base, seen, id } = await withPoison();
    expect(reports(base, 'eventRetried')).toHaveLength(13);
    expect(reports(base, 'eventParked')).toMatchObject([{ appointmentId: id, attempts: 14 }]);
    expect(seen).toEqual([]);
    const fine = (await withThreeEvents(base, '2030-05-06T15:00:00Z')).slice(-2);
    await relayed(base);
    expect(seen).toEqual([1, 2, 3].map((version) => `${fine} ${String(version)}`));
  });

  it('a parked event is tried again when the host says so, and the later ones follow in their order', async () => {
    const { base, seen, id, poison } = await withPoison();
    poison.clear();
    expect(await base.scheduling.events.retryParked({ organizationId: 'org-2' })).toBe(0);
    expect(await relayed(base)).toBe(0);
    expect(await base.scheduling.events.retryParked({ organizationId: 'org-1', appointmentId: id })).toBe(1);
    expect(await relayed(base)).toBe(3);
    expect(seen.map((each) => each.slice(-1))).toEqual(['1', '2', '3']);
  });

  it('a parked event that is tried again has all its attempts before it', async () => {
    const { base, id } = await withPoison();
    await base.scheduling.events.retryParked({ organizationId: 'org-1' });
    await relayed(base);
    expect(reports(base, 'eventRetried')).toHaveLength(14);
    expect(reports(base, 'eventParked')).toHaveLength(1);
    expect(await base.scheduling.events.skipParked({ organizationId: 'org-1', appointmentId: id })).toBe(false);
  });

  it('a parked event is left out when the host says so, and the later ones follow', async () => {
    const { base, seen, id } = await withPoison();
    expect(await base.scheduling.events.skipParked({ organizationId: 'org-2', appointmentId: id })).toBe(false);
    expect(await base.scheduling.events.skipParked({ organizationId: 'org-1', appointmentId: id })).toBe(true);
    expect(await relayed(base)).toBe(2);
    expect(seen.map((each) => each.slice(-1))).toEqual(['2', '3']);
  });

  it('parked events that are not named are not touched', async () => {
    const { base, id } = await withPoison();
    const { skipParked, retryParked } = base.scheduling.events as unknown as Record<
      'skipParked' | 'retryParked',
      (...given: readonly unknown[]) => Promise<unknown>
    >;
    for (const call of [
      () => skipParked({ organizationId: 'org-1' }),
      () => skipParked({ organizationId: 'org-1', appointmentId: undefined }),
      () => skipParked({ organizationId: 'org-1', appointment: id }),
      () => retryParked({ organizationId: 'org-1', appointmentID: id }),
      () => retryParked({ organizationId: 'org-1', appointmentId: '' }),
      () => retryParked({ organizationId: '' }),
      () => retryParked(),
    ]) {
      expect(await answerOrCode(call)).toBe('validation_failed');
    }
    expect(await base.scheduling.events.skipParked({ organizationId: 'org-1', appointmentId: id })).toBe(true);
  });

  it('stopped workers hand out no further round of events', async () => {
    const base = fixture({ worker: { batchSize: 1 } });
    let stopped: Promise<void> | undefined;
    const seen: string[] = [];
    base.scheduling.events.subscribe(({ appointmentId }) => {
      seen.push(appointmentId);
      stopped ??= base.scheduling.workers.stop();
    });
    for (const hour of ['10', '12', '14']) await booked(base, { start: `2030-05-06T${hour}:00:00Z` });
    base.scheduling.workers.start();
    while (stopped === undefined) await new Promise(setImmediate);
    await stopped;
    expect(seen).toHaveLength(1);
  });

  it('a publisher that is out of reach for hours gets every event when it is back: none is parked meanwhile', async () => {
    const published: number[] = [];
    let isAway = true;
    const publish = async ({ version }: DomainEvent): Promise<void> => {
      if (isAway) throw new PublisherUnavailableError('The broker is away.');
      published.push(version);
    };
    const base = fixture({ eventPublisher: { publish } });
    await withThreeEvents(base, nextYear);
    await passHours(base);
    isAway = false;
    expect(await relayed(base)).toBe(3);
    expect(published).toEqual([1, 2, 3]);
    expect(reports(base, 'eventParked')).toEqual([]);
  });

  it('a publisher that was out of reach for hours and refuses an event then is asked five times before it is parked', async () => {
    let isAway = true;
    let refused = 0;
    const publish = async (): Promise<void> => {
      if (isAway) throw new PublisherUnavailableError('The broker is away.');
      refused += 1;
      throw new Error('The broker is starting.');
    };
    const base = fixture({ eventPublisher: { publish } });
    await booked(base, { start: nextYear });
    await passHours(base);
    isAway = false;
    await passHours(base);
    expect([refused, reports(base, 'eventParked').length]).toEqual([5, 1]);
  });
});

const reports = (base: Fixture, type: Signal['type']): readonly Signal[] =>
  base.signals.filter((signal) => signal.type === type);

/** So late that nothing but the test happens to it. */
const nextYear = '2031-05-06T11:00:00Z';

async function passHours(base: Fixture): Promise<void> {
  for (let round = 0; round < 30; round += 1) {
    await relayed(base);
    base.clock.advance(minutes(5));
  }
}

/** An appointment whose first event nobody could take, until it was parked. */
async function withPoison() {
  const base = fixture();
  const poison = new Set<string>();
  const seen = following(base, ({ id }) => poison.has(id));
  const id = await withThreeEvents(base, nextYear);
  const [first] = await base.store.events.list({ organizationId: 'org-1', appointmentId: id });
  poison.add(first!.id);
  await passHours(base);
  return { base, seen, id, poison };
}

describe('Several relays on one store', () => {
  it('several relays on one store deliver each event once between them, in version order for each appointment', async () => {
    const base = fixture();
    const { store, clock, ids } = base;
    const other = fixture({ store, clock, ids });
    const seen: string[] = [];
    for (const each of [base, other]) {
      each.scheduling.events.subscribe(async ({ appointmentId, version }) => {
        await Promise.resolve();
        seen.push(`${appointmentId} ${String(version)}`);
      });
    }
    const made: string[] = [];
    for (let count = 0; count < 30; count += 1) made.push(await withThreeEvents(base));
    const counts = await Promise.all([relayed(base), relayed(other)]);
    await relayed(base);
    expect(new Set(seen).size).toBe(90);
    expect(seen).toHaveLength(90);
    expect(counts[0] + counts[1]).toBe(90);
    for (const id of made) {
      const own = seen.filter((each) => each.startsWith(id));
      expect(own).toEqual([1, 2, 3].map((version) => `${id} ${String(version)}`));
    }
  });

  it('Several relays on one store take over when one froze with its claim, after its lease; its late outcome is ignored', async () => {
    const base = fixture();
    const seen = following(base);
    await booked(base);
    const now = base.clock.now();
    const [claimed] = await base.store.events.claim({ now, limit: 10, leaseUntil: now + seconds(30) });
    expect(await relayed(base)).toBe(0);
    base.clock.advance(seconds(30));
    expect(await relayed(base)).toBe(1);
    const { event, token } = claimed!;
    await base.store.events.settle([{ eventId: event.id, token, status: 'retry', at: base.clock.now() }]);
    expect(await relayed(base)).toBe(0);
    expect(seen).toHaveLength(1);
  });
});

describe('Delivered events', () => {
  it('Delivered events can be read back until their retention is over, 30 days by default', async () => {
    const base = fixture();
    following(base);
    const id = await withThreeEvents(base, '2031-05-06T11:00:00Z');
    await relayed(base);
    const kept = async (): Promise<number> =>
      (await base.store.events.list({ organizationId: 'org-1', appointmentId: id })).length;
    base.clock.advance(days(30));
    await relayed(base);
    expect(await kept()).toBe(3);
    base.clock.advance(minutes(2));
    await relayed(base);
    expect(await kept()).toBe(0);
  });

  it('Delivered events go earlier when the host says so; undelivered ones stay', async () => {
    const base = fixture({ retention: { events: 0 } });
    const end = base.scheduling.events.subscribe(() => undefined);
    const delivered = (await booked(base)).id;
    await relayed(base);
    end();
    const waiting = (await booked(base)).id;
    base.clock.advance(minutes(2));
    await relayed(base);
    const kept = async (appointmentId: string): Promise<number> =>
      (await base.store.events.list({ organizationId: 'org-1', appointmentId })).length;
    expect([await kept(delivered), await kept(waiting)]).toEqual([0, 1]);
  });
});
