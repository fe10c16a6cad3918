import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../support/client.js';
import { type OpenedStore, type OpenStore, people } from '../support/host.js';
import { failedMailOf, type NotifiedHost, outcomes, type Row, startNotifiedHost } from '../support/notified-host.js';
import { created, unknownId } from '../support/requests.js';

const { agent, otherAgent, supervisor } = people;
const hour = 3_600_000;
const mail = 'channel=EMAIL&type=CREATE';
const soon = '2030-01-02T09:00:00Z';

const retryPath = (id: string): string => `/api/notifications/${id}/retry`;
const only = (rows: readonly Row[]): Row => {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`There should be one row, not ${String(rows.length)}.`);
  return row;
};

/** Where a notification stands that may not be retried, and how it comes to that (D53). */
const refusedCases: readonly (readonly [string, (host: NotifiedHost) => Promise<Row>])[] = [
  ['INITIALIZED, not handed over yet', (host) => mailOf(host)],
  ['delivered', (host) => mailOf(host, () => host.work())],
  [
    'pending with the provider, which was asked to be asked just before (D68)',
    async (host) => {
      host.email.result = outcomes.submitted;
      const row = await mailOf(host, () => host.work());
      await host.call('PUT', retryPath(row.id), { as: agent });
      return row;
    },
  ],
  [
    'pending with a retry that is due already',
    async (host) => {
      host.email.result = outcomes.failing;
      const row = await mailOf(host, () => host.work());
      host.clock.time += 30_000;
      return row;
    },
  ],
  [
    'retried by hand already',
    async (host) => {
      const row = await failedMailOf(host);
      await host.call('PUT', retryPath(row.id), { as: agent });
      return row;
    },
  ],
  [
    'cancelled with its appointment before it was sent',
    (host) => mailOf(host, ({ id }) => host.call('PUT', `/api/v2/appointments/${id}/cancel`, { as: agent })),
  ],
  [
    'failed, of an appointment that was cancelled since',
    async (host) => {
      const row = await failedMailOf(host);
      await host.call('PUT', `/api/v2/appointments/${row.appointmentId}/cancel`, { as: agent });
      return row;
    },
  ],
  [
    'failed, of an appointment that was deleted (v2) since',
    async (host) => {
      const row = await failedMailOf(host);
      await host.call('DELETE', `/api/v2/appointments/${row.appointmentId}`, { as: agent });
      return row;
    },
  ],
  [
    'a reminder, once the appointment has begun',
    async (host) => {
      const row = await failed(host, 'REMINDER', ({ host: { clock } }) => (clock.time = Date.parse(soon) - hour / 2));
      host.clock.time = Date.parse(soon);
      return row;
    },
  ],
  [
    'an invitation to the room, once the appointment has begun',
    async (host) => {
      const row = await failed(host, 'ROOM', ({ id }) =>
        host.call('POST', `/api/v2/appointments/activate/${id}`, { as: agent }),
      );
      host.clock.time = Date.parse(soon);
      return row;
    },
  ],
  [
    'retried by hand five times',
    async (host) => {
      const row = await failedMailOf(host);
      for (let count = 0; count < 5; count += 1) {
        host.email.result = outcomes.refused;
        expect((await host.call('PUT', retryPath(row.id), { as: agent })).status).toBe(200);
        await host.work();
      }
      return row;
    },
  ],
];

/** Retry by hand (D52, D53; decisions, Across all; notification spec: Endpoints), on any store. */
export function notificationRetrySuite(name: string, open: OpenStore): void {
  describe(`retry of a notification on ${name}`, () => {
    let opened: OpenedStore;
    let host: NotifiedHost;
    let second: NotifiedHost;
    let began: number;
    beforeAll(async () => {
      opened = await open();
      const shared: OpenStore = () => Promise.resolve({ store: opened.store, close: () => Promise.resolve() });
      host = await startNotifiedHost(shared);
      second = await startNotifiedHost(shared, undefined, 1_000_000);
      began = host.clock.time;
    });
    beforeEach(async () => {
      // What the test before has left is ended, and the clock of all appointments starts again.
      host.email.result = outcomes.delivered;
      await host.work();
      host.clock.time = began;
      second.clock.time = began;
    });
    afterAll(async () => {
      expect([...host.faults, ...second.faults]).toEqual([]);
      await Promise.all([host.close(), second.close()]);
      await opened.close();
    });

    const retry = (id: string, as = agent, headers = {}) => host.call('PUT', retryPath(id), { as, headers });
    const keyed = (key: string) => ({ 'idempotency-key': key });
    const codeOf = ({ status, body }: Reply) => [status, body.code];

    it('a failed one answers 200: PENDING, nextRetryAt now, canRetry false; then the worker sends it', async () => {
      const row = await failedMailOf(host);
      host.clock.time += 61_000;
      const { status, body } = await retry(row.id);
      const { errorMessage: _gone, ...rest } = row;
      expect([status, body]).toEqual([
        200,
        {
          ...rest,
          status: 'PENDING',
          canRetry: false,
          message: 'manual retry by agent-1',
          nextRetryAt: '2030-01-01T08:01:01Z',
        },
      ]);
      expect(only(await host.statuses(row.appointmentId, mail))).toEqual(body);
      expect(host.email.attemptsAt(row.id)).toBe(1);
      await host.work();
      expect(host.email.attemptsAt(row.id)).toBe(2);
      expect(only(await host.statuses(row.appointmentId, mail))).toMatchObject({ status: 'DELIVERED', retryCount: 2 });
      const steps = (await host.history(row.appointmentId, mail)).map(({ status: state, message }) => [state, message]);
      expect(steps).toEqual([
        ['INITIALIZED', 'planned'],
        ['FAILED', 'not deliverable'],
        ['PENDING', 'manual retry by agent-1'],
        ['DELIVERED', 'delivered'],
      ]);
    });

    it('a pending one that waits for its next attempt is made to go at once', async () => {
      host.email.result = outcomes.failing;
      const row = await mailOf(host, () => host.work());
      expect(row).toMatchObject({ status: 'PENDING', canRetry: true });
      host.email.result = outcomes.delivered;
      expect((await retry(row.id)).body).toMatchObject({ status: 'PENDING', canRetry: false });
      await host.work();
      expect(host.email.attemptsAt(row.id)).toBe(2);
      await host.work(hour);
      expect(host.email.attemptsAt(row.id)).toBe(2);
    });

    it('a pending one that the provider has is asked about at once, and sent again when that says that it failed (D68)', async () => {
      host.email.result = outcomes.submitted;
      const row = await mailOf(host, () => host.work());
      host.clock.time += 1000;
      const { status, body } = await retry(row.id);
      const asked = { status: 'PENDING', canRetry: false, message: 'manual retry by agent-1', retryCount: 1 };
      expect([status, body]).toEqual([200, { ...row, ...asked, nextPollAt: '2030-01-01T08:00:01Z' }]);
      host.email.report = { state: 'failed', providerStatus: 'bounced' };
      host.email.result = outcomes.delivered;
      await host.work();
      host.email.report = { state: 'pending' };
      expect(host.email.attemptsAt(row.id)).toBe(2);
      expect(only(await host.statuses(row.appointmentId, mail))).toMatchObject({ status: 'DELIVERED', retryCount: 2 });
    });

    it('a failed CANCELLED message of a cancelled appointment may be retried (D53)', async () => {
      const row = await failed(host, 'CANCELLED', ({ id }) =>
        host.call('PUT', `/api/v2/appointments/${id}/cancel`, { as: agent }),
      );
      expect(row['canRetry']).toBe(true);
      expect((await retry(row.id)).status).toBe(200);
      await host.work();
      expect(host.email.attemptsAt(row.id)).toBe(2);
    });

    it('a message that the provider took is asked about first, and not sent again when it arrived (D52)', async () => {
      host.email.result = { ...outcomes.refused, messageId: 'm-7', providerStatus: 'bounced' };
      const row = await mailOf(host, () => host.work());
      host.email.report = { state: 'delivered', providerStatus: 'delivered' };
      expect((await retry(row.id)).status).toBe(200);
      await host.work();
      expect(host.email.attemptsAt(row.id)).toBe(1);
      expect(only(await host.statuses(row.appointmentId, mail))).toMatchObject({ status: 'DELIVERED', retryCount: 1 });
      host.email.report = { state: 'pending' };
    });

    it.each(refusedCases)('a retry is 400 retry_not_allowed, and canRetry is false: %s', async (_, make) => {
      const row = await make(host);
      const listed = (await host.statuses(row.appointmentId)).find(({ id }) => id === row.id);
      expect(listed?.['canRetry']).toBe(false);
      expect(codeOf(await retry(row.id))).toEqual([400, 'retry_not_allowed']);
      expect((await host.statuses(row.appointmentId)).find(({ id }) => id === row.id)).toEqual(listed);
    });

    it('canRetry of every row says what a retry answers', async () => {
      await failedMailOf(host);
      host.sms.result = outcomes.failing;
      await failed(host, 'CREATE', () => undefined);
      host.sms.result = outcomes.delivered;
      const rows = (await host.all('/api/notifications/', 'applicationId=app-n')).slice(0, 60);
      expect(new Set(rows.map(({ canRetry }) => canRetry)).size).toBe(2);
      for (const { id, canRetry } of rows) {
        const answer = canRetry === true ? [200, undefined] : [400, 'retry_not_allowed'];
        expect(codeOf(await retry(id, supervisor))).toEqual(answer);
      }
    });

    it('unknown, foreign and malformed ids are the same 404, to the length of the body', async () => {
      const { id } = await failedMailOf(host);
      const foreign = { ...supervisor, organizationId: 'org-2' };
      const bare = ({ body, text, status }: Reply) => {
        const { requestId, instance, ...rest } = body;
        return { status, rest, length: text.length - String(requestId).length - String(instance ?? '').length };
      };
      const unknown = bare(await retry(unknownId, supervisor));
      expect(unknown).toMatchObject({ status: 404, rest: { code: 'not_found' } });
      expect(bare(await retry(id, foreign))).toEqual(unknown);
      for (const malformed of ['x', '0', '%00', '..%2f..', 'x'.repeat(6000), '%ed%a0%80', `${id}%20`, `${id}-000001`]) {
        expect(bare(await retry(malformed, supervisor))).toEqual(unknown);
      }
    });

    it('an agent who is not assigned gets 403 not_assigned, and nothing happens', async () => {
      const { id, appointmentId } = await failedMailOf(host);
      expect(codeOf(await retry(id, otherAgent))).toEqual([403, 'not_assigned']);
      expect(only(await host.statuses(appointmentId, mail))['status']).toBe('FAILED');
    });

    describe('Idempotency-Key', () => {
      it('a replay gives the stored answer with Idempotency-Replayed: true, and makes no further attempt', async () => {
        const { id } = await failedMailOf(host);
        const first = await retry(id, agent, keyed('r-1'));
        await host.work();
        const again = await retry(id, agent, keyed('r-1'));
        expect([again.status, again.body]).toEqual([200, first.body]);
        expect([first, again].map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true']);
        await host.work();
        expect(host.email.attemptsAt(id)).toBe(2);
      });

      it('an Idempotency-Key with another notification is 422; another caller has keys of their own', async () => {
        const [one, other] = [await failedMailOf(host), await failedMailOf(host)];
        await retry(one.id, agent, keyed('r-2'));
        expect(codeOf(await retry(other.id, agent, keyed('r-2')))).toEqual([422, 'idempotency_mismatch']);
        expect((await retry(other.id, supervisor, keyed('r-2'))).status).toBe(200);
      });

      it('a refused retry gives the key back', async () => {
        host.email.result = outcomes.refused;
        const { id } = await created(host, { applicationId: 'app-n' });
        const row = only(await host.statuses(id, mail));
        expect((await retry(row.id, agent, keyed('r-3'))).status).toBe(400);
        await host.work();
        const replies = [await retry(row.id, agent, keyed('r-3')), await retry(unknownId, supervisor, keyed('r-4'))];
        expect(replies.map(({ status }) => status)).toEqual([200, 404]);
      });

      it('50 retries at once with one key: one takes effect, the others are replays or 409 in progress', async () => {
        const { id } = await failedMailOf(host);
        const replies = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            (index % 2 === 0 ? host : second).call('PUT', retryPath(id), { as: agent, headers: keyed('r-5') }),
          ),
        );
        const fresh = replies.filter(({ status, headers }) => status === 200 && !headers['idempotency-replayed']);
        expect(fresh).toHaveLength(1);
        for (const { status, body } of replies) {
          if (status === 200) expect(body).toEqual(fresh[0]?.body);
          else expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
        }
        await Promise.all([host.work(), second.work()]);
        expect(host.email.attemptsAt(id) + second.email.attemptsAt(id)).toBe(2);
      });
    });

    it('50 retries at once through two servers: one is carried out, one attempt more is made', async () => {
      const { id, appointmentId } = await failedMailOf(host);
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? host : second).call('PUT', retryPath(id), { as: index % 3 === 0 ? agent : supervisor }),
        ),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = replies.filter(({ status }) => status !== 200);
      expect(refused.map(codeOf)).toEqual(refused.map(() => [400, 'retry_not_allowed']));
      await Promise.all([host.work(), second.work(), host.work()]);
      expect(host.email.attemptsAt(id) + second.email.attemptsAt(id)).toBe(2);
      expect(only(await host.statuses(appointmentId, mail))).toMatchObject({ status: 'DELIVERED', retryCount: 2 });
    });
  });
}

interface Occasion {
  readonly host: NotifiedHost;
  readonly id: string;
}

/** The mail about a new appointment after what is done to it. */
async function mailOf(host: NotifiedHost, then: (occasion: Occasion) => unknown = () => undefined): Promise<Row> {
  const { id } = await created(host, { applicationId: 'app-n' });
  await then({ host, id });
  return only(await host.statuses(id, mail));
}

/** A mail of a type that what is done brings about, after it has failed for good. */
async function failed(host: NotifiedHost, type: string, cause: (occasion: Occasion) => unknown): Promise<Row> {
  host.email.result = outcomes.refused;
  const { id } = await created(host, { applicationId: 'app-n' });
  await cause({ host, id });
  await host.work();
  host.email.result = outcomes.delivered;
  const rows = await host.statuses(id, `channel=EMAIL&type=${type}&status=FAILED`);
  return only(rows);
}
