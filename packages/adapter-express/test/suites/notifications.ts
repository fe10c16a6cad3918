import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, type OpenStore, people, startHost } from '../support/host.js';
import { unknownId } from '../support/requests.js';

const base = '/api/notifications';
const { admin, agent, supervisor } = people;

/** The sentences of the notification document over an empty store of notifications. */
export function notificationSuite(name: string, open: OpenStore): void {
  describe(`notifications on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startHost({ open });
    });
    afterAll(() => host.close());

    it.each([
      ['', 'createdAt', 'timestamp'],
      ['&sortField=status&sortOrder=asc', 'status', 'status'],
    ])('both lists answer 200 with an empty page and echo what was used (D30, D31): %s', async (query, one, other) => {
      const page = { content: [], pageCount: 0, pageNumber: 1, pageSize: 20, total: 0 };
      const sortOrder = query === '' ? 'desc' : 'asc';
      const statuses = await host.call('GET', `${base}/?applicationId=app-1${query}`, { as: agent });
      expect(statuses.body).toEqual({ ...page, sortField: one, sortOrder });
      const events = await host.call('GET', `${base}/events?applicationId=app-1${query}`, { as: supervisor });
      expect(events.body).toEqual({ ...page, sortField: other, sortOrder });
    });

    it('filters are repeated or comma-separated, in any letter case (D33)', async () => {
      const query =
        'applicationId=app-1&type=create,Follow_Up&type=ROOM&channel=email&channel=SMS,webhooks&status=pending';
      expect((await host.call('GET', `${base}/?${query}`, { as: agent })).status).toBe(200);
    });

    it.each([
      ['', 'applicationId'],
      ['applicationId=app-1&type=BIRTHDAY', 'type'],
      ['applicationId=app-1&channel=FAX', 'channel'],
      ['applicationId=app-1&status=LOST', 'status'],
      ['applicationId=app-1&from=yesterday', 'from'],
      ['applicationId=app-1&from=2030-01-02T00:00:00Z&to=2030-01-02T00:00:00Z', 'to'],
      ['applicationId=app-1&pageSize=0', 'pageSize'],
      ['applicationId=app-1&sortField=recipient', 'sortField'],
    ])('a query that breaks a rule is 400: %s', async (query, parameter) => {
      for (const path of [`${base}/`, `${base}/events`]) {
        const { status, body } = await host.call('GET', `${path}?${query}`, { as: agent });
        expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
      }
    });

    it('polling settings of an unknown application are the system defaults (D58)', async () => {
      const { body } = await host.call('GET', `${base}/applications/nowhere/poll`, { as: admin });
      expect(body.properties.enabled).toEqual({ source: 'SYSTEM_DEFAULT', value: 'true' });
      expect(body.properties.interval).toEqual({ source: 'SYSTEM_DEFAULT', value: 'PT1M' });
    });

    it('an application id that cannot be one is 404', async () => {
      for (const id of ['%00', 'x'.repeat(500), '%zz']) {
        expect((await host.call('GET', `${base}/applications/${id}/poll`, { as: admin })).status).toBe(404);
      }
    });

    it('the service lists the 16 webhook notification types', async () => {
      const { body } = await host.call('GET', `${base}/webhooks/types`, { as: admin });
      expect(body.types).toHaveLength(16);
      expect(body.types).toContain('INTERACTION_UPDATED');
    });

    it('retry of an unknown notification is 404', async () => {
      for (const id of [unknownId, 'x', '%00']) {
        const { status, body } = await host.call('PUT', `${base}/${id}/retry`, { as: agent });
        expect([status, body.code]).toEqual([404, 'not_found']);
      }
    });
  });
}
