import {
  type Caller,
  CalendsError,
  createScheduling,
  MissingKeyError,
  type ScheduleCommand,
  type Scheduling,
  type Secrets,
} from '@calends/core';
import type { EmailMessage } from '@calends/core/notifier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedStore, OpenStore } from '../support/host.js';
import { RecordingNotifier } from '../support/notified-host.js';

const [before, after, foreign] = ['before', 'after', 'foreign'].map(
  (name) => `the secret ${name} of at least thirty-two bytes`,
) as [string, string, string];
const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };
const supervisor: Caller = { id: 'supervisor-1', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] };
const start = Date.UTC(2030, 0, 1, 8);
const hour = 3_600_000;

/** The processes of one house: each a library of its own over the one store. */
class House {
  readonly #opened: OpenedStore;
  readonly email = new RecordingNotifier<EmailMessage>();
  now = start;

  constructor(opened: OpenedStore) {
    this.#opened = opened;
  }

  deploy(secret: Secrets): Scheduling {
    return createScheduling({
      store: this.#opened.store,
      secret,
      clock: { now: () => this.now },
      applications: {
        'app-1': {
          organizationId: 'org-1',
          overlap: { mode: 'customer', buffer: 0 },
          notifications: { email: { from: 'no-reply@clinic.example' } },
        },
      },
      notifiers: { email: this.email },
      managePageUrl: 'https://clinic.example/manage/',
    });
  }

  /** The code that a customer was sent. */
  async codeFor(scheduling: Scheduling, username: string): Promise<string> {
    await scheduling.customers.requestOtp({ applicationId: 'app-1', username });
    await scheduling.close();
    return /\d{6}/.exec(this.email.sent.at(-1)?.message.text ?? '')?.[0] ?? '';
  }

  /** Seals what there is, as a worker's pass does some seconds later. */
  async seal(scheduling: Scheduling): Promise<void> {
    this.now += 10_000;
    await scheduling.workers.runOnce();
  }
}

/** An appointment of a customer, so many hours from the start. */
function booking(customer: string, hours: number): ScheduleCommand {
  return {
    applicationId: 'app-1',
    start: new Date(start + hours * hour).toISOString(),
    duration: 'PT30M',
    timezone: 'UTC',
    customers: [{ contact: { primaryEmail: `${customer}@example.org` } }],
  };
}

async function codeOf(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return 'done';
  } catch (error) {
    if (!CalendsError.is(error)) throw error;
    return error.cause instanceof MissingKeyError ? `${error.code}, lacks a key` : error.code;
  }
}

/** Secrets of processes over one store (D67), on any store. */
export function secretRotationSuite(name: string, open: OpenStore): void {
  describe(`secrets on ${name}`, () => {
    let opened: OpenedStore;
    let house: House;
    beforeAll(async () => {
      opened = await open();
      house = new House(opened);
    });
    afterAll(() => opened.close());

    it('another secret is refused before it writes: by check, every change, and the worker; reads go on', async () => {
      const right = house.deploy(before);
      const { id } = await right.appointments.schedule(agent, booking('ada', 100));
      const wrong = house.deploy(foreign);
      const refused = 'unavailable, lacks a key';
      expect(await codeOf(() => wrong.check())).toBe(refused);
      expect(await codeOf(() => wrong.appointments.schedule(agent, booking('ada', 200)))).toBe(refused);
      expect(await codeOf(() => wrong.appointments.cancel(agent, { id }))).toBe(refused);
      const request = { applicationId: 'app-1', username: 'eve@example.org' };
      expect(await codeOf(() => wrong.customers.requestOtp(request))).toBe(refused);
      expect((await wrong.appointments.get(agent, id)).state).toBe('SCHEDULED');
      house.now += 10_000;
      expect(await codeOf(() => wrong.workers.runOnce())).not.toBe('done');
      expect(await right.audit.verify(supervisor)).toMatchObject({ intact: true, seals: 0 });
      await house.seal(right);
      expect(await right.audit.verify(supervisor)).toMatchObject({ intact: true, seals: 1, unsealed: 0 });
      await Promise.all([right.close(), wrong.close()]);
    });

    it('a rotation in two deployments under load keeps links, codes, identities and the audit chain', async () => {
      let processes = [house.deploy(before), house.deploy(before)];
      const [first] = processes as [Scheduling, Scheduling];
      const booked = await first.appointments.schedule(agent, booking('maria', 300));
      const [customer] = booked.participants.filter(({ type }) => type === 'CUSTOMER');
      const holder = { appointmentId: booked.id, participantId: customer?.id ?? '' };
      const link = await first.customers.issueManageLink(agent, holder);
      const session = await first.customers.exchangeManageLink(link.code);
      const feed = await first.calendarFeeds.issue(agent, { agentId: 'agent-1' });

      const outcomes = new Map<string, number>();
      const count = async (call: Promise<unknown>): Promise<void> => {
        const outcome = await codeOf(() => call);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      };
      let loaded = 0;
      let rotating = true;
      // Four clients that book without a pause, each call in the process that is at hand.
      const load = Array.from({ length: 4 }, async (_, client) => {
        while (rotating) {
          loaded += 1;
          const process = processes[loaded % 2] as Scheduling;
          await count(process.appointments.schedule(agent, booking(`load-${String(client)}`, 1000 + loaded)));
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      const someLoad = async (): Promise<void> => {
        const from = loaded;
        while (loaded < from + 20) await new Promise((resolve) => setImmediate(resolve));
      };

      const deployments: readonly Secrets[] = [
        [before, after],
        [after, before],
      ];
      let week = 0;
      for (const secret of deployments) {
        for (const index of [0, 1]) {
          week += 1;
          // Codes that the process that goes has sent.
          const name = `otp-${String(week)}@example.org`;
          const code = await house.codeFor(processes[index] as Scheduling, name);
          const replaced = processes[index] as Scheduling;
          processes = processes.with(index, house.deploy(secret));
          await replaced.close();
          await someLoad();
          for (const process of processes) {
            await process.check();
            // Links, bearers and feeds of before.
            expect((await process.customers.exchangeManageLink(link.code)).appointmentId).toBe(booked.id);
            const caller = process.customers.verifyCustomerToken(session.token);
            expect(caller && (await process.appointments.get(caller, booked.id)).id).toBe(booked.id);
            expect((await process.calendarFeeds.read(feed.code)).etag).toBeDefined();
            // Who was recognised before is recognised, and anyone who is booked here is recognised there.
            expect(await codeOf(() => process.appointments.schedule(agent, booking('maria', 300)))).toBe(
              'slot_conflict',
            );
            await house.seal(process);
          }
          const at = 310 + week;
          const [one, other] = week % 2 === 0 ? processes : processes.toReversed();
          await one?.appointments.schedule(agent, booking(`new-${String(week)}`, at));
          expect(
            await codeOf(async () => other?.appointments.schedule(agent, booking(`new-${String(week)}`, at))),
          ).toBe('slot_conflict');
          // Also one of before that is moved onto one of now.
          const moved = { id: booked.id, ...booking('maria', 400 + week) };
          const { id } = (await other?.appointments.schedule(agent, booking('maria', 400 + week))) ?? { id: '' };
          expect(await codeOf(async () => one?.appointments.reschedule(agent, moved))).toBe('slot_conflict');
          await one?.appointments.cancel(agent, { id });
          const credentials = { username: name, code };
          const command = { ...booking('', 500 + week), customers: [{ contact: { primaryEmail: name } }] };
          expect(await codeOf(async () => one?.appointments.scheduleAsCustomer(credentials, command))).toBe('done');
        }
      }
      rotating = false;
      await Promise.all(load);
      for (const process of processes) {
        await house.seal(process);
        expect(await process.audit.verify(supervisor)).toMatchObject({ intact: true, unsealed: 0 });
      }
      expect([...outcomes.keys()]).toEqual(['done']);

      const oldAgain = house.deploy(before);
      const newAlone = house.deploy(after);
      expect(await codeOf(() => oldAgain.check())).toBe('unavailable, lacks a key');
      expect(await codeOf(() => newAlone.check())).toBe('unavailable, lacks a key');
      await Promise.all([...processes, oldAgain, newAlone].map((process) => process.close()));
    });

    it('an old secret may go once nobody signs with it, identities are rewritten, and no link holds', async () => {
      const other = await open();
      const rotated = new House(other);
      const passes = async (process: Scheduling): Promise<void> => {
        for (let pass = 0; pass < 8; pass += 1) {
          await process.workers.runOnce();
          rotated.now += 60_000;
        }
      };
      const adviceOf = async (process: Scheduling): Promise<string> => (await process.check()).advice.join();
      const old = rotated.deploy([before, after]);
      const maria = await old.appointments.schedule(agent, booking('maria', 50));
      const customer = maria.participants.find(({ type }) => type === 'CUSTOMER');
      const holder = { appointmentId: maria.id, participantId: customer?.id ?? '' };
      const link = await old.customers.issueManageLink(agent, holder);
      await rotated.seal(old);
      const ada = await old.appointments.schedule(agent, booking('ada', 400));

      const [present, twin] = [rotated.deploy([after, before]), rotated.deploy([after, before])];
      await present.check();
      await passes(present);
      expect(await adviceOf(present)).toMatch(/processes may still sign/);
      // A process of the deployment before says that it does.
      await old.check();
      rotated.now += 2 * hour;
      await passes(present);
      expect(await adviceOf(present)).toMatch(/processes may still sign/);
      await old.close();
      rotated.now += 2 * hour;
      await Promise.all([passes(present), passes(twin)]);
      expect(await adviceOf(present)).toMatch(/\(1 links and feeds made with it hold\)/);
      const alone = rotated.deploy(after);
      expect(await codeOf(() => alone.check())).toBe('unavailable, lacks a key');
      expect((await present.customers.exchangeManageLink(link.code)).appointmentId).toBe(maria.id);
      const rewritten = await present.appointments.get(agent, ada.id);
      expect({ ...rewritten, version: 0, participants: [] }).toEqual({ ...ada, version: 0, participants: [] });
      expect(rewritten.participants).not.toEqual(ada.participants);

      rotated.now = start + 75 * hour;
      await passes(present);
      expect(await adviceOf(present)).toMatch(/is retired, nothing needs it; take it off the list/);
      expect(await adviceOf(alone)).toBe('');
      expect(await codeOf(() => alone.appointments.schedule(agent, booking('ada', 400)))).toBe('slot_conflict');
      expect(await codeOf(() => alone.customers.exchangeManageLink(link.code))).toBe('stale_ticket');
      await rotated.seal(alone);
      expect(await alone.audit.verify(supervisor)).toMatchObject({ intact: true, unsealed: 0 });
      for (const secret of [before, foreign, [before, after]]) {
        const refused = rotated.deploy(secret);
        expect(await codeOf(() => refused.check())).toBe('unavailable, lacks a key');
        await refused.close();
      }

      // The next rotation keeps what the first has kept.
      const next = rotated.deploy([foreign, after]);
      await next.check();
      await passes(next);
      rotated.now = start + 430 * hour;
      await passes(next);
      const last = rotated.deploy(foreign);
      expect(await codeOf(() => last.check())).toBe('done');
      await rotated.seal(last);
      expect(await last.audit.verify(supervisor)).toMatchObject({ intact: true, unsealed: 0 });
      await Promise.all([present, twin, alone, next, last].map((process) => process.close()));
      await other.close();
    });
  });
}
