import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import type { DeliveryReport, SendResult, SmsMessage, WebhookMessage } from '../../src/notifier.js';
import { agentOne, booked } from '../fixtures.js';
import { held } from './held.js';
import { endpoint, everything, type Notified, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const mailsAlone: ConfiguredNotifications = { ...everything, sms: undefined, webhooks: [], reminders: [] };
const textsAlone: ConfiguredNotifications = { ...everything, email: undefined, webhooks: [], reminders: [] };
const hooksAlone: ConfiguredNotifications = { ...everything, email: undefined, sms: undefined, reminders: [] };
const withReach = { customers: [reachable] };
const noWord = 'previous attempt had no known outcome';
/** Longer than the claim: the provider's time-out and 15 s. */
const longerThanTheClaim = seconds(25) + 1;

/** Another process on the same data. */
function another(base: Notified, settings: ConfiguredNotifications, more = {}): Notified {
  return notified(settings, { store: base.store, clock: base.clock, ids: base.ids, ...more });
}

/** A process that claims what is due and is not heard of again while the test runs. */
async function dying(base: Notified, settings: ConfiguredNotifications): Promise<() => Promise<unknown>> {
  const process = another(base, settings);
  const holds = [held(process.email), held(process.sms), held(process.webhooks)];
  const providers = [process.email, process.sms, process.webhooks];
  const pass = process.work();
  await Promise.race(holds.map((each) => each.called(1)));
  base.clock.advance(longerThanTheClaim);
  return async () => {
    providers.forEach(({ sent }, index) => {
      sent.forEach(() => holds[index]?.answer({ status: 'failed', permanent: true, error: 'too late' }));
    });
    await pass;
  };
}

const told = async (base: Notified) =>
  (await base.history()).map(({ status, message, retryCount }) => [status, message, retryCount]);

describe('A worker that dies while it sends', () => {
  it('a worker that dies while it sends is replaced after its claim: another sends, and the history says that the first had no known outcome', async () => {
    const base = notified(mailsAlone);
    await booked(base, withReach);
    const wakeUp = await dying(base, mailsAlone);
    const other = another(base, mailsAlone);
    expect(await other.work()).toBe(1);
    const expected = [
      ['INITIALIZED', 'planned', 0],
      ['PENDING', noWord, 1],
      ['DELIVERED', 'delivered', 2],
    ];
    expect(await told(base)).toEqual(expected);
    expect(other.scheduling.workers.health().delivery[0]).toMatchObject({ channel: 'EMAIL', claimsLost: 1 });
    await wakeUp();
    expect(await told(base)).toEqual(expected);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 2 }]);
  });

  it('a worker that dies while it sends is not replaced before', async () => {
    const base = notified(mailsAlone);
    await booked(base, withReach);
    const wakeUp = await dying(base, mailsAlone);
    base.clock.advance(-2);
    expect(await another(base, mailsAlone).work()).toBe(0);
    base.clock.advance(1);
    expect(await another(base, mailsAlone).work()).toBe(1);
    await wakeUp();
  });

  it('a worker that dies while it sends three times in a row makes the message fail as one that kills its worker', async () => {
    const base = notified(mailsAlone);
    await booked(base, withReach);
    const wakeUps = [];
    for (let times = 0; times < 3; times += 1) wakeUps.push(await dying(base, mailsAlone));
    const last = another(base, mailsAlone);
    expect(await last.work()).toBe(1);
    expect(last.email.sent).toEqual([]);
    const failed = { status: 'FAILED', message: 'worker lost', retryCount: 3, canRetry: true };
    expect(await base.statuses()).toMatchObject([failed]);
    for (const wakeUp of wakeUps) await wakeUp();
    expect(await base.statuses()).toMatchObject([failed]);
  });

  it('a message whose worker died gets no further try where the appointment was cancelled meanwhile', async () => {
    const base = notified(mailsAlone, { worker: { settleWait: 0 } });
    const { id } = await booked(base, withReach);
    const wakeUp = await dying(base, mailsAlone);
    await base.appointments.cancel(agentOne, { id });
    await base.work();
    expect(base.email.types).toEqual(['CANCELLED']);
    expect(await base.statuses({ types: ['CREATE'] })).toMatchObject([{ status: 'CANCELLED', retryCount: 1 }]);
    await wakeUp();
    expect(await base.statuses({ types: ['CREATE'] })).toMatchObject([{ status: 'CANCELLED' }]);
  });
});

describe('A text message whose worker died (capability none)', () => {
  it('a text message whose worker died goes out once more, and is held after the second time', async () => {
    const base = notified(textsAlone);
    await booked(base, withReach);
    const wakeUps = [await dying(base, textsAlone), await dying(base, textsAlone)];
    const last = another(base, textsAlone);
    await last.work();
    expect(last.sms.sent).toEqual([]);
    expect(await base.statuses()).toMatchObject([
      { status: 'FAILED', message: expect.stringMatching(/^the outcome is unknown; held/) as string, retryCount: 2 },
    ]);
    for (const wakeUp of wakeUps) await wakeUp();
  });

  it('a text message whose worker died is held at once where the application has it so, until a hand retries it', async () => {
    const settings: ConfiguredNotifications = { ...textsAlone, sms: { from: '+30', unknownOutcome: 'hold' } };
    const base = notified(settings);
    await booked(base, withReach);
    const wakeUp = await dying(base, settings);
    await base.work();
    expect(base.sms.sent).toEqual([]);
    const [status] = await base.statuses();
    expect(status).toMatchObject({ status: 'FAILED', canRetry: true, retryCount: 1 });
    await base.scheduling.notifications.retry(agentOne, status?.id ?? '');
    await base.work();
    expect(base.sms.sent).toHaveLength(1);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 2 }]);
    await wakeUp();
  });
});

describe('A claim after a lost one that is given back', () => {
  it('a claim after a lost one that is given back leaves the row as it was found: the next one still knows of the lost one, and nothing counted', async () => {
    const settings: ConfiguredNotifications = { ...textsAlone, sms: { from: '+30', unknownOutcome: 'hold' } };
    const base = notified(settings);
    await booked(base, withReach);
    const wakeUp = await dying(base, settings);
    const find = (): never => {
      throw new Error('down');
    };
    for (let times = 0; times < 4; times += 1) {
      expect(await another(base, settings, { applications: { find } }).work()).toBe(1);
      base.clock.advance(seconds(30));
    }
    await base.work();
    expect(base.sms.sent).toEqual([]);
    expect(await base.statuses()).toMatchObject([
      { status: 'FAILED', message: expect.stringMatching(/held/) as string, retryCount: 1 },
    ]);
    await wakeUp();
  });
});

describe('A provider that can be asked about a key (capability lookup)', () => {
  const asking = (...answers: readonly (SendResult | undefined | Error)[]) => {
    const sms = new Provider<SmsMessage>({ capability: 'lookup' });
    const left = [...answers];
    sms.lookUp = (key) => {
      sms.lookedUp.push(key);
      const answer = left.shift();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    return sms;
  };

  it.each<[string, SendResult | undefined, number, object]>([
    ['delivered', { status: 'delivered', messageId: 'm-1' }, 0, { status: 'DELIVERED', retryCount: 1 }],
    ['taken', { status: 'submitted', messageId: 'm-1' }, 0, { status: 'PENDING', retryCount: 1 }],
    ['failed', { status: 'failed', permanent: true, error: 'x' }, 1, { status: 'DELIVERED', retryCount: 2 }],
    ['unknown to it', undefined, 1, { status: 'DELIVERED', retryCount: 2 }],
    ['unknown to it, in the word of databases', null as never, 1, { status: 'DELIVERED', retryCount: 2 }],
  ])(
    'a provider that can be asked about a key is asked before anything is sent again: the message is %s',
    async (_what, answer, sent, expected) => {
      const sms = asking(answer);
      const base = notified(textsAlone, { sms });
      await booked(base, withReach);
      const wakeUp = await dying(base, textsAlone);
      await base.work();
      const [status] = await base.statuses();
      expect(sms.lookedUp).toEqual([status?.id]);
      expect(sms.sent).toHaveLength(sent);
      expect(status).toMatchObject(expected);
      expect((await told(base))[1]).toEqual(['PENDING', noWord, 1]);
      await wakeUp();
    },
  );

  it('a provider that cannot be asked now is asked again before the next attempt; the history tells of the lost one', async () => {
    const sms = asking(new Error('down'), { status: 'delivered' });
    const base = notified(textsAlone, { sms });
    await booked(base, withReach);
    const wakeUp = await dying(base, textsAlone);
    await base.work();
    expect(sms.sent).toEqual([]);
    expect(await base.statuses()).toMatchObject([
      { status: 'PENDING', errorMessage: 'the provider could not be asked' },
    ]);
    expect((await told(base))[1]).toEqual(['PENDING', noWord, 1]);
    await base.after(minutes(3));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED' }]);
    expect(sms.sent).toEqual([]);
    await wakeUp();
  });

  it('a provider that can be asked about a key is asked about the last attempt also where it reports that an earlier message failed', async () => {
    const sms = asking({ status: 'delivered', messageId: 'm-2' });
    sms.reports({ state: 'failed', providerStatus: 'undelivered' });
    const base = notified(textsAlone, { sms });
    await booked(base, withReach);
    await base.work();
    await base.after(seconds(15));
    const [status] = await base.statuses();
    expect(status).toMatchObject({ status: 'FAILED', providerStatus: 'undelivered' });
    await base.scheduling.notifications.retry(agentOne, status?.id ?? '');
    sms.answers({ status: 'unknown', error: 'no answer' });
    await base.work();
    await base.after(minutes(1));
    expect(sms.lookedUp).toHaveLength(1);
    expect(sms.sent).toHaveLength(2);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED' }]);
  });
});

describe('A web hook whose worker died', () => {
  it('a web hook whose worker died is sent again with the same key', async () => {
    const base = notified(hooksAlone, { webhooks: new Provider<WebhookMessage>({ capability: 'idempotent' }) });
    await booked(base, withReach);
    const wakeUp = await dying(base, hooksAlone);
    await base.work();
    const [status] = await base.statuses();
    expect(
      base.webhooks.sent.map(({ attempt, message }) => [attempt.idempotencyKey, attempt.attempt, message.endpoint.id]),
    ).toEqual([[status?.id, 2, endpoint.id]]);
    await wakeUp();
  });
});

describe('A worker whose clock jumps while it sends', () => {
  const tomorrow = { ...withReach, start: '2030-05-07T11:00:00Z' };

  /** A worker whose claim has run out by the clock, and which has claimed its own message again. */
  async function jumped(base: Notified, claimed: Promise<unknown>): Promise<Promise<unknown>> {
    await claimed;
    base.clock.advance(hours(1));
    // The message of another appointment goes out with the same claim.
    await booked(base, tomorrow);
    return base.work();
  }

  it('a worker whose clock jumps while it sends does not send a second time beside it, and the outcome counts', async () => {
    const base = notified(mailsAlone);
    const provider = held(base.email);
    const { id } = await booked(base, tomorrow);
    const pass = base.work();
    const passes = jumped(base, provider.called(1));
    await provider.called(2);
    provider.answer({ status: 'failed', permanent: true, error: 'SMTP 550' });
    await Promise.all([pass, passes]);
    const ofFirst = (await base.history()).filter(({ appointmentId }) => appointmentId === id);
    expect(ofFirst.map(({ status, retryCount }) => [status, retryCount])).toEqual([
      ['INITIALIZED', 0],
      ['FAILED', 1],
    ]);
    expect(base.email.sent).toHaveLength(2);
    expect(base.scheduling.workers.health().delivery[0]).toMatchObject({ claimsLost: 0 });
  });

  it('a worker whose clock jumps while it sends takes what is cancelled meanwhile back all the same', async () => {
    const base = notified(mailsAlone, { worker: { settleWait: 0 } });
    const provider = held(base.email);
    const { id } = await booked(base, tomorrow);
    const pass = base.work();
    const passes = jumped(base, provider.called(1));
    await provider.called(2);
    await base.appointments.cancel(agentOne, { id });
    provider.answer({ status: 'failed', permanent: false, error: 'SMTP 451' });
    await Promise.all([pass, passes]);
    const types = await base.statuses({ types: ['CREATE'] });
    expect(types.find(({ appointmentId }) => appointmentId === id)).toMatchObject({
      status: 'CANCELLED',
      retryCount: 1,
    });
  });

  /** A question that is answered when the test says so, and is asked once. */
  function question<Answer>(): { ask(): Promise<Answer>; readonly asked: Promise<void>; answer(given: Answer): void } {
    let asked!: () => void;
    let answer!: (given: Answer) => void;
    const [wasAsked, answered] = [
      new Promise<void>((resolve) => (asked = resolve)),
      new Promise<Answer>((resolve) => (answer = resolve)),
    ];
    return { ask: () => (asked(), answered), asked: wasAsked, answer };
  }

  it('a worker whose clock jumps while it makes a message sends it once', async () => {
    const links = question<object>();
    const base = notified(mailsAlone, { linkSource: { linksFor: () => links.ask() } });
    await booked(base, tomorrow);
    const pass = base.work();
    await links.asked;
    base.clock.advance(hours(1));
    const again = base.work();
    links.answer({});
    await Promise.all([pass, again]);
    await base.after(minutes(1));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
    expect(base.email.sent).toHaveLength(1);
  });

  it('a worker whose clock jumps while it asks a provider asks once', async () => {
    const sms = new Provider<SmsMessage>().reports({ state: 'pending' });
    const { ask, asked, answer } = question<DeliveryReport>();
    sms.fetchStatus = (reference) => (sms.polled.push(reference), ask());
    const base = notified(textsAlone, { sms });
    await booked(base, tomorrow);
    await base.work();
    const provider = held(sms, 0);
    const pass = base.after(minutes(1));
    const passes = jumped(base, asked);
    await provider.called(2);
    answer({ state: 'delivered' });
    await Promise.all([pass, passes]);
    expect(sms.polled).toHaveLength(1);
    expect((await base.statuses()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']);
  });
});
