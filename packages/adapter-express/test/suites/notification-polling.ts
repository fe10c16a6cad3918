import { notificationTypes } from '@calends/core/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, people, type Person } from '../support/host.js';
import { type NotifiedHost, startNotifiedHost } from '../support/notified-host.js';

const { admin } = people;

/** The system defaults, by hand from D58. */
const defaults = {
  enabled: 'true',
  initialDelay: 'PT15S',
  interval: 'PT1M',
  backoffFactor: '2',
  maxInterval: 'PT15M',
  maxAttempts: '10',
  timeout: 'PT24H',
};

const marked = (values: Readonly<Record<string, string>>, source: string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { source, value }]));

/** Polling settings and types of web hooks (notification spec: Other shapes; D58), on any store. */
export function notificationPollingSuite(name: string, open: OpenStore): void {
  describe(`polling settings and web hook types on ${name}`, () => {
    let host: NotifiedHost;
    beforeAll(async () => {
      host = await startNotifiedHost(open);
    });
    afterAll(() => host.close());

    const polling = async (applicationId: string, as: Person = admin) => {
      const { status, body } = await host.call('GET', `/api/notifications/applications/${applicationId}/poll`, { as });
      expect(status).toBe(200);
      return body;
    };

    it.each(['app-n', 'nowhere', 'APP-POLLED', 'constructor', '__proto__'])(
      '%s overrides nothing: each property is the system default, and its source says so',
      async (applicationId) => {
        expect(await polling(applicationId)).toEqual({ properties: marked(defaults, 'SYSTEM_DEFAULT') });
      },
    );

    it('what an application overrides has the source APPLICATION, those of its channels too', async () => {
      expect(await polling('app-polled')).toEqual({
        properties: {
          ...marked(defaults, 'SYSTEM_DEFAULT'),
          ...marked({ interval: 'PT2M', 'sms.interval': 'PT30S', 'webhooks.enabled': 'false' }, 'APPLICATION'),
        },
      });
    });

    it('an application of another organization is as unknown as one that nobody has', async () => {
      expect(await polling('app-theirs')).toEqual({ properties: marked(defaults, 'SYSTEM_DEFAULT') });
      const theirs = await polling('app-theirs', { ...admin, organizationId: 'org-2' });
      expect(theirs.properties.maxAttempts).toEqual({ source: 'APPLICATION', value: '3' });
    });

    it('the web hook types are the 16 that the lists filter by', async () => {
      const { status, body } = await host.call('GET', '/api/notifications/webhooks/types', { as: admin });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['types']);
      expect(body.types.toSorted()).toEqual(
        [
          ...['CREATE', 'UPDATE', 'RESCHEDULE', 'REASSIGN', 'ROOM', 'REMINDER', 'CANCELLED', 'FOLLOW_UP'],
          ...['IN_PROGRESS', 'COMPLETED', 'FAILED', 'NO_SHOW', 'PARTICIPANT_ADDED', 'PARTICIPANT_REMOVED'],
          ...['PARTICIPANT_UPDATED', 'INTERACTION_UPDATED'],
        ].sort(),
      );
      expect(notificationTypes).toHaveLength(16);
    });
  });
}
