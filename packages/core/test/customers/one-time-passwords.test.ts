import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '@calends/model';
import { StoreError, wrapStore } from '../../src/store.js';
import { answerOrCode } from '../error-of.js';
import { booking, supervisor } from '../fixtures.js';
import { mariasAddress, otpFixture, type OtpFixture, recorded, wrong } from './otp-fixture.js';

const directory = {
  contactOf: ({ username }: { readonly username: string }) =>
    username === 'maria' ? { email: mariasAddress, phone: '+306900000000' } : undefined,
};

/** The fixture after maria asked for a code. */
async function asked(options: Parameters<typeof otpFixture>[0] = {}): Promise<OtpFixture & { readonly code: string }> {
  const base = otpFixture(options);
  await base.request(mariasAddress);
  return { ...base, code: base.mailedCode() };
}

describe('A one-time password (D44)', () => {
  it('a one-time password lets the customer book, who is the actor', async () => {
    const { book, code, events } = await asked();
    expect(await book(code)).toBe('SCHEDULED');
    expect(events()).toMatchObject([{ organizationId: 'org-1', actor: { type: 'CUSTOMER', role: 'ROLE_CUSTOMER' } }]);
  });

  it('a one-time password is used up by the booking', async () => {
    const { book, code } = await asked();
    await book(code);
    expect(await book(code)).toBe('unauthenticated');
  });

  it('a one-time password is not used up by a booking that is refused for another reason', async () => {
    const application = {
      organizationId: 'org-1',
      defaultAgent: 'agent-1',
      overlap: { mode: 'agent' as const, buffer: 0 },
      notifications: { email: { from: 'a@clinic.example' } },
    };
    const { appointments, book, code } = await asked({ applications: { 'app-1': application } });
    await appointments.schedule(supervisor, booking({ targetAssignment: { id: 'agent-1' } }));
    expect(await book(code)).toBe('slot_conflict');
    expect(await book(code, { duration: 'PT25H' })).toBe('invalid_schedule');
    expect(await book(code, { start: '2030-05-06T15:00:00Z' })).toBe('SCHEDULED');
  });

  it.each<[string, string, number]>([
    ['holds for ten minutes', 'SCHEDULED', minutes(10) - 1],
    ['does not hold any longer', 'unauthenticated', minutes(10)],
  ])('a one-time password %s', async (_what, outcome, later) => {
    const { book, clock, code } = await asked();
    clock.advance(later);
    expect(await book(code)).toBe(outcome);
  });

  it('a one-time password ends when another one is sent', async () => {
    const { book, clock, code, mailedCode, request } = await asked();
    clock.advance(seconds(60));
    await request(mariasAddress);
    const second = mailedCode();
    if (second !== code) expect(await book(code)).toBe('unauthenticated');
    expect(await book(second)).toBe('SCHEDULED');
  });

  it('a one-time password is for one user name in one application', async () => {
    const application = { organizationId: 'org-1', notifications: { email: { from: 'a@clinic.example' } } };
    const { book, code } = await asked({ applications: { 'app-1': application, 'app-2': application } });
    const eleni = { contact: { primaryEmail: 'eleni@example.org' } };
    expect(await book(code, { applicationId: 'app-2' })).toBe('unauthenticated');
    expect(await book(code, { customers: [eleni], username: 'eleni@example.org' })).toBe('unauthenticated');
    expect(await book(code)).toBe('SCHEDULED');
  });

  it('a one-time password may be tried five times', async () => {
    const { book, code } = await asked();
    for (let time = 0; time < 4; time += 1) expect(await book(wrong(code))).toBe('unauthenticated');
    expect(await book(code)).toBe('SCHEDULED');
    const again = await asked();
    for (let time = 0; time < 5; time += 1) await again.book(wrong(again.code));
    expect(await again.book(again.code)).toBe('unauthenticated');
  });

  it('a one-time password costs no try when the body is not valid or the credentials are a stranger’s', async () => {
    const { book, calls, code } = await asked();
    const before = calls.length;
    expect(await book(code, { title: 'x'.repeat(201) })).toBe('validation_failed');
    expect(await book(code, { customers: [{ username: 'eleni' }] })).toBe('forbidden');
    expect(calls.slice(before)).toEqual([]);
  });

  it('a one-time password is compared five times at most, however many guess at once, and none of them gets in', async () => {
    const { book, calls, code } = await asked();
    const guesses = Array.from({ length: 1001 }, (_, guess) => String(guess).padStart(6, '0'))
      .filter((guess) => guess !== code)
      .slice(0, 1000);
    const outcomes = await Promise.all(guesses.map((guess) => book(guess)));
    expect(new Set(outcomes)).toEqual(new Set(['unauthenticated']));
    const tries = calls.filter(({ method }) => method === 'customers.countTry');
    expect(tries).toHaveLength(1000);
    expect(tries.filter(({ answer }) => answer !== undefined)).toHaveLength(5);
    expect(await book(code)).toBe('unauthenticated');
  });

  // GHSA-7w99-5wm4-3g79: two parallel redemptions of one code succeeded.
  it('a one-time password that is sent fifty times at once makes one appointment', async () => {
    const { appointments, book, code } = await asked();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => book(code)));
    expect(outcomes.filter((outcome) => outcome === 'SCHEDULED')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'unauthenticated')).toHaveLength(49);
    expect((await appointments.list(supervisor, {})).total).toBe(1);
  });

  it('a one-time password opens nothing as it is kept: neither the code nor the user name is there', async () => {
    const { calls, code } = await asked();
    const kept = JSON.stringify(calls.map(({ given, answer }) => [given, answer]));
    expect(kept).not.toContain(code);
    expect(kept.toLowerCase()).not.toContain('maria');
  });

  it('a one-time password is in no signal and no event', async () => {
    const { book, code, signals } = await asked();
    await book(wrong(code));
    await book(code);
    expect(JSON.stringify(signals)).not.toContain(code);
  });
});

describe('A request for a one-time password (D44)', () => {
  it.each([
    ['no application', { applicationId: '' }, '/applicationId required'],
    ['a long application', { applicationId: 'a'.repeat(65) }, '/applicationId too_long'],
    ['no user name', { username: '' }, '/username required'],
    ['null for a user name', { username: null }, '/username required'],
    ['a number for a user name', { username: 5 }, '/username invalid_type'],
    ['a user name of 255', { username: 'u'.repeat(255) }, '/username too_long'],
    ['NUL in a user name', { username: 'a\u0000' }, '/username invalid_characters'],
    ['a language that is none', { locale: 'not a tag' }, '/locale invalid_format'],
  ])('a request for a one-time password with %s is refused', async (_what, more, issue) => {
    const { calls, scheduling } = otpFixture();
    const command = { applicationId: 'app-1', username: mariasAddress, ...more } as never;
    const error = await scheduling.customers.requestOtp(command).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'validation_failed' });
    const { issues } = error as { readonly issues: readonly { pointer: string; code: string }[] };
    expect(issues.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([issue]);
    expect(calls).toEqual([]);
  });

  it('a request for a one-time password looks the same for names that are known and for those that are not, to the answer and to the store', async () => {
    const traces = [];
    for (const username of ['maria', 'nobody', 'x'.repeat(254), '<script>', "' OR 1=1 --"]) {
      const { calls, scheduling } = otpFixture({ customerDirectory: directory });
      const answer = await answerOrCode(() => scheduling.customers.requestOtp({ applicationId: 'app-1', username }));
      await scheduling.close();
      const shape = (value: unknown): unknown =>
        typeof value === 'object' && value !== null ? Object.keys(value).sort() : typeof value;
      traces.push({ answer, calls: calls.map((call) => [call.method, call.given.map(shape), shape(call.answer)]) });
    }
    const methods = ['customers.findChallenge', 'customers.putChallenge', 'customers.noteContact'];
    expect(traces[0]?.calls.map(([method]) => method)).toEqual(methods);
    for (const trace of traces) expect(trace).toEqual(traces[0]);
  });

  it('a request for a one-time password writes down the address of a plain user name as a keyed hash, bound to the code (D62)', async () => {
    const { calls, request, email } = otpFixture({ customerDirectory: directory });
    await request('maria');
    const [note] = calls.filter(({ method }) => method === 'customers.noteContact').map(({ given }) => given[0]);
    expect(note).toEqual({
      organizationId: 'org-1',
      subject: expect.stringMatching(/^[\w-]{43}$/) as string,
      challengeId: email.sent[0]?.message.notificationId,
      sentTo: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
  });

  it('a request for a one-time password writes nothing down for a user name that is an address itself', async () => {
    const { calls, request } = otpFixture({ customerDirectory: directory });
    await request(mariasAddress);
    expect(calls.map(({ method }) => method)).toEqual(['customers.findChallenge', 'customers.putChallenge']);
  });

  it('a request for a one-time password sends no code whose way could not be written down', async () => {
    const noteContact = () => Promise.reject(new StoreError('unavailable', 'gone'));
    const store = memoryStore();
    const broken = { ...store, customers: { ...store.customers, noteContact } };
    const { email, request, signals } = otpFixture({ customerDirectory: directory, store: broken });
    await request('maria');
    expect(email.sent).toEqual([]);
    expect(signals.map(({ type }) => type)).toEqual(['otpFailed']);
  });

  it('a request for a one-time password is told apart by nothing in a wrong guess either', async () => {
    const traces = [];
    for (const known of [true, false]) {
      const base = otpFixture();
      if (known) await base.request(mariasAddress);
      base.calls.length = 0;
      const credentials = { username: mariasAddress, code: known ? wrong(base.mailedCode()) : '123456' };
      const error = await base.appointments
        .scheduleAsCustomer(credentials, booking())
        .catch((thrown: unknown) => thrown);
      const { code, message } = error as { readonly code: string; readonly message: string };
      traces.push({ code, message, methods: base.calls.map(({ method }) => method) });
    }
    expect(traces[1]).toEqual(traces[0]);
    expect(traces[0]?.methods).toEqual(['customers.countTry']);
  });

  it('a request for a one-time password is answered before the directory of the host answers', async () => {
    let found: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (found = resolve));
    const contactOf = async () => waiting.then(() => ({ email: mariasAddress }));
    const { email, scheduling } = otpFixture({ customerDirectory: { contactOf } });
    await scheduling.customers.requestOtp({ applicationId: 'app-1', username: 'maria' });
    expect(email.sent).toEqual([]);
    found();
    await scheduling.close();
    expect(email.sent).toHaveLength(1);
  });

  it.each<[string, readonly [secondsLater: number, sent: number][]]>([
    [
      'once a minute',
      [
        [0, 1],
        [59, 1],
        [60, 2],
        [119, 2],
        [120, 3],
      ],
    ],
    [
      'five times an hour',
      [
        [0, 1],
        [60, 2],
        [120, 3],
        [180, 4],
        [240, 5],
        [300, 5],
        [3599, 5],
        [3600, 6],
        [3660, 7],
      ],
    ],
  ])('a request for a one-time password sends %s at most', async (_often, steps) => {
    const { clock, email, request } = otpFixture();
    const begin = clock.now();
    for (const [later, sent] of steps) {
      clock.set(begin + seconds(later));
      await request(mariasAddress);
      expect([later, email.sent.length]).toEqual([later, sent]);
    }
  });

  it('a request for a one-time password that is refused by a limit leaves the code that was sent', async () => {
    const { book, code, request } = await asked();
    await request(mariasAddress);
    expect(await book(code)).toBe('SCHEDULED');
    await request(mariasAddress);
    expect(await book(code)).toBe('unauthenticated');
  });

  it('a request for a one-time password is limited for one user name in one application only', async () => {
    const application = { organizationId: 'org-1', notifications: { email: { from: 'a@clinic.example' } } };
    const { email, request } = otpFixture({ applications: { 'app-1': application, 'app-2': application } });
    await request(mariasAddress);
    await request('MARIA@example.org');
    await request('eleni@example.org');
    await request(mariasAddress, { applicationId: 'app-2' });
    expect(email.sent.map(({ message }) => `${message.applicationId} ${message.to.address}`)).toEqual([
      `app-1 ${mariasAddress}`,
      'app-1 eleni@example.org',
      `app-2 ${mariasAddress}`,
    ]);
  });

  it('a request for a one-time password sends one code when twenty are asked for at once, and it is the one that holds', async () => {
    const { book, email, mailedCode, scheduling } = otpFixture();
    const command = { applicationId: 'app-1', username: mariasAddress };
    await Promise.all(Array.from({ length: 20 }, () => scheduling.customers.requestOtp(command)));
    await scheduling.close();
    expect(email.sent).toHaveLength(1);
    expect(await book(mailedCode())).toBe('SCHEDULED');
  });

  it('a request for a one-time password fails closed: what cannot be recorded is not sent', async () => {
    const fault = new StoreError('unavailable', 'The database does not answer.');
    for (const method of ['customers.findChallenge', 'customers.putChallenge']) {
      const store = wrapStore(memoryStore(), (name, call) => (name === method ? () => Promise.reject(fault) : call));
      const { email, scheduling } = otpFixture({ store });
      const request = scheduling.customers.requestOtp({ applicationId: 'app-1', username: mariasAddress });
      await expect(request).rejects.toBe(fault);
      await scheduling.close();
      expect(email.sent).toEqual([]);
    }
  });

  it('a request for a one-time password fails closed: what cannot be counted is not compared', async () => {
    const { store } = recorded();
    const { code } = await asked({ store });
    const fault = new StoreError('unavailable', 'The database does not answer.');
    const countTry = () => Promise.reject(fault);
    const blind = { ...store, customers: { ...store.customers, countTry } };
    const { appointments, newEvents } = otpFixture({ store: blind });
    const booked = appointments.scheduleAsCustomer({ username: mariasAddress, code }, booking());
    await expect(booked).rejects.toBe(fault);
    expect(newEvents()).toEqual([]);
  });

  it('a request for a one-time password leaves nothing in the store for ever', async () => {
    const { calls, clock, request, scheduling } = otpFixture();
    await request(mariasAddress);
    const purged = async (): Promise<unknown> => {
      await scheduling.workers.runOnce();
      return calls.filter(({ method }) => method === 'customers.purgeChallenges').at(-1)?.answer;
    };
    clock.advance(hours(1) - 1);
    expect(await purged()).toBe(0);
    clock.advance(minutes(15));
    expect(await purged()).toBe(1);
  });

  it('a request for a one-time password is taken by a host without any notifier as well', async () => {
    const { scheduling, signals } = otpFixture({ notifiers: {} });
    const command = { applicationId: 'app-1', username: mariasAddress };
    expect(await answerOrCode(() => scheduling.customers.requestOtp(command))).toBeUndefined();
    await scheduling.close();
    expect(signals).toMatchObject([{ type: 'otpFailed' }]);
  });
});
