import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, people } from '../support/host.js';
import { failedMailOf, type NotifiedHost, outcomes, startNotifiedHost } from '../support/notified-host.js';
import { quickestOf } from '../support/quickest.js';
import { created, customer } from '../support/requests.js';

const base = '/api/notifications';
const { admin, supervisor } = people;
const lists = [`${base}/`, `${base}/events`];
const long = 'x'.repeat(5000);

/** Values that no parameter of the lists takes; each is a 400 wherever it stands. */
const values: readonly string[] = [
  ...['%00', 'a%00b', '%07', '%1b[31m', '%ed%a0%80', '%ff', '%zz', '%', long],
  ...["'%20OR%201=1--", '"', '%3Cscript%3E', '%24%7B7*7%7D', '%7B%7B7*7%7D', '..%2f..%2fetc', '%D9%A3', '%F0%9F%98%80'],
];
const strict = ['pageSize', 'pageNumber', 'sortOrder', 'sortField', 'type', 'channel', 'status', 'from', 'to'];
const parameters = strict.flatMap((parameter) => values.map((value) => ({ parameter, value })));

/** Queries that are unusual and harmless. */
const harmless: readonly string[] = [
  ...['__proto__[polluted]=1', 'constructor.prototype.polluted=1', 'unknown=1', '&&&', 'type=&channel=&status='],
  ...['organizationId=org-2', 'scope=all', 'roles=ROLE_ADMIN', 'appointmentId=x', ...[`unknown=${long}`]],
];

/** Hostile input on the operations of the notification document: a clear 4xx, and nothing personal in any answer. */
export function notificationHostileSuite(name: string, open: OpenStore): void {
  describe(`hostile input to notifications on ${name}`, () => {
    let host: NotifiedHost;
    beforeAll(async () => {
      host = await startNotifiedHost(open);
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      await host.close();
    });

    describe.each(lists)('%s', (path) => {
      it.each(parameters)('the query $parameter=$value is 400 and is not echoed', async ({ parameter, value }) => {
        const query = `applicationId=app-n&${parameter}=${value}`;
        const { status, text, body } = await host.call('GET', `${path}?${query}`, { as: supervisor });
        expect([status, body.code], text).toEqual([400, 'validation_failed']);
        if (value.length > 3) expect(text).not.toContain(decoded(value));
      });

      it.each(['%00', 'a%07', '%ed%a0%80', long, '%zz'])('applicationId=%s is 400', async (value) => {
        const { status } = await host.call('GET', `${path}?applicationId=${value}`, { as: supervisor });
        expect(status).toBe(400);
      });

      it.each(["'%20OR%201=1--", '%25', '_', '*', 'app-_', '%F0%9F%98%80', 'APP-N', 'app-n%20'])(
        'applicationId=%s is a text like any other: empty, 200',
        async (value) => {
          const { status, body } = await host.call('GET', `${path}?applicationId=${value}`, { as: supervisor });
          expect([status, body.total]).toEqual([200, 0]);
        },
      );

      it.each(harmless)('%s changes nothing', async (query) => {
        const plain = await host.call('GET', `${path}?applicationId=app-n`, { as: supervisor });
        const { status, body } = await host.call('GET', `${path}?applicationId=app-n&${query}`, { as: supervisor });
        expect([status, body]).toEqual([200, plain.body]);
      });

      it('one value too many is 400, quickly', async () => {
        for (const query of [`type=${'CREATE,'.repeat(2000)}`, Array(1000).fill('channel=SMS').join('&')]) {
          const took = await quickestOf(3, async () => {
            const { status } = await host.call('GET', `${path}?applicationId=app-n&${query}`, { as: supervisor });
            expect(status).toBe(400);
          });
          expect(took).toBeLessThan(1000);
        }
      });
    });

    it.each(['%00', '%ed%a0%80', 'x'.repeat(600), '%zz'])('the polling settings of %s are 404', async (id) => {
      const { status } = await host.call('GET', `${base}/applications/${id}/poll`, { as: admin });
      expect(status).toBe(404);
    });

    it('a body on a retry is not looked at, broken or not', async () => {
      for (const raw of ['{', '[]', '{"status":"DELIVERED","id":"x","__proto__":{"polluted":1}}']) {
        const { id } = await failedMailOf(host);
        const { status, body } = await host.call('PUT', `${base}/${id}/retry`, { as: supervisor, raw });
        expect([status, body.id, body.status]).toEqual([200, id, 'PENDING']);
      }
    });

    it.each(['', 'x'.repeat(256), 'a b', 'käse'])('%j is no Idempotency-Key for a retry: 400', async (key) => {
      const { id } = await failedMailOf(host);
      const headers = { 'idempotency-key': key };
      const { status, body } = await host.call('PUT', `${base}/${id}/retry`, { as: supervisor, headers });
      expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'Idempotency-Key']);
    });

    it('other methods are 404 or 405, never a fault', async () => {
      const { id } = await failedMailOf(host);
      const paths = [`${base}/`, `${base}/events`, `${base}/webhooks/types`, `${base}/${id}/retry`, `${base}/${id}`];
      for (const path of paths) {
        for (const method of ['POST', 'DELETE', 'PATCH']) {
          const { status } = await host.call(method, path, { as: supervisor });
          expect([404, 405]).toContain(status);
        }
      }
    });

    it('no address, phone or user name is in any answer; the name is in recipient.displayName only', async () => {
      const personal = {
        name: { firstName: 'Zenobia', lastName: 'Quux' },
        username: 'zenobia-user',
        contact: { primaryEmail: 'zenobia@private.example', primaryPhone: '+30 694 111 2222' },
      };
      host.email.result = { ...outcomes.failing, error: 'SMTP: 451' };
      host.sms.result = outcomes.refused;
      host.webhooks.result = () => Promise.reject(new Error('could not reach zenobia@private.example +306941112222'));
      const customers = [{ ...customer, ...personal }];
      const one = await created(host, { applicationId: 'app-n', customers, notes: 'private notes' });
      await host.work();
      const [failed] = await host.statuses(one.id, 'channel=SMS&type=CREATE');
      const two = await created(host, { applicationId: 'app-n', customers });
      await host.call('DELETE', `/api/appointments/${two.id}`, { as: supervisor });
      const page = 'applicationId=app-n&pageSize=100';
      const answers = [
        await host.call('GET', `${base}/?${page}`, { as: supervisor }),
        await host.call('GET', `${base}/events?${page}`, { as: supervisor }),
        await host.call('PUT', `${base}/${String(failed?.id)}/retry`, { as: supervisor }),
        await host.call('GET', `${base}/applications/app-n/poll`, { as: admin }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(answers[0]?.text).toContain('"displayName":"Zenobia Quux"');
      for (const { text } of answers) {
        const rest = text.replaceAll('"displayName":"Zenobia Quux"', '');
        expect(rest).not.toMatch(/zenobia|quux|private|694 ?111|@|whsec_|crm\.example/i);
      }
    });
  });
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
