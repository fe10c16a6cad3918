import { describe, expect, it } from 'vitest';
import { seconds } from '@calends/model';
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
