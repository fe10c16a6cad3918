import { createScheduling } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { configurationSchema } from './application-schema.js';
import { schemaFaults } from './schema-faults.js';

const minute = 60_000;
const hour = 60 * minute;

function keyOf(bytes: number): string {
  return `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
}

const endpoint = { id: 'crm', label: 'CRM', url: 'https://crm.example/hooks', secret: keyOf(24) };
const whole = {
  active: true,
  email: { from: 'Clinic <no-reply@clinic.example>' },
  sms: { from: '+3021000000', unknownOutcome: 'hold' },
  webhooks: [
    {
      ...endpoint,
      secret: [keyOf(32), keyOf(64)],
      types: ['CREATE', 'CANCELLED'],
      headers: { 'x-env': 'prod' },
      allowHttp: false,
      allowPrivateNetwork: false,
      authentication: { type: 'oauth2', tokenUrl: 'https://id.example/token', clientId: 'c', clientSecret: 's' },
    },
    { ...endpoint, id: 'erp', authentication: { type: 'basic', username: 'u', password: 'p:p' } },
  ],
  reminders: ['PT24H', 'PT30M'],
  followUps: ['PT1H'],
  retry: { email: ['PT30S', 'PT2M'] },
  lateness: { reminder: 'PT5M' },
  poll: { interval: 'PT1M', 'email.interval': 'PT5M' },
};

function parse(notifications: unknown) {
  return configurationSchema.safeParse({ applications: { 'app-1': { notifications } } });
}

function faultsOf(notifications: unknown): readonly string[] {
  const { error } = parse(notifications);
  return error === undefined ? [] : schemaFaults(configurationSchema, error);
}

describe('the notifications of an application', () => {
  it('the notifications of an application hold every setting; durations become milliseconds, except those of polling, which are shown as written', () => {
    expect(parse(whole).data?.applications['app-1']?.notifications).toEqual({
      ...whole,
      reminders: [24 * hour, 30 * minute],
      followUps: [hour],
      retry: { email: [minute / 2, 2 * minute] },
      lateness: { reminder: 5 * minute },
    });
  });

  it('the notifications of an application are settings that the library takes', () => {
    const applications = parse(whole).data?.applications ?? {};
    expect(Object.keys(applications)).toEqual(['app-1']);
    const secret = 'a secret of more than thirty-two bytes';
    expect(() => createScheduling({ store: memoryStore(), secret, applications })).not.toThrow();
  });

  it.each([
    [{}],
    [{ email: { from: 'no-reply@clinic.example' } }],
    [{ email: { from: '"Clinic, Vienna" <no-reply@clinic.example>' } }],
    [{ sms: { from: 'CLINIC' } }],
    [{ webhooks: [], reminders: [], followUps: [], retry: { sms: [] }, poll: {} }],
    [{ webhooks: [{ ...endpoint, url: 'http://127.0.0.1:9/x', allowHttp: true, allowPrivateNetwork: true }] }],
  ])('the notifications of an application may be %j', (notifications) => {
    expect(faultsOf(notifications)).toEqual([]);
  });

  const secretRule = 'must be whsec_ and the base64 of 24 to 64 bytes';
  const addressRule = 'must be an http or https address without user name and fragment';
  const senderRule = 'must be an address, or a name with an address in angle brackets';
  it.each([
    [{ activ: true }, 'activ: is not known; did you mean active?'],
    [{ active: 'yes' }, 'active: must be true or false'],
    [{ email: {} }, 'email.from: must be a string of 1 to 320 characters'],
    [{ email: { from: 'Clinic' } }, `email.from: ${senderRule}`],
    [{ email: { from: 'Help @ Clinic <a@b.example>' } }, `email.from: ${senderRule}`],
    [{ email: { from: 'Dr. "Max" M <a@b.example>' } }, `email.from: ${senderRule}`],
    [{ email: { from: 'Clinic <a,b@c.example>' } }, `email.from: ${senderRule}`],
    [{ email: { from: 'a@b.example, c@d.example' } }, `email.from: ${senderRule}`],
    [{ email: { from: 'Clinic\r\nBcc: <x@y.example>' } }, `email.from: ${senderRule}`],
    [{ email: { form: 'a@b.example', from: 'a@b.example' } }, 'email.form: is not known; did you mean from?'],
    [{ sms: { from: 'a\nb' } }, 'sms.from: must not have control characters'],
    [{ sms: { from: 'a', unknownOutcome: 'again' } }, 'sms.unknownOutcome: must be resend or hold'],
    [{ webhooks: {} }, 'webhooks: must be a list of web hook endpoints'],
    [{ reminders: ['PT24H', 'soon'] }, 'reminders.1: must be an ISO 8601 duration such as PT30M'],
    [{ reminders: ['PT0S'] }, 'reminders.0: must be longer than PT0S'],
    [{ followUps: ['P366D'] }, 'followUps.0: must be at most P365D'],
    [{ reminders: ['PT60M', 'PT1H'] }, 'reminders: must not have an entry twice'],
    [{ reminders: 'PT1H' }, 'reminders: must be a list of ISO 8601 durations'],
    [{ retry: { mail: [] } }, 'retry.mail: is not known; did you mean email?'],
    [{ retry: { email: ['P8D'] } }, 'retry.email.0: must be at most P7D'],
    [{ retry: { email: Array.from({ length: 21 }, () => 'PT1S') } }, 'retry.email: must have at most 20 entries'],
    [{ lateness: { reminders: 'PT5M' } }, 'lateness.reminders: is not known; did you mean reminder?'],
    [{ lateness: { followUp: 5 } }, 'lateness.followUp: must be a string of 1 to 1024 characters'],
    [{ poll: { intervall: 'PT1M' } }, 'poll.intervall: is not known; did you mean interval?'],
    [{ poll: { 'mail.interval': 'PT1M' } }, 'poll.mail.interval: is not known; did you mean email.interval?'],
    [{ poll: { interval: 'PT0S' } }, 'poll.interval: must be an ISO 8601 duration longer than PT0S'],
    [{ poll: { 'sms.enabled': 'yes' } }, 'poll.sms.enabled: must be true or false'],
    [{ poll: { maxAttempts: 10 } }, 'poll.maxAttempts: must be a string of 1 to 1024 characters'],
    [
      { webhooks: Array.from({ length: 51 }, (_, index) => ({ ...endpoint, id: String(index) })) },
      'webhooks: must have at most 50 entries',
    ],
    [{ webhooks: [endpoint, endpoint] }, 'webhooks.1.id: is the id of another one'],
  ])('the notifications of an application may not be %j: %s', (notifications, fault) => {
    expect(faultsOf(notifications)).toEqual([`applications.app-1.notifications.${fault}`]);
  });

  it.each([
    [{ lable: 'CRM' }, 'lable: is not known; did you mean label?'],
    [{ id: '' }, 'id: must be a string of 1 to 64 characters'],
    [{ label: 'x'.repeat(101) }, 'label: must be a string of 1 to 100 characters'],
    [{ url: 'ftp://crm.example' }, `url: ${addressRule}`],
    [{ url: 'https://u:hunter2@crm.example' }, `url: ${addressRule}`],
    [{ url: 'http://crm.example' }, 'url: must be https unless allowHttp is true'],
    [{ secret: undefined }, `secret: ${secretRule}`],
    [{ secret: 'hunter2' }, `secret: ${secretRule}`],
    [{ secret: keyOf(23) }, `secret: ${secretRule}`],
    [{ secret: keyOf(65) }, `secret: ${secretRule}`],
    [{ secret: `${keyOf(24)}!` }, `secret: ${secretRule}`],
    [{ secret: [] }, 'secret: must be a secret or a list of 1 to 4, the newest first'],
    [{ secret: [keyOf(24), 'hunter2'] }, `secret.1: ${secretRule}`],
    [{ types: [] }, 'types: must name at least one type; without it, all are sent'],
    [{ types: ['CREATED'] }, expect.stringMatching(/^types\.0: must be one of CREATE, UPDATE, .*$/)],
    [{ headers: { Authorization: 'hunter2' } }, expect.stringMatching(/^headers: must not set a header that is res/)],
    [{ headers: { 'x-env': 'hunter2\n' } }, 'headers: must have values that headers can have'],
    [{ headers: [] }, 'headers: must be an object whose values are texts'],
    [{ authentication: { type: 'digest' } }, expect.stringMatching(/^authentication(\.type)?: .*basic or oauth2$/)],
    [
      { authentication: { type: 'basic', username: 'u', password: 'hunter2', pasword: 'hunter2' } },
      'authentication.pasword: is not known; did you mean password?',
    ],
    [
      { authentication: { type: 'basic', username: 'u:hunter2', password: 'p' } },
      'authentication.username: must not have a colon',
    ],
    [
      { authentication: { type: 'oauth2', tokenUrl: 'http://id.example', clientId: 'c', clientSecret: 'hunter2' } },
      'authentication.tokenUrl: must be https unless allowHttp is true',
    ],
  ])('the notifications of an application may not have an endpoint with %j: %s', (wrong, fault) => {
    const faults = faultsOf({ webhooks: [{ ...endpoint, ...wrong }] });
    const place = 'applications.app-1.notifications.webhooks.0.';
    expect(faults.map((each) => each.replace(place, ''))).toEqual([fault]);
    expect(faults.join()).not.toContain('hunter2');
    expect(faults[0]?.startsWith(place)).toBe(true);
  });
});
