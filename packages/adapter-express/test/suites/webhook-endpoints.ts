import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../support/client.js';
import { type OpenStore, people } from '../support/host.js';
import { type NotifiedHost, startNotifiedHost } from '../support/notified-host.js';
import { created } from '../support/requests.js';

const base = '/api/notifications/webhooks/endpoints';
const { admin, supervisor } = people;
const foreignAdmin = { ...admin, organizationId: 'org-2' };
const query = '?applicationId=app-untimed';
const refused = { status: 'failed', permanent: true, error: 'The endpoint answered 500.' } as const;

/** Every operation on endpoints, as it may be asked about one. */
const operations: readonly (readonly [method: string, verb: string, more: string])[] = [
  ['GET', '', ''],
  ['PUT', '/enable', ''],
  ['PUT', '/disable', ''],
  ['POST', '/test', ''],
  ['POST', '/replay', '&since=2030-01-01T00:00:00Z'],
];

/** The endpoints of web hooks over HTTP (D78), on any store. */
export function webhookEndpointSuite(name: string, open: OpenStore): void {
  describe(`web hook endpoints on ${name}`, () => {
    let host: NotifiedHost;
    beforeAll(async () => {
      host = await startNotifiedHost(open);
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    const call = (method: string, verb: string, more = '', headers = {}): Promise<Reply> =>
      host.call(method, `${base}/crm${verb}${query}${more}`, { as: admin, headers });

    /** On MariaDB a claim may pass over what the claim of another channel looks at: it comes with a later look. */
    const workOff = async (): Promise<void> => {
      do await host.work();
      while (
        (await host.all('/api/notifications/', 'applicationId=app-untimed&status=INITIALIZED,PENDING')).length > 0
      );
    };

    it('web hook endpoints are listed, disabled, shown, tested, enabled, and get what failed meanwhile again', async () => {
      const since = new Date(host.clock.time).toISOString();
      const known = { id: 'crm', label: 'CRM', enabled: true };
      const { body } = await host.call('GET', `${base}${query}`, { as: admin });
      expect(body.endpoints).toMatchObject([known]);

      expect((await call('PUT', '/disable')).body).toMatchObject({ ...known, enabled: false });
      const { id } = await created(host, { applicationId: 'app-untimed' });
      await workOff();
      const shown = await call('GET', '');
      expect(shown.body).toMatchObject({
        enabled: false,
        disabledAt: since.replace('.000Z', 'Z'),
        disabledReason: 'disabled by admin-1',
        lastFailures: [{ type: 'CREATE', status: 'FAILED', errorMessage: 'the endpoint is disabled' }],
      });
      expect(shown.text).not.toMatch(/crm\.example|whsec/);
      const early = await call('POST', '/replay', `&since=${since}`);
      expect([early.status, early.body.code]).toEqual([400, 'retry_not_allowed']);

      host.webhooks.result = { ...refused, providerStatus: '500' };
      const failed = await call('POST', '/test');
      expect(failed.body).toMatchObject({ outcome: 'FAILED', providerStatus: '500', errorMessage: refused.error });
      host.webhooks.result = { status: 'delivered', providerStatus: '204' };
      expect((await call('POST', '/test')).body).toMatchObject({ outcome: 'DELIVERED', providerStatus: '204' });

      expect((await call('PUT', '/enable')).body).toEqual({ ...body.endpoints[0] });
      const keyed = { 'idempotency-key': 'replay-1' };
      const replayed = await call('POST', '/replay', `&since=${since}`, keyed);
      expect(replayed.body).toEqual({ retried: 1, skipped: 0 });
      await workOff();
      const again = await call('POST', '/replay', `&since=${since}`, keyed);
      expect([again.body, again.headers['idempotency-replayed']]).toEqual([replayed.body, 'true']);
      expect(await host.statuses(id, 'channel=WEBHOOKS')).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
      const { items } = await host.scheduling.audit.list(
        { id: 's', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] },
        { pageSize: 100 },
      );
      const done = items.map(({ operation }) => operation).filter((operation) => operation.endsWith('Endpoint'));
      expect([...done].sort()).toEqual([
        ...['disableEndpoint', 'enableEndpoint', 'replayEndpoint', 'testEndpoint', 'testEndpoint'],
      ]);
    });

    it('web hook endpoints page a replay: each request looks at a hundred failures, ties included', async () => {
      const since = new Date((host.clock.time += 1000)).toISOString();
      host.webhooks.result = refused;
      for (let made = 0; made < 105; made += 1) await created(host, { applicationId: 'app-untimed' });
      await workOff();
      host.webhooks.result = { status: 'delivered' };
      const first = await call('POST', '/replay', `&since=${since}`);
      expect(first.body).toMatchObject({ retried: 100, skipped: 0 });
      const rest = await call('POST', '/replay', `&since=${since}&after=${String(first.body.next)}`);
      expect(rest.body).toEqual({ retried: 5, skipped: 0 });
    });

    it.each(operations)('%s …/{id}%s tells the curious nothing', async (method, verb, more) => {
      const bare = ({ status, body }: Reply) => [status, body.code, body.detail];
      const at = (id: string, applicationId: string) => `${base}/${id}${verb}?applicationId=${applicationId}${more}`;
      const unknown = bare(await host.call(method, at('nothing', 'nowhere'), { as: admin }));
      expect(unknown.slice(0, 2)).toEqual([404, 'not_found']);
      for (const id of ['crm', 'nothing', '%00', 'x'.repeat(65)]) {
        const theirs = await host.call(method, at(id, 'app-theirs'), { as: admin });
        const ours = await host.call(method, at(id, 'app-untimed'), { as: foreignAdmin });
        for (const { status, body } of [theirs, ours]) expect([status, body.code]).toEqual([404, 'not_found']);
        expect([bare(theirs), bare(ours)]).toEqual([unknown, unknown]);
      }
      const elsewhere = { ...admin, applicationIds: ['app-n'] };
      for (const applicationId of ['app-untimed', 'app-theirs', 'nowhere']) {
        const { status, body } = await host.call(method, at('crm', applicationId), { as: elsewhere });
        expect([status, body.code]).toEqual([403, 'forbidden']);
      }
      const byRole = await host.call(method, at('crm', 'app-untimed'), { as: supervisor });
      expect([byRole.status, byRole.body.code]).toEqual([403, 'forbidden']);
    });

    it.each([
      ['', 'applicationId'],
      [`?applicationId=${'x'.repeat(65)}&since=2030-01-01T00:00:00Z`, 'applicationId'],
      ['?applicationId=app-untimed', 'since'],
      ['?applicationId=app-untimed&since=soon', 'since'],
      ['?applicationId=app-untimed&since=2030-01-01T00:00:00Z&after=x', 'after'],
      [`?applicationId=app-untimed&since=2030-01-01T00:00:00Z&after=${'1'.repeat(201)}`, 'after'],
    ])('web hook endpoints refuse a query that breaks a rule: %s', async (asked, parameter) => {
      const { status, body } = await host.call('POST', `${base}/crm/replay${asked}`, { as: admin });
      expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
    });
  });
}
