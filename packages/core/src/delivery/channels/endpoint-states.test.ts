import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { days, hours, seconds } from '@calends/model';
import { now } from '../../../test/sample-appointments.js';
import type { Signal } from '../../ports/observer.js';
import type { EndpointKey } from '../../ports/store/notifications.js';
import { endpointKeyOf, EndpointStates } from './endpoint-states.js';

function states() {
  const inner = memoryStore().notifications;
  const reads: EndpointKey[] = [];
  const store = {
    ...inner,
    findEndpoint: (key: EndpointKey) => {
      reads.push(key);
      return inner.findEndpoint(key);
    },
  };
  const clock = { at: now, now: () => clock.at };
  const process = () => new EndpointStates(store, clock, { observe: () => undefined });
  return { reads, clock, endpoints: process(), enabledElsewhere: (key: EndpointKey) => process().enable(key) };
}

const keyOf = (organizationId: string, applicationId: string, id: string): EndpointKey =>
  endpointKeyOf({ organizationId, applicationId }, { id, label: id, url: 'https://crm.example/hooks', secret: '' });

describe('What is known of an endpoint', () => {
  it('what is known of an endpoint is answered at once and read once a second at most, as long as nothing changes', async () => {
    const { endpoints, reads, clock } = states();
    const key = keyOf('org-1', 'app-1', 'crm');
    expect(await endpoints.isDisabled(key)).toBe(false);
    expect([endpoints.isDisabled(key), endpoints.record(key, 'delivered')]).toEqual([false, undefined]);
    expect(reads).toHaveLength(1);
    clock.at += seconds(1);
    expect(endpoints.isDisabled(key)).toBe(false);
    await endpoints.record(key, 'delivered');
    expect(endpoints.record(key, 'delivered')).toBeUndefined();
    expect(reads).toHaveLength(2);
  });

  it('what is known of an endpoint is read again when the clock has gone back', async () => {
    const { endpoints, clock, enabledElsewhere } = states();
    const key = keyOf('org-1', 'app-1', 'crm');
    clock.at += hours(2);
    await endpoints.record(key, 'gone');
    clock.at -= hours(2);
    await enabledElsewhere(key);
    expect(await endpoints.isDisabled(key)).toBe(false);
  });

  it('an endpoint that began to fail while the clock was ahead is disabled five days after its first failure since', async () => {
    const { endpoints, clock } = states();
    const key = keyOf('org-1', 'app-1', 'crm');
    clock.at = now + days(365);
    await endpoints.record(key, 'failed');
    clock.at = now;
    await endpoints.record(key, 'failed');
    expect(await endpoints.stateOf(key)).toEqual({ failingSince: now, disabledAt: null, reason: null });
    clock.at += days(5) - 1;
    await endpoints.record(key, 'failed');
    expect(await endpoints.isDisabled(key)).toBe(false);
    clock.at += 1;
    await endpoints.record(key, 'failed');
    expect(await endpoints.isDisabled(key)).toBe(true);
  });

  it('what is known of an endpoint holds for no other whose ids make the same text when they are joined', async () => {
    const { endpoints } = states();
    const gone = keyOf('a', 'b 1', 'c');
    await endpoints.record(gone, 'gone');
    expect(await endpoints.isDisabled(gone)).toBe(true);
    for (const other of [keyOf('ab', ' 1', 'c'), keyOf('a', 'b ', '1c'), keyOf('a b', '1', 'c')]) {
      expect(await endpoints.isDisabled(other)).toBe(false);
    }
  });
});

describe('The state of an endpoint that two change at once', () => {
  const key = keyOf('org-1', 'app-1', 'crm');

  /** A process that reads the state, and what happens elsewhere before it writes. */
  function overtaken(since: number | null) {
    const { notifications } = memoryStore();
    const clock = { at: now, now: () => clock.at };
    const signals: Signal[] = [];
    const observer = { observe: (signal: Signal) => void signals.push(signal) };
    const between: (() => Promise<unknown>)[] = [];
    const findEndpoint = async (of: EndpointKey) => {
      const found = await notifications.findEndpoint(of);
      await between.shift()?.();
      return found;
    };
    const elsewhere = new EndpointStates(notifications, clock, observer);
    const first = async () => {
      await notifications.putEndpoint(key, { failingSince: since, disabledAt: null, reason: null });
      const here = new EndpointStates({ ...notifications, findEndpoint }, clock, observer);
      await here.isDisabled(key);
      return here;
    };
    return { first, elsewhere, between, signals };
  }

  it.each<[string, number | null, 'delivered' | 'failed' | 'gone']>([
    ['a failure is recorded', null, 'failed'],
    ['a success is recorded', now - 5, 'delivered'],
    ['the last failure of five days is recorded', now - days(5), 'failed'],
    ['a 410 is recorded', null, 'gone'],
  ])('an endpoint that is disabled by hand while %s stays disabled by hand', async (_what, since, result) => {
    const { first, elsewhere, between, signals } = overtaken(since);
    const here = await first();
    between.push(() => elsewhere.disable(key, 'disabled by admin-1'));
    await here.record(key, result);
    expect(await elsewhere.stateOf(key)).toEqual({
      failingSince: since,
      disabledAt: now,
      reason: 'disabled by admin-1',
    });
    expect(await here.isDisabled(key)).toBe(true);
    expect(signals).toEqual([]);
  });

  it('an endpoint that has just taken a delivery elsewhere is not disabled for five days of failures', async () => {
    const { first, elsewhere, between, signals } = overtaken(now - days(5));
    const here = await first();
    between.push(() => Promise.resolve(elsewhere.record(key, 'delivered')));
    await here.record(key, 'failed');
    expect(await elsewhere.stateOf(key)).toEqual({ failingSince: now, disabledAt: null, reason: null });
    expect(signals).toEqual([]);
  });

  it('an endpoint that two find gone at once is told of once', async () => {
    const { first, elsewhere, between, signals } = overtaken(null);
    const here = await first();
    between.push(() => Promise.resolve(elsewhere.record(key, 'gone')));
    await here.record(key, 'gone');
    expect(signals).toMatchObject([{ type: 'endpointDisabled', reason: 'it answered 410' }]);
  });

  it('an endpoint whose state changes at each attempt is refused, and keeps what was written last', async () => {
    const { first, elsewhere, between } = overtaken(null);
    const here = await first();
    const flip = (round: number) => () =>
      Promise.resolve(elsewhere.record(key, round % 2 === 0 ? 'failed' : 'delivered'));
    between.push(...Array.from({ length: 20 }, (_, round) => flip(round)));
    await expect(here.disable(key, 'disabled by admin-1')).rejects.toMatchObject({ code: 'contention' });
    expect(await elsewhere.stateOf(key)).toEqual({ failingSince: null, disabledAt: null, reason: null });
  });
});
