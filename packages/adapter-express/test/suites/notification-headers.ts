import { countedPlace } from '@calends/core/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, people } from '../support/host.js';
import { notifiedApplications, type NotifiedHost, startNotifiedHost } from '../support/notified-host.js';
import { created, creation, creationV1, customer, oneTimePassword } from '../support/requests.js';

const { agent, supervisor } = people;
const v2 = '/api/v2/appointments';
const text = '{"X-Campaign":"spring","x-tenant":"blue"}';
const applications = {
  ...notifiedApplications,
  'app-listed': {
    ...notifiedApplications['app-untimed'],
    customerNotificationHeaders: ['x-campaign'],
    staffNotificationHeaders: ['x-tenant'],
  },
};

/** Which headers of an appointment reach a receiver (D63), on any store. */
export function notificationHeaderSuite(name: string, open: OpenStore): void {
  describe(`notificationHeaders on ${name} (D63)`, () => {
    let host: NotifiedHost;
    beforeAll(async () => {
      host = await startNotifiedHost(open, applications);
    });
    afterAll(() => host.close());

    let seen = 0;
    /** What calls of web hooks carried since the last look; there is one for each change. */
    const forwarded = async (): Promise<readonly object[]> => {
      for (let pass = 0; pass < 100 && host.webhooks.sent.length === seen; pass += 1) await host.work();
      const calls = host.webhooks.sent.slice(seen).map(({ message }) => message.headers);
      seen = host.webhooks.sent.length;
      return calls;
    };
    const book = async (changes: object, family: 'v1' | 'v2' = 'v2') => {
      const username = `c-${String((booked += 1))}@example.org`;
      const mine = { ...customer, contact: { primaryEmail: username } };
      const json =
        family === 'v2' ? creation({ customers: [mine], ...changes }) : creationV1({ customer: mine, ...changes });
      const path = family === 'v2' ? `${v2}/basic` : '/api/appointments/basic';
      return host.call('POST', path, { headers: oneTimePassword(username), json });
    };
    let booked = 0;

    it.each(['v2', 'v1'] as const)(
      'notificationHeaders of a customer are answered and not forwarded (%s)',
      async (family) => {
        const { status, body } = await book({ applicationId: 'app-untimed', notificationHeaders: text }, family);
        expect([status, body.notificationHeaders]).toEqual([200, text]);
        expect(await forwarded()).toEqual([{}]);
      },
    );

    it('notificationHeaders of a customer are forwarded where the application names them', async () => {
      const { body } = await book({ applicationId: 'app-listed', notificationHeaders: text });
      expect(body.notificationHeaders).toBe(text);
      expect(await forwarded()).toEqual([{ 'X-Campaign': 'spring' }]);
    });

    it('notificationHeaders of staff are forwarded, or those that the application narrows to', async () => {
      await created(host, { applicationId: 'app-untimed', notificationHeaders: text });
      expect(await forwarded()).toEqual([{ 'X-Campaign': 'spring', 'x-tenant': 'blue' }]);
      await created(host, { applicationId: 'app-listed', notificationHeaders: text });
      expect(await forwarded()).toEqual([{ 'x-tenant': 'blue' }]);
    });

    it('notificationHeaders become those of staff who writes them, be it the same ones', async () => {
      const { body } = await book({ applicationId: 'app-untimed', notificationHeaders: text });
      const { id } = body;
      expect(await forwarded()).toEqual([{}]);
      const update = (changes: object) => host.call('PUT', `${v2}/`, { as: supervisor, json: { id, ...changes } });
      await update({ title: 'Another' });
      expect(await forwarded()).toEqual([{}]);
      const reply = await update({ notificationHeaders: JSON.parse(text) as object });
      expect([reply.status, reply.body.notificationHeaders]).toEqual([200, text]);
      expect(await forwarded()).toEqual([{ 'X-Campaign': 'spring', 'x-tenant': 'blue' }]);
      const again = await update({ notificationHeaders: JSON.parse(text) as object });
      expect(again.headers['etag']).toBe(reply.headers['etag']);
    });

    it.each([
      ...['x-api-key', 'X-Remote-User', 'x-original-url', 'cf-connecting-ip', 'accept-encoding', 'Host'],
      ...['webhook_id', 'Webhook_Timestamp', 'content_type', 'transfer_encoding'],
    ])('notificationHeaders named %s are 400 where they are new, no matter who writes them', async (header) => {
      const notificationHeaders = JSON.stringify({ [header]: 'x' });
      const issue = { pointer: '/notificationHeaders', code: 'invalid_reserved' };
      const refusals = [
        await book({ applicationId: 'app-untimed', notificationHeaders }),
        await book({ applicationId: 'app-untimed', notificationHeaders }, 'v1'),
        await host.call('POST', `${v2}/`, { as: agent, json: creation({ notificationHeaders }) }),
      ];
      const { id } = await created(host, { applicationId: 'app-untimed' });
      const json = { id, notificationHeaders: { [header]: 'x' } };
      refusals.push(await host.call('PUT', `${v2}/`, { as: agent, json }));
      for (const { status, body } of refusals) {
        expect([status, body.errors]).toMatchObject([400, [issue]]);
        expect(JSON.stringify(body)).not.toContain(header);
      }
      await forwarded();
    });

    it.each([
      ['twice, once with "_" for "-"', '{"x-a":"1","X_A":"2"}'],
      ['constructor', '{"constructor":"x"}'],
      ['prototype', '{"prototype":"x"}'],
      ['__proto__', '{"__proto__":"x"}'],
    ])('notificationHeaders must not have a name %s (D8)', async (_what, notificationHeaders) => {
      const { status, body } = await host.call('POST', `${v2}/`, {
        as: agent,
        json: creation({ notificationHeaders }),
      });
      const issue = { pointer: '/notificationHeaders', code: 'invalid_name' };
      expect([status, body.errors]).toMatchObject([400, [issue]]);
    });

    it('notificationHeaders that were kept from before the rule are answered, may be sent again, and are not forwarded', async () => {
      const { id } = await created(host, { applicationId: 'app-untimed' });
      await forwarded();
      const found = await host.store.store.appointments.find('org-1', id);
      if (found === undefined) throw new Error('The appointment is gone.');
      const notificationHeaders = { 'x-api-key': 'old', 'x-tenant': 'blue' };
      const next = { ...found, version: found.version + 1, notificationHeaders };
      await host.store.store.commit({
        organizationId: 'org-1',
        appointment: {
          kind: 'update',
          next,
          expectedVersion: found.version,
          before: countedPlace(found),
          wakeAt: null,
        },
        events: [],
      });
      const update = (headers: object) =>
        host.call('PUT', `${v2}/`, { as: agent, json: { id, notificationHeaders: headers } });
      const kept = await update({ ...notificationHeaders, 'x-campaign': 'spring' });
      expect([kept.status, JSON.parse(String(kept.body.notificationHeaders))]).toEqual([
        200,
        { ...notificationHeaders, 'x-campaign': 'spring' },
      ]);
      expect(await forwarded()).toEqual([{ 'x-tenant': 'blue', 'x-campaign': 'spring' }]);
      expect((await update({ ...notificationHeaders, 'x-user': 'new' })).status).toBe(400);
    });
  });
}
