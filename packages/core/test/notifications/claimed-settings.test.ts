import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import { booked } from '../fixtures.js';
import { everything, notified, reachable } from './notified.js';

const mailsAlone: ConfiguredNotifications = { ...everything, reminders: [], sms: undefined, webhooks: [] };
const rows = 3;

/** Some messages that are due, and a host whose settings can be made to fail. */
async function due(find: (isDown: boolean) => unknown) {
  const host = { isDown: false, asked: 0 };
  const base = notified(mailsAlone, {
    worker: { slots: { email: rows } },
    applications: {
      find: () => {
        host.asked += 1;
        return find(host.isDown) as object | Promise<object>;
      },
    },
  });
  for (let row = 0; row < rows; row += 1) await booked(base, { customers: [reachable] });
  host.asked = 0;
  return { base, host };
}

const configured = { notifications: mailsAlone };
const fault = new Error('down');

describe('Settings of messages that were claimed together', () => {
  it.each<[string, (isDown: boolean) => unknown]>([
    ['at once', () => configured],
    ['later', () => Promise.resolve(configured)],
  ])(
    'settings of messages that were claimed together are asked for once, where the host answers %s',
    async (_when, find) => {
      const { base, host } = await due(find);
      await base.work();
      expect(base.email.sent).toHaveLength(rows);
      expect(host.asked).toBe(1);
    },
  );

  it.each<[string, unknown, (isDown: boolean) => unknown]>([
    [
      'throws',
      fault,
      (isDown) => {
        if (isDown) throw fault;
        return configured;
      },
    ],
    ['rejects', fault, (isDown) => (isDown ? Promise.reject(fault) : configured)],
    [
      'answers what are no settings',
      { code: 'internal' },
      (isDown) => (isDown ? { notifications: 'all' } : configured),
    ],
  ])(
    'settings of messages that were claimed together are asked for again with the next claim when the host %s',
    async (_how, error, find) => {
      const { base, host } = await due(find);
      host.isDown = true;
      await base.work();
      host.isDown = false;
      const faults = base.signals.filter(({ type }) => type === 'deliveryFailed');
      expect(faults).toMatchObject(Array.from({ length: rows }, () => ({ step: 'compose', error })));
      expect(await base.statuses({ statuses: ['INITIALIZED'] })).toHaveLength(rows);
      await base.after(seconds(30));
      expect(base.email.sent).toHaveLength(rows);
    },
  );
});

describe('A message for what its worker does not know of yet', () => {
  const without = { ...mailsAlone, email: undefined };
  const messages = [
    ['an endpoint', 'WEBHOOKS', { ...without, webhooks: everything.webhooks }, 'the endpoint is not configured'],
    ['a channel', 'SMS', { ...without, sms: everything.sms }, 'the channel is not configured'],
  ] as const;

  /** A process that has planned one message, and one whose settings are those of before. */
  async function planned(settings: ConfiguredNotifications) {
    const newer = notified(settings);
    await booked(newer, { customers: [reachable] });
    const older = notified(mailsAlone, { store: newer.store, clock: newer.clock });
    const states = async () => (await newer.statuses()).map(({ status, retryCount }) => [status, retryCount]);
    return { newer, older, states };
  }

  it.each(messages)(
    'a message for %s that its worker does not know of yet waits, and goes out by a process that does',
    async (_what, channel, settings) => {
      const { newer, older, states } = await planned(settings);
      await older.work();
      expect(await states()).toEqual([['INITIALIZED', 0]]);
      // Nobody has it before: what gives it back would claim it at once again.
      expect(await newer.work()).toBe(0);
      await newer.after(seconds(10));
      expect(await states()).toEqual([['DELIVERED', 1]]);
      expect((channel === 'SMS' ? newer.sms : newer.webhooks).sent).toHaveLength(1);
    },
  );

  it.each(messages)(
    'a message for %s that its worker does not know of yet keeps its attempts, and is tried again by a process that does',
    async (_what, channel, settings) => {
      const { newer, older, states } = await planned(settings);
      const provider = channel === 'SMS' ? newer.sms : newer.webhooks;
      provider.answers({ status: 'failed', permanent: false, error: '503' });
      await newer.work();
      expect(await states()).toEqual([['PENDING', 1]]);
      provider.answers({ status: 'delivered' });
      expect(await older.after(seconds(40))).toBe(1);
      expect(await states()).toEqual([['PENDING', 1]]);
      await newer.after(seconds(10));
      expect(await states()).toEqual([['DELIVERED', 2]]);
    },
  );

  it.each(messages)(
    'a message for %s that no worker knows of is CANCELLED five minutes after it was planned',
    async (_what, _channel, settings, message) => {
      const { older, states } = await planned(settings);
      for (let waited = 0; waited < minutes(5); waited += seconds(10)) {
        expect([await older.work(), await states()]).toEqual([1, [['INITIALIZED', 0]]]);
        older.clock.advance(seconds(10));
      }
      await older.work();
      expect(await states()).toEqual([['CANCELLED', 0]]);
      expect((await older.statuses()).map((status) => status.message)).toEqual([message]);
    },
  );
});
