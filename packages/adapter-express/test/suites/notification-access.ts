import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, people, type Person } from '../support/host.js';
import { failedMailOf, type NotifiedHost, type Row, startNotifiedHost } from '../support/notified-host.js';
import { created, unknownId } from '../support/requests.js';

const base = '/api/notifications';
const { agent, otherAgent, supervisor, service, customer, admin } = people;

const callers = { A: agent, S: supervisor, C: service, K: customer, M: admin } as const;

/** Who may do what, by hand from the document's table: A agent, S supervisor, C client service, K customer, M admin. */
const policy: readonly (readonly [string, string, string])[] = [
  ['GET', `${base}/?applicationId=app-shared`, 'AS'],
  ['GET', `${base}/events?applicationId=app-shared`, 'AS'],
  ['PUT', `${base}/{failed}/retry`, 'AS'],
  ['GET', `${base}/applications/app-n/poll`, 'M'],
  ['GET', `${base}/webhooks/types`, 'M'],
];

/** Every operation once, for callers who may not use the application. */
const ofApplication = policy.slice(0, 4);

/** Who sees and retries which notifications (notification spec: Authentication; D39, D60), on any store. */
export function notificationAccessSuite(name: string, open: OpenStore): void {
  describe(`access to notifications on ${name}`, () => {
    let host: NotifiedHost;
    beforeAll(async () => {
      host = await startNotifiedHost(open);
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    const failed = (changes: object = {}, as = agent) => failedMailOf(host, changes, as);
    const retry = (id: string, as: Person) => host.call('PUT', `${base}/${id}/retry`, { as });
    const appointmentsSeen = async (path: string, applicationId: string, as: Person) =>
      new Set((await host.all(path, `applicationId=${applicationId}`, as)).map((row: Row) => row.appointmentId));

    const cells = policy.flatMap(([method, path, allowed]) =>
      Object.entries(callers).map(([letter, as]) => ({ method, path, letter, as, allowed: allowed.includes(letter) })),
    );
    it.each(cells)('$method $path as $letter: $allowed', async ({ method, path, as, allowed }) => {
      const { id } = await failed({ applicationId: 'app-shared' });
      const { status, body } = await host.call(method, path.replace('{failed}', id), { as });
      expect([status, body.code]).toEqual(allowed ? [200, undefined] : [403, 'forbidden']);
    });

    it.each(policy)('%s %s without a token, with a broken and with an expired one: 401', async (method, path) => {
      for (const as of [undefined, 'nonsense', { ...supervisor, exp: 1_000_000 }]) {
        const { status, body, headers } = await host.call(method, path, as === undefined ? {} : { as });
        expect([status, body.code]).toEqual([401, 'unauthenticated']);
        expect(headers['www-authenticate']).toMatch(/^Bearer/);
      }
    });

    it.each(ofApplication)('%s %s with a token for another application: 403', async (method, path) => {
      const { id } = await failed({ applicationId: 'app-shared' });
      const as = {
        ...supervisor,
        roles: ['ROLE_SUPERVISOR', 'ROLE_ADMIN'],
        applicationIds: ['app-1', 'APP-N', 'app-'],
      } as const;
      const { status, body } = await host.call(method, path.replace('{failed}', id), { as });
      expect([status, body.code]).toEqual([403, 'forbidden']);
    });

    it('a token for the application sees it, and no other', async () => {
      const as = { ...supervisor, applicationIds: ['app-n'] };
      expect((await host.call('GET', `${base}/?applicationId=app-n`, { as })).status).toBe(200);
      expect((await host.call('GET', `${base}/?applicationId=app-shared`, { as })).status).toBe(403);
    });

    it('of another organization the lists are empty and a retry is 404, whatever the roles', async () => {
      const { id } = await failed();
      for (const organizationId of ['org-2', 'ORG-1', 'org-1 ']) {
        const as = { ...supervisor, roles: ['ROLE_SUPERVISOR', 'ROLE_AGENT'], organizationId } as const;
        for (const path of [`${base}/`, `${base}/events`]) {
          const { status, body } = await host.call('GET', `${path}?applicationId=app-n`, { as });
          expect([status, body.content, body.total]).toEqual([200, [], 0]);
        }
        const { status, body } = await retry(id, as);
        expect([status, body.code]).toEqual([404, 'not_found']);
      }
    });

    describe('where agents see only their own appointments (the default)', () => {
      it('an agent sees and retries what they organize, others get an empty list and 403 not_assigned', async () => {
        const { id, appointmentId } = await failed();
        for (const path of [`${base}/`, `${base}/events`]) {
          expect(await appointmentsSeen(path, 'app-n', agent)).toContain(appointmentId);
          expect(await appointmentsSeen(path, 'app-n', supervisor)).toContain(appointmentId);
          expect(await appointmentsSeen(path, 'app-n', otherAgent)).not.toContain(appointmentId);
        }
        const refused = await retry(id, otherAgent);
        expect([refused.status, refused.body.code]).toEqual([403, 'not_assigned']);
        expect((await retry(id, agent)).status).toBe(200);
      });

      it('an assigned agent sees and retries, as the organizer does', async () => {
        const targetAssignment = { id: 'agent-2', type: 'AGENT' };
        const { id, appointmentId } = await failed({ targetAssignment });
        for (const as of [agent, otherAgent]) {
          expect(await appointmentsSeen(`${base}/`, 'app-n', as)).toContain(appointmentId);
          expect(await appointmentsSeen(`${base}/events`, 'app-n', as)).toContain(appointmentId);
        }
        expect((await retry(id, otherAgent)).status).toBe(200);
      });

      it('what is reassigned changes hands, the rows from before included', async () => {
        const { id, appointmentId } = await failed();
        const json = { id: appointmentId, userId: 'agent-2' };
        expect((await host.call('PUT', '/api/v2/appointments/reassign/', { as: supervisor, json })).status).toBe(200);
        expect(await appointmentsSeen(`${base}/`, 'app-n', agent)).not.toContain(appointmentId);
        expect(await appointmentsSeen(`${base}/events`, 'app-n', otherAgent)).toContain(appointmentId);
        expect((await retry(id, agent)).status).toBe(403);
        expect((await retry(id, otherAgent)).status).toBe(200);
      });

      it('the total of an agent counts only what they see', async () => {
        const own = await host.all(`${base}/`, 'applicationId=app-n', otherAgent);
        const { body } = await host.call('GET', `${base}/?applicationId=app-n&pageSize=1`, { as: otherAgent });
        expect(body.total).toBe(own.length);
      });

      it('a supervisor who is an agent too sees everything (D34)', async () => {
        const { appointmentId } = await failed();
        const as = { ...otherAgent, roles: ['ROLE_AGENT', 'ROLE_SUPERVISOR'] } as const;
        expect(await appointmentsSeen(`${base}/`, 'app-n', as)).toContain(appointmentId);
      });
    });

    it('where agents see everything, any agent of the organization lists and retries', async () => {
      const { id, appointmentId } = await failed({ applicationId: 'app-shared' });
      for (const path of [`${base}/`, `${base}/events`]) {
        expect(await appointmentsSeen(path, 'app-shared', otherAgent)).toContain(appointmentId);
      }
      expect((await retry(id, otherAgent)).status).toBe(200);
    });

    it.each(['app-n', 'app-shared'])(
      'rows of removed appointments are for supervisors only: %s (D60)',
      async (applicationId) => {
        const { id, appointmentId } = await failed({ applicationId });
        await host.call('DELETE', `/api/appointments/${appointmentId}`, { as: supervisor });
        for (const path of [`${base}/`, `${base}/events`]) {
          expect(await appointmentsSeen(path, applicationId, supervisor)).toContain(appointmentId);
          expect(await appointmentsSeen(path, applicationId, agent)).not.toContain(appointmentId);
        }
        const byAgent = await retry(id, agent);
        expect([byAgent.status, byAgent.body.code]).toEqual([403, 'not_assigned']);
        const bySupervisor = await retry(id, supervisor);
        expect([bySupervisor.status, bySupervisor.body.code]).toEqual([400, 'retry_not_allowed']);
      },
    );

    it('the order of checks is 401, 403 by role, 400, 404, 403 by record, state (D39)', async () => {
      const { id, appointmentId } = await failed();
      await host.call('PUT', `/api/v2/appointments/${appointmentId}/cancel`, { as: agent });
      const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
      const codes = [
        await host.call('PUT', `${base}/${unknownId}/retry`, keyed('a b')),
        await host.call('PUT', `${base}/${unknownId}/retry`, { as: admin, ...keyed('a b') }),
        await host.call('PUT', `${base}/${unknownId}/retry`, { as: otherAgent, ...keyed('a b') }),
        await host.call('PUT', `${base}/${unknownId}/retry`, { as: otherAgent }),
        await host.call('PUT', `${base}/${id}/retry`, { as: otherAgent }),
        await host.call('PUT', `${base}/${id}/retry`, { as: agent }),
        await host.call('GET', `${base}/?type=x`, { as: admin }),
        await host.call('GET', `${base}/?applicationId=app-n&type=x`, { as: { ...agent, applicationIds: [] } }),
      ].map(({ body }) => body.code);
      expect(codes).toEqual([
        ...['unauthenticated', 'forbidden', 'validation_failed', 'not_found', 'not_assigned', 'retry_not_allowed'],
        ...['forbidden', 'validation_failed'],
      ]);
    });

    it('a customer’s message is not listed with what was created elsewhere', async () => {
      const { id } = await created(host, { applicationId: 'app-untimed' });
      expect(await appointmentsSeen(`${base}/`, 'app-n', supervisor)).not.toContain(id);
      expect(await appointmentsSeen(`${base}/`, 'app-untimed', supervisor)).toContain(id);
    });
  });
}
