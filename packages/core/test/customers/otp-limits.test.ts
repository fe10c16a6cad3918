import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '@calends/model';
import type { SendResult } from '../../src/notifier.js';
import { StoreError } from '../../src/store.js';
import { mariasAddress, otpFixture, type OtpFixture } from './otp-fixture.js';

const sender = { email: { from: 'a@clinic.example' } };
const attacker = '8.8.8.8';
const victim = '9.9.9.9';

/** Asks from an address, and waits until what follows from it is over. */
async function ask({ scheduling }: OtpFixture, source?: string, username = mariasAddress): Promise<void> {
  await scheduling.customers.requestOtp({ applicationId: 'app-1', username, source });
  await scheduling.close();
}

/** A provider that answers nothing before it is let. */
function held(): { readonly answer: () => Promise<SendResult>; readonly release: () => void } {
  let release: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (release = resolve));
  return { answer: () => waiting.then(() => ({ status: 'delivered' })), release: () => release() };
}

const written = ({ calls }: OtpFixture): number =>
  calls.filter(({ method }) => method === 'customers.putChallenge').length;
const failures = ({ signals }: OtpFixture): number => signals.filter(({ type }) => type === 'otpFailed').length;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until(holds: () => boolean): Promise<void> {
  for (let look = 0; look < 10_000 && !holds(); look += 1) await turn();
  expect(holds()).toBe(true);
}

describe('Limits of one-time passwords (D66)', () => {
  it('five codes an hour from one address do not keep those from another away', async () => {
    const base = otpFixture();
    for (let time = 0; time < 10; time += 1) {
      await ask(base, attacker);
      base.clock.advance(seconds(60));
    }
    expect(base.email.sent).toHaveLength(5);
    await ask(base, victim);
    expect(base.email.sent).toHaveLength(6);
    expect(await base.book(base.mailedCode())).toBe('SCHEDULED');
  });

  it('addresses that are not known count as one', async () => {
    const base = otpFixture();
    for (let time = 0; time < 7; time += 1) {
      await ask(base);
      base.clock.advance(seconds(60));
    }
    expect(base.email.sent).toHaveLength(5);
    await ask(base, victim);
    expect(base.email.sent).toHaveLength(6);
  });

  it('one user name gets twenty an hour at most, from however many addresses', async () => {
    const base = otpFixture();
    for (let time = 0; time < 55; time += 1) {
      await ask(base, `8.8.8.${String(time)}`);
      base.clock.advance(minutes(1));
    }
    expect(base.email.sent).toHaveLength(20);
    base.clock.advance(hours(1));
    await ask(base, attacker);
    expect(base.email.sent).toHaveLength(21);
  });

  it('one mailbox gets five an hour from one address, however its domain is written', async () => {
    const base = otpFixture();
    const domain = mariasAddress.split('@')[1] ?? '';
    for (let time = 0; time < 10; time += 1) {
      const unseen = '\u00AD'.repeat(time);
      await ask(base, attacker, mariasAddress.replace(domain, `${domain.slice(0, 1)}${unseen}${domain.slice(1)}`));
      base.clock.advance(seconds(60));
    }
    expect(base.email.sent).toHaveLength(5);
  });

  it('a code that was asked for by a clock that was ahead keeps the next one from nobody once it is right, and limits stay', async () => {
    const base = otpFixture();
    base.clock.advance(hours(24));
    await ask(base, victim);
    base.clock.advance(-hours(24));
    for (let time = 0; time < 7; time += 1) {
      await ask(base, victim);
      await ask(base, victim);
      base.clock.advance(seconds(60));
    }
    expect(base.email.sent).toHaveLength(6);
    expect(await base.book(base.mailedCode())).toBe('SCHEDULED');
  });

  it('a code that was asked for by a clock some minutes ahead counts, and keeps the next one from nobody for longer than a minute', async () => {
    const base = otpFixture();
    base.clock.advance(minutes(10));
    await ask(base, victim);
    base.clock.advance(-minutes(10));
    for (let time = 0; time < 7; time += 1) {
      await ask(base, victim);
      base.clock.advance(seconds(60));
    }
    expect(base.email.sent).toHaveLength(5);
  });

  it('no address is kept as it is', async () => {
    const base = otpFixture();
    await ask(base, attacker);
    const kept = JSON.stringify(base.calls.map(({ given }) => given));
    expect(kept).not.toContain(attacker);
  });

  it('a code that the provider refused does not count, and opens nothing', async () => {
    const base = otpFixture();
    base.email.answers({ status: 'failed', permanent: false, error: 'connection refused' });
    for (let time = 0; time < 8; time += 1) await ask(base, victim);
    const refused = base.mailedCode();
    expect(await base.book(refused)).toBe('unauthenticated');
    base.email.answers({ status: 'delivered' });
    await ask(base, victim);
    expect(base.email.sent).toHaveLength(9);
    expect(await base.book(base.mailedCode())).toBe('SCHEDULED');
  });

  it('a code that the provider refused counts where that cannot be written, and the observer is told why', async () => {
    const store = memoryStore();
    const fault = new StoreError('unavailable', 'The store is away.');
    const putChallenge: typeof store.customers.putChallenge = (next, expected) =>
      expected === undefined ? store.customers.putChallenge(next, expected) : Promise.reject(fault);
    const base = otpFixture({ store: { ...store, customers: { ...store.customers, putChallenge } } });
    base.email.answers({ status: 'failed', permanent: false, error: 'connection refused' });
    await ask(base, victim);
    await ask(base, victim);
    expect(base.email.sent).toHaveLength(1);
    expect(base.signals).toContainEqual({ type: 'otpFailed', channel: undefined, error: fault });
  });

  it('a code that may have arrived counts', async () => {
    const base = otpFixture();
    base.email.answers({ status: 'unknown', error: 'no answer' });
    await ask(base, victim);
    await ask(base, victim);
    expect(base.email.sent).toHaveLength(1);
  });

  it.each([
    ['nobody configured', { 'app-2': { organizationId: 'org-1', notifications: sender } }],
    ['that has no sender', { 'app-1': { organizationId: 'org-1' } }],
    ['whose senders no notifier of this process serves', { 'app-1': { notifications: { sms: { from: 'Clinic' } } } }],
  ])('1,500 requests for an application %s write nothing', async (_which, applications) => {
    const base = otpFixture({ applications, notifiers: { email: otpFixture().email } });
    const { customers } = base.scheduling;
    const names = Array.from({ length: 1500 }, (_, index) => `made-up-${String(index)}@example.org`);
    await Promise.all(names.map((username) => customers.requestOtp({ applicationId: 'app-1', username })));
    await base.scheduling.close();
    expect(new Set(base.calls.map(({ method }) => method))).toEqual(new Set(['customers.findChallenge']));
    expect(failures(base)).toBe(1500);
  });
});

describe('A slow provider (D66)', () => {
  const askAll = async ({ scheduling }: OtpFixture, count: number, applicationId = 'app-1'): Promise<void> => {
    const names = Array.from({ length: count }, (_, index) => `made-up-${String(index)}@example.org`);
    await Promise.all(names.map((username) => scheduling.customers.requestOtp({ applicationId, username })));
  };

  it('140 made-up addresses before a customer keep nobody from the code', async () => {
    const base = otpFixture();
    const { answer, release } = held();
    base.email.answers(answer);
    await askAll(base, 140);
    await base.scheduling.customers.requestOtp({ applicationId: 'app-1', username: mariasAddress });
    await until(() => base.email.sent.length === 75);
    release();
    await until(() => base.email.sent.length === 141);
    await base.scheduling.close();
    expect(failures(base)).toBe(0);
    expect(base.email.sent.at(-1)?.message.to.address).toBe(mariasAddress);
    expect(await base.book(base.mailedCode())).toBe('SCHEDULED');
  });

  it('a slow provider of one organization holds up no other one', async () => {
    const applications = {
      'app-1': { organizationId: 'org-1', notifications: sender },
      'app-2': { organizationId: 'org-2', notifications: sender },
    };
    const base = otpFixture({ applications });
    const { answer, release } = held();
    base.email.answers((message) => (message.organizationId === 'org-1' ? answer() : { status: 'delivered' }));
    await askAll(base, 800);
    await base.scheduling.customers.requestOtp({ applicationId: 'app-2', username: mariasAddress });
    await until(() => base.email.sent.some(({ message }) => message.organizationId === 'org-2'));
    release();
    await base.scheduling.close();
  });

  it('a slow provider leaves so many waiting and no more; who found no place is not counted and can ask again at once', async () => {
    const base = otpFixture();
    const { answer, release } = held();
    base.email.answers(answer);
    await askAll(base, 750);
    const before = written(base);
    await base.scheduling.customers.requestOtp({ applicationId: 'app-1', username: mariasAddress });
    expect([before, written(base), failures(base)]).toEqual([750, 750, 1]);
    release();
    await until(() => base.email.sent.length === 750);
    await ask(base);
    expect(base.email.sent.at(-1)?.message.to.address).toBe(mariasAddress);
  });

  it('a slow provider keeps close() waiting for what is under way only; what has not begun is taken back', async () => {
    const base = otpFixture();
    const { answer, release } = held();
    base.email.answers(answer);
    await askAll(base, 80);
    await until(() => base.email.sent.length === 75);
    const closing = base.scheduling.close();
    release();
    await closing;
    expect([base.email.sent.length, written(base)]).toEqual([75, 85]);
    await ask(base, undefined, 'made-up-79@example.org');
    expect(base.email.sent).toHaveLength(76);
  });
});
