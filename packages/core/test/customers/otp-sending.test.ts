import { describe, expect, it } from 'vitest';
import { smsLength } from './sms-length.js';
import type { ConfiguredNotifications, CustomerContact, Signal, TemplateOverrides } from '../../src/index.js';
import { mariasAddress, otpFixture, type OtpFixture, senders } from './otp-fixture.js';

const phone = '+306900000000';
const knows = (contact: CustomerContact): { contactOf: () => CustomerContact } => ({ contactOf: () => contact });
const otpSignals = ({ signals }: OtpFixture): readonly Signal[] => signals.filter(({ type }) => type === 'otpFailed');
const application = (notifications: ConfiguredNotifications) => ({
  'app-1': { organizationId: 'org-1', notifications },
});

describe('The message with a one-time password (D44)', () => {
  it('the message with a one-time password goes by e-mail to an e-mail address, also where notifications are switched off', async () => {
    const { email, mailedCode, request, sms } = otpFixture();
    await request(mariasAddress);
    expect(sms.sent).toEqual([]);
    expect(email.sent).toHaveLength(1);
    const { message, attempt } = email.sent[0]!;
    expect(message).toMatchObject({
      type: 'ONE_TIME_PASSWORD',
      channel: 'EMAIL',
      organizationId: 'org-1',
      applicationId: 'app-1',
      from: 'Clinic <no-reply@clinic.example>',
      to: { address: mariasAddress },
      subject: 'Your one-time password',
      locale: 'en',
    });
    expect(message).not.toHaveProperty('appointmentId');
    expect(message.text).toContain('It is valid for 10 minutes, once.');
    expect(message.html).toContain(mailedCode());
    expect(attempt).toMatchObject({ idempotencyKey: message.notificationId, attempt: 1 });
  });

  it('the message with a one-time password goes by SMS to a phone number, in one segment', async () => {
    const { book, email, request, sms, textedCode } = otpFixture();
    await request('+30 690 000 0000');
    expect(email.sent).toEqual([]);
    expect(sms.sent.map(({ message }) => [message.from, message.to])).toEqual([['Clinic', phone]]);
    const customers = [{ contact: { primaryPhone: phone } }];
    expect(await book(textedCode(), { username: phone, customers })).toBe('SCHEDULED');
  });

  it.each<[string, CustomerContact, ConfiguredNotifications, readonly string[]]>([
    ['e-mail before SMS', { email: mariasAddress, phone }, senders, ['mail']],
    ['SMS where there is no e-mail address', { phone }, senders, ['sms']],
    ['SMS where the application sends no mail', { email: mariasAddress, phone }, { sms: senders.sms }, ['sms']],
    ['nothing where there is no address', {}, senders, []],
    ['nothing where the addresses are empty', { email: '', phone: '' }, senders, []],
  ])(
    'the message with a one-time password of a user name goes where the directory of the host says: %s',
    async (_which, contact, notifications, sent) => {
      const { email, request, sms } = otpFixture({
        customerDirectory: knows(contact),
        applications: application(notifications),
      });
      await request('maria');
      expect([...email.sent.map(() => 'mail'), ...sms.sent.map(() => 'sms')]).toEqual(sent);
    },
  );

  it.each<[string, object, readonly string[], number]>([
    ['is none', { email: 'maria at example.org' }, [], 1],
    ['has a second header', { email: `${mariasAddress}\r\nBcc: other@example.org` }, [], 1],
    ['is a number', { phone: 306900000000 }, [], 1],
    ['is none, beside one that is', { email: 'maria', phone }, [phone], 1],
    ['has blanks around it', { email: ` ${mariasAddress} ` }, [mariasAddress], 0],
    ['has blanks within it', { phone: '+30 690 000 0000' }, [phone], 0],
  ])(
    'the message with a one-time password goes to what is an address alone, where one of the directory %s: %j',
    async (_which, contact, sentTo, faults) => {
      const base = otpFixture({ customerDirectory: knows(contact), applications: application(senders) });
      await base.request('maria');
      const { email, sms } = base;
      expect([
        ...email.sent.map(({ message }) => message.to.address),
        ...sms.sent.map(({ message }) => message.to),
      ]).toEqual(sentTo);
      expect(otpSignals(base)).toHaveLength(faults);
      expect(JSON.stringify(otpSignals(base).map((signal) => String(Reflect.get(signal, 'error'))))).not.toContain(
        'maria',
      );
    },
  );

  it('the message with a one-time password asks the directory for user names only, as they were given', async () => {
    const queries: unknown[] = [];
    const contactOf = (query: unknown): undefined => void queries.push(query);
    const { email, request } = otpFixture({ customerDirectory: { contactOf } });
    for (const username of [mariasAddress, phone, ' Maria P ']) await request(username);
    expect(queries).toEqual([{ organizationId: 'org-1', applicationId: 'app-1', username: ' Maria P ' }]);
    expect(email.sent).toHaveLength(1);
  });

  it.each<[string, string | undefined, string | undefined, string]>([
    ['the language that was asked for', 'de_AT', 'el', 'Ihr Einmalpasswort'],
    ['the language of the customer', undefined, 'el', 'Ο κωδικός μίας χρήσης σας'],
    ['the language of the application', undefined, undefined, 'Ihr Einmalpasswort'],
    ['English where there is no such language', 'fr', undefined, 'Your one-time password'],
  ])('the message with a one-time password is in %s', async (_which, locale, customers, subject) => {
    const { email, request } = otpFixture({
      customerDirectory: knows({ email: mariasAddress, locale: customers }),
      applications: { 'app-1': { organizationId: 'org-1', locale: 'de', notifications: senders } },
    });
    await request('maria', locale === undefined ? {} : { locale });
    expect(email.sent[0]?.message.subject).toBe(subject);
  });

  it.each(['en', 'de', 'el'])('the message with a one-time password is one segment as an SMS in %s', async (locale) => {
    const { request, sms } = otpFixture();
    await request(phone, { locale });
    expect(smsLength(sms.sent[0]?.message.text ?? '')).toBe(1);
  });

  it('the message with a one-time password may have other texts', async () => {
    const templates: TemplateOverrides = {
      en: { 'otp.subject': '{code} for the clinic', 'otp.text': 'Take {code}.\n\n{minutes} minutes.', 'otp.sms': '' },
      pt: { 'otp.sms': '{code}: {minutes, plural, one {# minuto} other {# minutos}}' },
    };
    const { email, request, sms } = otpFixture({ templates });
    await request(mariasAddress);
    await request(phone, { locale: 'pt_BR' });
    expect(email.sent[0]?.message.text).toMatch(/^Take \d{6}\.\n\n10 minutes\.$/);
    expect(email.sent[0]?.message.subject).toMatch(/^\d{6} for the clinic$/);
    expect(sms.sent[0]?.message.text).toMatch(/^\d{6}: 10 minutos$/);
  });

  it('the message with a one-time password may not have texts with arguments of an appointment', () => {
    const templates = { en: { 'otp.sms': '{code} {title}' } };
    expect(() => otpFixture({ templates })).toThrow(/templates\.en\.otp\.sms: has no argument title/);
  });
});

describe('A one-time password that cannot be sent', () => {
  it.each<[string, (base: OtpFixture) => void]>([
    [
      'is refused by the provider',
      ({ email }) => email.answers({ status: 'failed', permanent: true, error: 'SMTP 550' }),
    ],
    ['has an unknown outcome', ({ email }) => email.answers({ status: 'unknown', error: 'no answer' })],
    [
      'makes the notifier throw',
      ({ email }) =>
        email.answers(() => {
          throw new Error('connection refused');
        }),
    ],
    ['gets no answer in time', ({ email }) => email.answers(() => new Promise(() => undefined))],
  ])(
    'a one-time password that cannot be sent since it %s is told as a signal, once, without the code and the address',
    async (_why, prepare) => {
      const base = otpFixture({ providerTimeout: 20 });
      prepare(base);
      await base.request(mariasAddress);
      expect(base.email.sent).toHaveLength(1);
      expect(otpSignals(base)).toMatchObject([{ type: 'otpFailed', channel: 'EMAIL' }]);
      const [signal] = otpSignals(base);
      const error = signal?.type === 'otpFailed' ? signal.error : undefined;
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).not.toMatch(/\d{6}|maria/);
    },
  );

  it('a one-time password that cannot be sent since the directory of the host fails looks to the asker like any other', async () => {
    const contactOf = (): never => {
      throw new Error('LDAP is down');
    };
    const base = otpFixture({ customerDirectory: { contactOf } });
    await base.request('maria');
    expect(otpSignals(base)).toMatchObject([{ type: 'otpFailed', error: { message: 'LDAP is down' } }]);
    expect(base.email.sent).toEqual([]);
  });
});

describe('close()', () => {
  it('close() waits for one-time passwords on their way', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const base = otpFixture();
    base.email.answers(async () => held.then(() => ({ status: 'delivered' as const })));
    await base.scheduling.customers.requestOtp({ applicationId: 'app-1', username: mariasAddress });
    let closed = false;
    const closing = base.scheduling.close().then(() => (closed = true));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(base.email.sent).toHaveLength(1);
    expect(closed).toBe(false);
    release();
    await closing;
    expect(otpSignals(base)).toEqual([]);
  });
});
