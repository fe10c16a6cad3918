import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, type OpenStore, people, startHost } from '../support/host.js';
import { failedMail, refusal } from '../support/notifications.js';
import { created } from '../support/requests.js';

const base = '/api/notifications';
const { agent, otherAgent, supervisor } = people;
const anId = expect.stringMatching(/^[\da-f-]{36}$/);
const now = '2030-01-01T08:00:00Z';

/** How planned and delivered notifications are shown: the fields that apply to a row, and no others. */
export function notificationDeliverySuite(name: string, open: OpenStore): void {
  describe(`planned notifications on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startHost({ open });
    });
    afterAll(() => host.close());

    async function listed(appointmentId: string, filter: string, path = `${base}/`) {
      const query = `applicationId=app-notified&pageSize=100&${filter}`;
      const { body } = await host.call('GET', `${path}?${query}`, { as: agent });
      const rows = body.content as readonly { readonly appointmentId: string }[];
      return rows.filter((row) => row.appointmentId === appointmentId);
    }

    it('a status has the fields that apply to its row', async () => {
      const { id: appointmentId } = await created(host, { applicationId: 'app-notified' });
      const shared = {
        id: anId,
        appointmentId,
        canRetry: false,
        createdAt: now,
        message: 'planned',
        retryCount: 0,
        updatedAt: now,
      };
      const mail = { ...shared, channel: 'EMAIL', status: 'INITIALIZED' };
      const recipient = { displayName: 'Ada Lovelace', reasonCode: null, type: 'CUSTOMER' };
      expect(await listed(appointmentId, 'channel=EMAIL&type=CREATE')).toEqual([
        { ...mail, type: 'CREATE', recipient },
      ]);
      expect(await listed(appointmentId, 'channel=EMAIL&type=REMINDER&sortField=scheduledFor')).toEqual([
        { ...mail, type: 'REMINDER', recipient, offset: 'PT30M', scheduledFor: '2030-01-02T08:30:00Z' },
        { ...mail, type: 'REMINDER', recipient, offset: 'P1D', scheduledFor: '2030-01-01T09:00:00Z' },
      ]);
      expect(await listed(appointmentId, 'channel=WEBHOOKS&type=CREATE')).toEqual([
        {
          ...shared,
          channel: 'WEBHOOKS',
          status: 'INITIALIZED',
          type: 'CREATE',
          recipient: { displayName: 'CRM', reasonCode: null, type: 'SYSTEM' },
        },
      ]);
    });

    it('a retry answers the status as it waits for its attempt, once for a key (D52)', async () => {
      const id = await failedMail(host);
      const retry = () =>
        host.call('PUT', `${base}/${id}/retry`, { as: supervisor, headers: { 'idempotency-key': 'retry-1' } });
      const first = await retry();
      expect(first.body).toMatchObject({ id, status: 'PENDING', canRetry: false, nextRetryAt: now, retryCount: 1 });
      expect(first.headers['idempotency-replayed']).toBeUndefined();
      const again = await retry();
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect(again.body).toEqual(first.body);
      const { appointmentId } = first.body as { readonly appointmentId: string };
      const events = await listed(appointmentId, 'type=CREATE&channel=EMAIL&sortOrder=asc', `${base}/events`);
      expect(events.filter((event) => 'message' in event && String(event.message).includes('retry'))).toHaveLength(1);
      expect(events).toContainEqual(
        expect.objectContaining({ statusId: id, status: 'FAILED', errorMessage: refusal, retryCount: 1 }),
      );
      for (const event of events) expect(Object.values(event)).not.toContain(null);
    });

    it('what may not be retried is refused: 400 by the rules, 403 to another agent (D53, D60)', async () => {
      const id = await failedMail(host);
      const other = await host.call('PUT', `${base}/${id}/retry`, { as: otherAgent });
      expect([other.status, other.body.code]).toEqual([403, 'not_assigned']);
      const { body } = await host.call('PUT', `${base}/${id}/retry`, { as: agent });
      expect((await host.call('PUT', `/api/v2/appointments/${body.appointmentId}/cancel`, { as: agent })).status).toBe(
        204,
      );
      const late = await host.call('PUT', `${base}/${id}/retry`, { as: agent });
      expect([late.status, late.body.code]).toEqual([400, 'retry_not_allowed']);
    });
  });
}
