import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { endpoint } from '../../test/notifications/notified.js';
import { unhandledIn } from '../../../../scripts/unhandled.js';
import { checkOptions } from './check-options.js';

const good = { store: memoryStore(), secret: 'a secret of at least thirty-two bytes' };
const send = (): Promise<unknown> => Promise.resolve({ status: 'delivered' });
const notifier = { send, timeout: 10_000, capability: 'none' };

/** The faults, one line each. */
function faultsOf(options: object): readonly string[] {
  try {
    checkOptions({ ...good, ...options });
    return [];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message.split('\n  - ').slice(1);
  }
}

describe('Notifiers', () => {
  it.each<[string, object]>([
    ['absent', {}],
    ['none', { notifiers: {} }],
    ['one for each channel', { notifiers: { email: notifier, sms: notifier, webhooks: notifier } }],
    ['undefined for a channel', { notifiers: { email: undefined } }],
    ['one that looks keys up', { notifiers: { sms: { ...notifier, capability: 'lookup', lookUp: send } } }],
    ['a lease of the time-out and 5 s', { notifiers: { sms: notifier }, worker: { deliveryLease: 15_000 } }],
    ['a lease without a notifier', { worker: { deliveryLease: 1000 } }],
  ])('Notifiers may be %s', (_what, options) => {
    expect(faultsOf(options)).toEqual([]);
  });

  const least = 'worker.deliveryLease: must be at least 5000 ms longer than notifiers';
  const unknown = (name: string) => `notifiers: unknown channel ${name}; known are email, sms, webhooks`;
  it.each<[string, object, readonly string[]]>([
    ['null', { email: null }, ['notifiers.email: must have send']],
    ['a function', { email: send }, ['notifiers.email: must have send']],
    ['without send', { sms: { ...notifier, send: undefined } }, ['notifiers.sms: must have send']],
    [
      'of no known capability',
      { webhooks: { ...notifier, capability: 'twice' } },
      ['notifiers.webhooks.capability: must be idempotent, lookup or none'],
    ],
    [
      'without a capability',
      { webhooks: { send, timeout: 1 } },
      ['notifiers.webhooks.capability: must be idempotent, lookup or none'],
    ],
    ['lookup without lookUp', { sms: { ...notifier, capability: 'lookup' } }, ['notifiers.sms: must have lookUp']],
    ...[null, 1, {}].flatMap((value) =>
      ['lookUp', 'fetchStatus', 'endpointFault'].map((name): [string, object, readonly string[]] => [
        `with ${JSON.stringify(value)} in the place of ${name}`,
        { webhooks: { ...notifier, [name]: value } },
        [`notifiers.webhooks.${name}: must be a function`],
      ]),
    ),
    ...[0, -1, 1.5, NaN, Infinity, '10', undefined].map((timeout): [string, object, readonly string[]] => [
      `with the time-out ${String(timeout)}`,
      { email: { ...notifier, timeout } },
      ['notifiers.email.timeout: must be a whole number of milliseconds from 1 to 3600000'],
    ]),
    ['of an unknown channel', { fax: notifier }, [unknown('fax')]],
    ['of a channel in other letter case', { Email: notifier }, [unknown('Email')]],
    ['two at once', { email: null, fax: 1 }, ['notifiers.email: must have send', unknown('fax')]],
  ])('Notifiers must not be %s', (_what, notifiers, faults) => {
    expect(faultsOf({ notifiers })).toEqual(faults);
  });

  it('Notifiers must not have a claim that lasts hardly longer than a call', () => {
    const notifiers = { email: notifier, sms: { ...notifier, timeout: 9999 }, webhooks: notifier };
    expect(faultsOf({ notifiers, worker: { deliveryLease: 14_999 } })).toEqual([
      `${least}.email.timeout`,
      `${least}.webhooks.timeout`,
    ]);
  });

  const unreadable = 'notifiers.webhooks.endpointFault: must answer a string, or undefined';
  it.each<[string, () => unknown, readonly string[]]>([
    ['answers null', () => null, []],
    ['answers false', () => false, [unreadable]],
    ['answers an empty string', () => '', [unreadable]],
    ['answers a promise that rejects', () => Promise.reject(new Error('no')), [unreadable]],
    ['throws', () => raise(), ['notifiers.webhooks.endpointFault: failed: no']],
  ])('Notifiers whose endpointFault %s do not end the check, nor the process', async (_what, endpointFault, faults) => {
    const unhandled = await unhandledIn(async () => {
      const applications = { 'app-1': { notifications: { webhooks: [endpoint, { ...endpoint, id: 'b' }] } } };
      expect(faultsOf({ notifiers: { webhooks: { ...notifier, endpointFault } }, applications })).toEqual(faults);
    });
    expect(unhandled).toEqual([]);
  });

  it('Notifiers tell what is wrong with endpoints, of fixed applications only', () => {
    const endpointFault = ({ url }: { url: string }) => (url.startsWith('http:') ? 'must be https' : undefined);
    const webhooks = [endpoint, { ...endpoint, id: 'b', url: 'http://b.example' }];
    const notifiers = { webhooks: { ...notifier, endpointFault } };
    const applications = { 'app-1': { notifications: { webhooks } } };
    expect(faultsOf({ notifiers, applications })).toEqual([
      'applications.app-1.notifications.webhooks.1: must be https',
    ]);
    expect(faultsOf({ notifiers, applications: { find: () => applications['app-1'] } })).toEqual([]);
    expect(faultsOf({ applications })).toEqual([]);
  });

  it('Notifiers are not asked about endpoints by what cannot be called', () => {
    const notifiers = { webhooks: { ...notifier, endpointFault: 'checked' } };
    const applications = { 'app-1': { notifications: { webhooks: [endpoint] } } };
    expect(faultsOf({ notifiers, applications })).toEqual(['notifiers.webhooks.endpointFault: must be a function']);
  });

  it.each([null, [], 'en', 5])('Notifiers do not take %j for templates', (templates) => {
    expect(faultsOf({ templates })).toEqual(['templates: must be an object of locales']);
  });

  it('Notifiers do not go without a fault in their templates', () => {
    const [fault, ...others] = faultsOf({ templates: { en: { 'no.such.key': 'x' } } });
    expect(fault).toMatch(/^templates: /);
    expect(others).toEqual([]);
  });
});

describe('The worker', () => {
  it.each<[string, object]>([
    ['slots', { slots: { email: 1, sms: 1000 } }],
    ['slots of one channel', { slots: { webhooks: 5 } }],
    ['no slots', { slots: {} }],
    ['no wait', { settleWait: 0 }],
    ['a minute of waiting', { settleWait: 60_000 }],
    ['a lease of a second', { deliveryLease: 1000 }],
  ])('the worker may have %s', (_what, worker) => {
    expect(faultsOf({ worker })).toEqual([]);
  });

  it.each<[string, object]>([
    ['worker.slots.email', { slots: { email: 0 } }],
    ['worker.slots.sms', { slots: { sms: 1001 } }],
    ['worker.slots.webhooks', { slots: { webhooks: 1.5 } }],
    ['worker.slots', { slots: 10 }],
    ['worker.slots: unknown option mail', { slots: { mail: 1 } }],
    ['worker.settleWait', { settleWait: -1 }],
    ['worker.settleWait', { settleWait: 60_001 }],
    ['worker.deliveryLease', { deliveryLease: 999 }],
    ['worker.deliveryLease', { deliveryLease: '30s' }],
  ])('the worker must not have a fault at %s: %j', (path, worker) => {
    const [fault, ...others] = faultsOf({ worker });
    expect(fault?.startsWith(path)).toBe(true);
    expect(others).toEqual([]);
  });
});

function raise(): never {
  throw new Error('no');
}
