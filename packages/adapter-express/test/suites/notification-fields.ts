import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenStore, people } from '../support/host.js';
import { type NotifiedHost, outcomes, type Row, startNotifiedHost } from '../support/notified-host.js';
import { created, customer } from '../support/requests.js';

const { supervisor, agent } = people;
const anId = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/);
const ada = { displayName: 'Ada Lovelace', reasonCode: null, type: 'CUSTOMER' };
const crm = { displayName: 'CRM', reasonCode: null, type: 'SYSTEM' };
const mail = 'channel=EMAIL&type=CREATE';

/** What happens to the mail of an appointment until it is looked at. */
interface Course {
  readonly what: string;
  readonly run: (host: NotifiedHost, appointmentId: string) => Promise<unknown>;
  /** Fields of the status besides those that every row has the same. */
  readonly status: (now: (milliseconds: number) => string) => object;
  /** Fields of the events after the first one, `planned`. */
  readonly events: (now: (milliseconds: number) => string) => readonly object[];
}

const planned = { status: 'INITIALIZED', message: 'planned', retryCount: 0 };
const taken = { messageId: 'm-1', conversationId: 'c-1' };
const submission = { status: 'PENDING', message: 'accepted by the provider', providerStatus: 'queued', retryCount: 1 };
const failure = { status: 'FAILED', message: 'not deliverable', errorMessage: outcomes.refused.error, retryCount: 1 };
const waiting = {
  status: 'PENDING',
  message: 'another attempt follows',
  errorMessage: outcomes.failing.error,
  retryCount: 1,
};
const delivery = { status: 'DELIVERED', message: 'delivered', providerStatus: 'sent', retryCount: 1 };

const courses: readonly Course[] = [
  {
    what: 'planned: nothing that belongs to an attempt',
    run: () => Promise.resolve(),
    status: (at) => ({ ...planned, canRetry: false, updatedAt: at(0) }),
    events: () => [],
  },
  {
    what: 'delivered: providerStatus, and the ids of the provider on the event',
    run: (host) => host.work(1000),
    status: (at) => ({ ...delivery, canRetry: false, updatedAt: at(1000) }),
    events: (at) => [{ ...delivery, ...taken, timestamp: at(1000) }],
  },
  {
    what: 'submitted: nextPollAt, 15 s later (D58)',
    run: (host) => {
      host.email.result = outcomes.submitted;
      return host.work(1000);
    },
    status: (at) => ({ ...submission, canRetry: true, nextPollAt: at(16_000), updatedAt: at(1000) }),
    events: (at) => [{ ...submission, ...taken, nextPollAt: at(16_000), timestamp: at(1000) }],
  },
  {
    what: 'polled and still under way: the next poll, and how many there were on the event',
    run: async (host) => {
      host.email.result = outcomes.submitted;
      await host.work();
      host.email.report = { state: 'sent', providerStatus: 'sent' };
      await host.work(15_000);
    },
    status: (at) => ({
      ...submission,
      providerStatus: 'sent',
      canRetry: true,
      nextPollAt: at(75_000),
      updatedAt: at(0),
    }),
    events: (at) => [
      { ...submission, ...taken, nextPollAt: at(15_000), timestamp: at(0) },
      {
        ...submission,
        ...taken,
        providerStatus: 'sent',
        pollAttempts: 1,
        nextPollAt: at(75_000),
        timestamp: at(15_000),
      },
    ],
  },
  {
    what: 'confirmed by a poll: no nextPollAt any more',
    run: async (host) => {
      host.email.result = outcomes.submitted;
      await host.work();
      host.email.report = { state: 'delivered', providerStatus: 'delivered' };
      await host.work(15_000);
    },
    status: (at) => ({
      status: 'DELIVERED',
      message: 'confirmed by the provider',
      providerStatus: 'delivered',
      retryCount: 1,
      canRetry: false,
      updatedAt: at(0),
    }),
    events: (at) => [
      { ...submission, ...taken, nextPollAt: at(15_000), timestamp: at(0) },
      {
        ...taken,
        status: 'DELIVERED',
        message: 'confirmed by the provider',
        providerStatus: 'delivered',
        retryCount: 1,
        pollAttempts: 1,
        timestamp: at(15_000),
      },
    ],
  },
  {
    what: 'failing: nextRetryAt 30 s later and errorMessage, canRetry (D53, D54)',
    run: (host) => {
      host.email.result = outcomes.failing;
      return host.work(1000);
    },
    status: (at) => ({ ...waiting, canRetry: true, nextRetryAt: at(31_000), updatedAt: at(1000) }),
    events: (at) => [{ ...waiting, timestamp: at(1000) }],
  },
  {
    what: 'delivered by a second attempt: no errorMessage and no nextRetryAt any more',
    run: async (host) => {
      host.email.result = outcomes.failing;
      await host.work();
      host.email.result = outcomes.delivered;
      await host.work(30_000);
    },
    status: (at) => ({ ...delivery, retryCount: 2, canRetry: false, updatedAt: at(30_000) }),
    events: (at) => [
      { ...waiting, timestamp: at(0) },
      { ...delivery, ...taken, retryCount: 2, timestamp: at(30_000) },
    ],
  },
  {
    what: 'failed for good: errorMessage, no nextRetryAt, canRetry (D53, D54)',
    run: (host) => {
      host.email.result = outcomes.refused;
      return host.work();
    },
    status: (at) => ({ ...failure, canRetry: true, updatedAt: at(0) }),
    events: (at) => [{ ...failure, timestamp: at(0) }],
  },
  {
    what: 'cancelled before any attempt: updatedAt is the time of that change (D51)',
    run: async (host, id) => {
      host.clock.time += 5000;
      await host.call('PUT', `/api/v2/appointments/${id}/cancel`, { as: agent });
    },
    status: (at) => ({
      status: 'CANCELLED',
      message: 'the appointment was cancelled',
      retryCount: 0,
      canRetry: false,
      updatedAt: at(5000),
    }),
    events: (at) => [
      { status: 'CANCELLED', message: 'the appointment was cancelled', retryCount: 0, timestamp: at(5000) },
    ],
  },
];

/** The fields of the notification document, as every kind of row has them, on any store. */
export function notificationFieldsSuite(name: string, open: OpenStore): void {
  describe(`fields of statuses and events on ${name}`, () => {
    let host: NotifiedHost;
    beforeAll(async () => {
      host = await startNotifiedHost(open);
    });
    beforeEach(async () => {
      for (const notifier of [host.email, host.sms, host.webhooks]) {
        notifier.result = outcomes.delivered;
        notifier.report = { state: 'pending' };
      }
      // What earlier tests left to be done is done, at a time of which no appointment is made.
      await host.work(1000);
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    it.each(courses)('statuses and events have the fields of what is $what', async ({ run, status, events }) => {
      const began = host.clock.time;
      const at = (later: number): string => new Date(began + later).toISOString().replace('.000Z', 'Z');
      const { id: appointmentId } = await created(host, { applicationId: 'app-n', start: '2030-03-01T09:00:00Z' });
      await run(host, appointmentId);
      const shared = { appointmentId, channel: 'EMAIL', type: 'CREATE', recipient: ada };
      const rows = await host.statuses(appointmentId, mail);
      expect(rows).toEqual([{ ...shared, id: anId, createdAt: at(0), ...status(at) }]);
      const statusId = rows[0]?.id;
      const history = [{ ...planned, timestamp: at(0) }, ...events(at)];
      expect(await host.history(appointmentId, mail)).toEqual(
        history.map((event) => ({ ...shared, id: expect.any(String), statusId, ...event })),
      );
    });

    it('offset and scheduledFor are on REMINDER and FOLLOW_UP only, on statuses and on events', async () => {
      const { id } = await created(host, { applicationId: 'app-n', start: '2030-03-01T09:00:00Z' });
      await host.call('POST', `/api/v2/appointments/activate/${id}`, { as: agent });
      await host.work();
      const shown = ({ type, offset, scheduledFor }: Row) => [type, offset, scheduledFor];
      for (const rows of [await host.statuses(id, 'channel=SMS'), await host.history(id, 'channel=SMS')]) {
        const distinct = [...new Set(rows.map((row) => JSON.stringify(shown(row))))].map((text) => JSON.parse(text));
        expect(distinct).toHaveLength(5);
        expect(distinct).toEqual(
          expect.arrayContaining([
            ['CREATE', null, null],
            ['ROOM', null, null],
            ['REMINDER', 'P1D', '2030-02-28T09:00:00Z'],
            ['REMINDER', 'PT30M', '2030-03-01T08:30:00Z'],
            ['FOLLOW_UP', 'PT1H', '2030-03-01T10:30:00Z'],
          ]),
        );
        for (const row of rows.filter(({ type }) => type === 'CREATE' || type === 'ROOM')) {
          expect(Object.keys(row)).not.toContain('offset');
          expect(Object.keys(row)).not.toContain('scheduledFor');
        }
      }
    });

    it('nextPollAt and nextRetryAt are on pending rows only, and no field is ever null but reasonCode', async () => {
      host.email.result = outcomes.failing;
      host.sms.result = outcomes.submitted;
      await created(host, { applicationId: 'app-n', start: '2030-03-01T09:00:00Z' });
      await host.work();
      const statuses = await host.all('/api/notifications/', 'applicationId=app-n');
      const events = await host.all('/api/notifications/events', 'applicationId=app-n');
      expect(statuses.some(({ nextPollAt }) => nextPollAt !== undefined)).toBe(true);
      expect(statuses.some(({ nextRetryAt }) => nextRetryAt !== undefined)).toBe(true);
      for (const row of [...statuses, ...events]) {
        if (row['nextPollAt'] !== undefined || row['nextRetryAt'] !== undefined) expect(row['status']).toBe('PENDING');
        expect(Object.values(row)).not.toContain(null);
      }
    });

    it('ids are unique, and every event is of a status that is listed', async () => {
      const statuses = await host.all('/api/notifications/', 'applicationId=app-n');
      const events = await host.all('/api/notifications/events', 'applicationId=app-n');
      expect(new Set(statuses.map(({ id }) => id)).size).toBe(statuses.length);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      expect(new Set(events.map(({ statusId }) => statusId))).toEqual(new Set(statuses.map(({ id }) => id)));
    });

    describe('a recipient', () => {
      it.each([
        ['a customer with a name', { name: { firstName: 'Ada', lastName: 'Lovelace' } }, ada],
        ['a customer with a first name only', { name: { firstName: 'Ada' } }, { ...ada, displayName: 'Ada' }],
        ['a customer without a name', { name: undefined }, { ...ada, displayName: '-', reasonCode: 'NO_NAME' }],
      ])('the recipient is told of %s', async (_, changes, expected) => {
        const customers = [{ ...customer, ...changes }];
        const { id } = await created(host, { applicationId: 'app-n', customers });
        for (const rows of [await host.statuses(id, mail), await host.history(id, mail)]) {
          expect(rows.map(({ recipient }) => recipient)).toEqual([expected]);
        }
      });

      it('a recipient of a web hook is the endpoint by its label, type SYSTEM (D49)', async () => {
        const { id } = await created(host, { applicationId: 'app-n' });
        for (const rows of [
          await host.statuses(id, 'channel=WEBHOOKS&type=CREATE'),
          await host.history(id, 'channel=WEBHOOKS&type=CREATE'),
        ]) {
          expect(rows.map(({ recipient }) => recipient)).toEqual([crm]);
        }
      });

      it('a recipient whose record was removed is - with NOT_FOUND (D57)', async () => {
        const { id } = await created(host, { applicationId: 'app-n' });
        await host.work();
        await host.call('DELETE', `/api/appointments/${id}`, { as: supervisor });
        const gone = { displayName: '-', reasonCode: 'NOT_FOUND', type: 'CUSTOMER' };
        for (const rows of [await host.statuses(id, mail), await host.history(id, mail)]) {
          expect(rows.length).toBeGreaterThan(0);
          for (const { recipient } of rows) expect(recipient).toEqual(gone);
        }
      });
    });
  });
}
