import { describe, expect, it } from 'vitest';
import { days } from '@calends/model';
import { endpoint, everything } from '../../test/notifications/notified.js';
import { pollPropertyNames } from './poll-properties.js';
import { notificationSettingsSchema } from './notification-settings.js';

/** Paths of what is wrong. */
function faultsOf(settings: unknown): readonly string[] {
  const issues = notificationSettingsSchema.safeParse(settings).error?.issues ?? [];
  return [...new Set(issues.map(({ path }) => path.join('.')))];
}

const whsec = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
const hook = (more: object): object => ({ webhooks: [{ ...endpoint, ...more }] });
const basic = { type: 'basic', username: 'u', password: 'p' };
const oauth2 = { type: 'oauth2', tokenUrl: 'https://id.example/token', clientId: 'c', clientSecret: 's' };

describe('Settings of notifications', () => {
  it.each<[string, object]>([
    ['empty', {}],
    ['everything', everything],
    ['no waits, which is one attempt', { retry: { email: [], sms: [], webhooks: [] } }],
    ['20 waits', { retry: { email: Array.from({ length: 20 }, () => 1) } }],
    ['the shortest offsets', { reminders: [1], followUps: [1] }],
    ['no wait and no lateness', { retry: { sms: [0] }, lateness: { room: 0 } }],
    ['a year', { reminders: [days(365)] }],
    ['a wait of a week', { retry: { webhooks: [days(7)] } }],
    ['the longest id and label', hook({ id: 'x'.repeat(64), label: 'x'.repeat(100) })],
    ['a secret of 24 bytes', hook({ secret: whsec(24) })],
    ['a secret of 64 bytes', hook({ secret: whsec(64) })],
    ['two secrets, during a rotation', hook({ secret: [whsec(32), whsec(32)] })],
    ['some types', hook({ types: ['CREATE', 'NO_SHOW'] })],
    ['no types', hook({ types: [] })],
    ['headers', hook({ headers: { 'x-tenant': '1' } })],
    ['basic authentication', hook({ authentication: basic })],
    ['client credentials', hook({ authentication: { ...oauth2, scope: 'a b' } })],
    ['held text messages', { sms: { from: '+30', unknownOutcome: 'hold' } }],
    [
      'every poll property of time',
      {
        poll: Object.fromEntries(
          pollPropertyNames.filter((name) => /interval|Delay|timeout/i.test(name)).map((name) => [name, 'PT1M']),
        ),
      },
    ],
  ])('Settings of notifications may be %s', (_what, settings) => {
    expect(faultsOf(settings)).toEqual([]);
  });

  it.each<[string, string, unknown]>([
    ['active', 'active', { active: 'yes' }],
    ['a sender of two lines', 'email.from', { email: { from: 'a@b.example\r\nBcc: c@d.example' } }],
    ['a sender without an address', 'email.from', { email: { from: 'Clinic' } }],
    ['a sender of two addresses', 'email.from', { email: { from: 'Clinic <a,b@c.example>' } }],
    ['a sender whose name could be an address', 'email.from', { email: { from: 'Help @ Clinic <a@b.example>' } }],
    ['a sender with quotes in its name', 'email.from', { email: { from: 'Dr. "Max" M <a@b.example>' } }],
    ['no sender', 'email.from', { email: { from: '' } }],
    ['an unknown setting of mail', 'email', { email: { from: 'a@b.example', to: 'b' } }],
    ['an unknown choice', 'sms.unknownOutcome', { sms: { from: '+30', unknownOutcome: 'drop' } }],
    ['an unknown setting', '', { reminder: [1] }],
    ['an offset of 0', 'reminders.0', { reminders: [0] }],
    ['a negative offset', 'followUps.0', { followUps: [-1] }],
    ['a part of a millisecond', 'followUps.1', { followUps: [1, 1.5] }],
    ['more than a year', 'reminders.0', { reminders: [days(365) + 1] }],
    ['21 offsets', 'reminders', { reminders: Array.from({ length: 21 }, (_, index) => index + 1) }],
    ['21 waits', 'retry.sms', { retry: { sms: Array.from({ length: 21 }, () => 1) } }],
    ['a wait of more than a week', 'retry.email.0', { retry: { email: [days(7) + 1] } }],
    ['an id of 65 characters', 'webhooks.0.id', hook({ id: 'x'.repeat(65) })],
    ['waits of an unknown channel', 'retry', { retry: { fax: [] } }],
    ['negative lateness', 'lateness.room', { lateness: { room: -1 } }],
    ['an id twice', 'webhooks', { webhooks: [endpoint, endpoint] }],
    [
      '51 endpoints',
      'webhooks',
      { webhooks: Array.from({ length: 51 }, (_, index) => ({ ...endpoint, id: String(index) })) },
    ],
    ['another scheme', 'webhooks.0.url', hook({ url: 'ftp://crm.example' })],
    ['a script', 'webhooks.0.url', hook({ url: 'javascript:alert(1)' })],
    ['no address', 'webhooks.0.url', hook({ url: 'crm.example' })],
    ['a secret without its prefix', 'webhooks.0.secret', hook({ secret: 'x'.repeat(40) })],
    ['a secret without its padding', 'webhooks.0.secret', hook({ secret: whsec(32).replace('=', '') })],
    ['a secret of 23 bytes', 'webhooks.0.secret', hook({ secret: whsec(23) })],
    ['a secret of 65 bytes', 'webhooks.0.secret', hook({ secret: whsec(65) })],
    ['no secrets', 'webhooks.0.secret', hook({ secret: [] })],
    ['five secrets', 'webhooks.0.secret', hook({ secret: Array.from({ length: 5 }, () => whsec(32)) })],
    ['an unknown type', 'webhooks.0.types.0', hook({ types: ['create'] })],
    ['a header that must not be set (D7)', 'webhooks.0.headers', hook({ headers: { 'webhook-id': '1' } })],
    ['a header of two lines', 'webhooks.0.headers', hook({ headers: { 'x-a': '1\r\nx-b: 2' } })],
    ['an unknown authentication', 'webhooks.0.authentication.type', hook({ authentication: { type: 'digest' } })],
    ['no password', 'webhooks.0.authentication.password', hook({ authentication: { ...basic, password: '' } })],
    ['no token address', 'webhooks.0.authentication.tokenUrl', hook({ authentication: { ...oauth2, tokenUrl: 'x' } })],
    ['a poll property of the wrong form', 'poll.interval', { poll: { interval: '60' } }],
    ['one of a channel', 'poll.sms.maxAttempts', { poll: { 'sms.maxAttempts': '0' } }],
    ['a poll property that is a number', 'poll.maxAttempts', { poll: { maxAttempts: 10 } }],
  ])('Settings of notifications must not have %s', (_what, path, settings) => {
    expect(faultsOf(settings)).toEqual([path]);
  });

  it('Settings of notifications must not have an unknown poll property', () => {
    expect(faultsOf({ poll: { every: 'PT1M' } })).toHaveLength(1);
  });

  it('Settings of notifications are never repeated in a fault: a secret is not', () => {
    const { error } = notificationSettingsSchema.safeParse(
      hook({ secret: 'hunter2', authentication: { ...basic, password: 5 } }),
    );
    expect(error?.message).toBeDefined();
    expect(error?.message).not.toContain('hunter2');
  });
});
