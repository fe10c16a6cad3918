import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../support/client.js';
import { type Host, type OpenStore, people, type Person, startHost } from '../support/host.js';
import { created, creation, creationV1, oneTimePassword, unknownId } from '../support/requests.js';

const later = { start: '2031-04-01T09:00:00Z', duration: 'PT30M', timezone: 'UTC' };
const base = '/api/v2/appointments';
const { agent, otherAgent, supervisor } = people;

/** Idempotency-Key, ETag and If-Match (decisions, Across all), on any store. */
export function conditionsSuite(name: string, open: OpenStore): void {
  describe(`conditional and repeated requests on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startHost({ open });
    });
    afterAll(() => host.close());

    describe('Idempotency-Key', () => {
      const post = (key: string, json: object, as = agent) =>
        host.call('POST', `${base}/`, { as, json, headers: { 'idempotency-key': key } });

      it('a replay gives the stored answer with Idempotency-Replayed: true', async () => {
        const first = await post('key-1', creation());
        const again = await post('key-1', creation());
        expect(again.body).toEqual(first.body);
        expect(again.headers['etag']).toBe(first.headers['etag']);
        expect([first, again].map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true']);
        expect(host.events.filter(({ appointmentId }) => appointmentId === first.body.id)).toHaveLength(1);
      });

      it('another body is 422; another caller and another route have keys of their own', async () => {
        await post('key-2', creation());
        const other = await post('key-2', creation({ title: 'other' }));
        expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
        expect((await post('key-2', creation({ title: 'other' }), otherAgent)).status).toBe(200);
        const v1 = await host.call('POST', '/api/appointments/', {
          as: agent,
          json: creationV1(),
          headers: { 'idempotency-key': 'key-2' },
        });
        expect(v1.status).toBe(200);
      });

      it.each<[string, string, (id: string) => string, (id: string) => object | undefined]>([
        ['update', 'PUT', () => '/', (id) => ({ id, title: 'Again' })],
        ['reschedule', 'PUT', () => '/reschedule/', (id) => ({ id, ...later })],
        ['delete', 'DELETE', (id) => `/${id}`, () => undefined],
        ['cancel', 'PUT', (id) => `/${id}/cancel`, () => undefined],
      ])('a replay of %s is not refused by its own version, in v1 and v2 (D74)', async (what, method, path, bodyOf) => {
        for (const family of what === 'cancel' ? [base] : [base, '/api/appointments']) {
          const { id } = await created(host);
          const headers = { 'idempotency-key': `again-${what}`, 'if-match': '"1"' };
          const json = bodyOf(id as string);
          const send = () =>
            host.call(method, `${family}${path(id as string)}`, {
              as: agent,
              headers,
              ...(json === undefined ? {} : { json }),
            });
          const [first, again] = [await send(), await send()];
          expect([first.status, first.headers['idempotency-replayed']]).toEqual([
            json === undefined ? 204 : 200,
            undefined,
          ]);
          expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([
            first.status,
            first.body,
            'true',
          ]);
        }
      });

      it('of 20 parallel requests one takes effect; the others are replays or 409 idempotency_in_progress', async () => {
        const replies = await Promise.all(Array.from({ length: 20 }, () => post('key-3', creation())));
        const fresh = replies.filter(({ status, headers }) => status === 200 && !headers['idempotency-replayed']);
        expect(fresh).toHaveLength(1);
        for (const { status, body } of replies) {
          if (status === 200) expect(body.id).toBe(fresh[0]?.body.id);
          else expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
        }
      });

      it('a refused request gives the key back', async () => {
        expect((await post('key-4', creation({ duration: 'PT25H' }))).status).toBe(400);
        expect((await post('key-4', creation())).status).toBe(200);
      });

      it('Idempotency-Key holds for customer-create, where the one-time password is used up by then', async () => {
        const send = () =>
          host.call('POST', `${base}/basic`, {
            headers: { ...oneTimePassword('idem-user'), 'idempotency-key': 'key-5' },
            json: creation({ customers: [{ username: 'idem-user' }] }),
          });
        const [first, again] = [await send(), await send()];
        expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([200, first.body, 'true']);
      });

      it('Idempotency-Key holds for activation, v1 and v2', async () => {
        const { id } = await created(host);
        for (const path of [`${base}/activate/${id}`, `/api/appointments/activate/${id}`]) {
          const send = () => host.call('POST', path, { as: agent, headers: { 'idempotency-key': 'key-6' } });
          const [first, again] = [await send(), await send()];
          expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
        }
      });

      it.each(['', 'x'.repeat(256), 'a b', 'käse'])('%j is no Idempotency-Key: 400', async (key) => {
        const { status, body } = await post(key, creation());
        expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'Idempotency-Key' })]]);
      });
    });

    describe('ETag and If-Match', () => {
      const update = (id: string, ifMatch: string) =>
        host.call('PUT', `${base}/`, {
          as: agent,
          json: { id, title: ifMatch.slice(0, 50) },
          headers: { 'if-match': ifMatch },
        });

      it('a version that is not the current one is 412 version_mismatch, and nothing changes', async () => {
        const { id } = await created(host);
        const { status, body } = await update(id, '"7"');
        expect([status, body.code]).toEqual([412, 'version_mismatch']);
        expect((await update(id, '"1"')).headers['etag']).toBe('"2"');
        expect((await update(id, '"1"')).status).toBe(412);
      });

      it.each([
        ['*', 200],
        ['"0", "1"', 200],
        [',"1",', 200],
        ['"0", , "1" ,', 200],
        [',', 400],
        ['W/"1"', 412],
        ['"one"', 412],
        ['1', 400],
        ['"1', 400],
      ])('If-Match: %s is %d', async (ifMatch, status) => {
        const { id } = await created(host);
        expect((await update(id, ifMatch)).status).toBe(status);
      });

      it('ETag and If-Match holds for activate, reschedule, reassign, cancel and delete', async () => {
        const { id, start, duration, timezone } = await created(host);
        const headers = { 'if-match': '"9"' };
        const replies = [
          await host.call('POST', `${base}/activate/${id}`, { as: agent, headers }),
          await host.call('PUT', `${base}/reschedule`, { as: agent, headers, json: { id, start, duration, timezone } }),
          await host.call('PUT', `${base}/reassign`, { as: supervisor, headers, json: { id, userId: 'agent-2' } }),
          await host.call('PUT', `${base}/${id}/cancel`, { as: agent, headers }),
          await host.call('DELETE', `${base}/${id}`, { as: agent, headers }),
          await host.call('DELETE', `/api/appointments/${id}`, { as: agent, headers }),
        ];
        expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 412));
      });

      it.each([
        ['DELETE', 'v2', (id: string) => `${base}/${id}`],
        ['DELETE', 'v1', (id: string) => `/api/appointments/${id}`],
        ['PUT', 'v2', (id: string) => `${base}/${id}/cancel`],
      ])('a malformed one matches nothing on %s of %s, which lists no 400', async (method, _family, pathOf) => {
        const { id } = await created(host);
        const headers = { 'if-match': 'nonsense' };
        const { status, body } = await host.call(method, pathOf(String(id)), { as: agent, headers });
        expect([status, body.code]).toEqual([412, 'version_mismatch']);
        expect((await host.call('GET', `${base}/${String(id)}`, { as: agent })).body.cancelledAt).toBeNull();
      });

      it('of 20 parallel updates with one version, one is applied', async () => {
        const { id } = await created(host);
        const replies = await Promise.all(Array.from({ length: 20 }, () => update(id, '"1"')));
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(replies.filter(({ status }) => status === 412)).toHaveLength(19);
      });
    });

    describe('If-None-Match', () => {
      const families = [base, '/api/appointments'] as const;
      const get = (path: string, tag: string, as?: Person, method = 'GET') =>
        host.call(method, path, { ...(as && { as }), headers: { 'if-none-match': tag } });

      it.each([
        ['"1"', 304],
        ['W/"1"', 304],
        ['"7", "1"', 304],
        ['*', 304],
        ['"2"', 200],
        ['1', 200],
        ['"1', 200],
      ])('If-None-Match: %s is %d for the first version, in v1 and v2', async (tag, status) => {
        const { id } = await created(host);
        for (const family of families) {
          const whole = await host.call('GET', `${family}/${id}`, { as: agent });
          for (const method of ['GET', 'HEAD']) {
            const reply = await get(`${family}/${id}`, tag, agent, method);
            expect(reply.status).toBe(status);
            if (status === 200) continue;
            const { 'content-length': length, 'content-type': type, ...kept } = stable(whole.headers);
            expect([length, type]).toEqual([String(Buffer.byteLength(whole.text)), 'application/json']);
            expect([stable(reply.headers), reply.text]).toEqual([kept, '']);
          }
        }
      });

      it('a changed appointment is answered whole to who has the version before, and 304 to who has the new one', async () => {
        const { id } = await created(host);
        await host.call('PUT', `${base}/`, { as: agent, json: { id, title: 'Changed' } });
        const before = await get(`${base}/${id}`, '"1"', agent);
        expect([before.status, before.body.title, before.headers['etag']]).toEqual([200, 'Changed', '"2"']);
        expect((await get(`${base}/${id}`, '"2"', agent)).status).toBe(304);
      });

      it('an activated appointment is always answered whole: its access details are derived for each answer', async () => {
        const { id } = await created(host);
        await host.call('POST', `${base}/activate/${id}`, { as: agent });
        for (const family of families) {
          const { status, body, headers } = await get(`${family}/${id}`, '"2"', agent);
          expect([status, body.id, headers['etag']]).toEqual([200, id, '"2"']);
        }
      });

      it.each<[string, Person | undefined, number]>([
        ['nobody', undefined, 401],
        ['an administrator', people.admin, 403],
        ['a customer without a proof', people.customer, 403],
        ['an agent of another appointment', otherAgent, 403],
        ['staff of another organization', { ...supervisor, organizationId: 'org-2' }, 404],
      ])('If-None-Match tells %s nothing', async (_, as, status) => {
        const { id } = await created(host);
        for (const path of families.map((family) => `${family}/${id}`)) {
          for (const tag of ['*', '"1"']) {
            const reply = await get(path, tag, as);
            expect([reply.status, reply.headers['etag']]).toEqual([status, undefined]);
          }
        }
        expect((await get(`${base}/${unknownId}`, '*', agent)).status).toBe(404);
      });
    });
  });
}

/** Headers that do not differ from one exchange to the next. */
function stable({ date, 'x-request-id': _id, connection, ...headers }: Reply['headers']): Reply['headers'] {
  return headers;
}
