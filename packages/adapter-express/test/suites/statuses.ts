import { StoreError } from '@calends/core/store';
import type { WebhookNotifier } from '@calends/core/notifier';
import { type Operation, operations } from '@calends/http-contract';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, Reply } from '../support/client.js';
import { faultyTokens, type Host, type OpenStore, otpCodes, people, startHost } from '../support/host.js';
import { failedMail } from '../support/notifications.js';
import { created, creation, creationV1, oneTimePassword, unknownId } from '../support/requests.js';

const { admin, agent, otherAgent, service, supervisor } = people;

type Send = (method: string, path: string, call?: Parameters<Host['call']>[2]) => Promise<Reply>;
type Scene = (host: Host, send: Send) => Promise<Reply>;
type Scenes = Readonly<Record<number, Scene>>;

const notJson: Call = { raw: '{"a":' };
const tooLarge: Call = { raw: `"${'x'.repeat(300_000)}"` };
const plain: Call = { raw: 'x', headers: { 'content-type': 'text/plain' } };
const stale = { headers: { 'if-match': '"99"' } };

/** What every operation with a bearer token can answer, whatever else it does. */
function always(method: string, path: string, forbidden = admin): Scenes {
  return {
    401: (_, send) => send(method, path),
    403: (_, send) => send(method, path, { as: forbidden }),
    500: (_, send) => send(method, path, { as: faultyTokens.fault }),
    503: (_, send) => send(method, path, { as: faultyTokens.busy }),
  };
}

function withBody(method: string, path: string): Scenes {
  return {
    400: (_, send) => send(method, path, { as: supervisor, ...notJson }),
    413: (_, send) => send(method, path, { as: supervisor, ...tooLarge }),
    415: (_, send) => send(method, path, { as: supervisor, ...plain }),
  };
}

const schedule = { start: '2030-06-01T09:00:00Z', duration: 'PT30M', timezone: 'UTC' };
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

/** One scene for each status that an operation lists or adds, for both families. */
function family(base: string, v1: boolean): Readonly<Record<string, Scenes>> {
  const body = v1 ? creationV1 : creation;
  const id = (suffix = ''): string => `${base}/${unknownId}${suffix}`;
  const make = async (host: Host): Promise<string> => (await created(host)).id;
  const guarded = (at: string) => body({ applicationId: 'app-guarded', start: at });
  const window = 'applicationId=app-1&organizationId=org-1&start=2030-01-01T00:00:00Z&timeFrame=P1D';
  const count = (path: string): Scenes => ({
    ...always('GET', `${path}?${window}`),
    200: (_, send) => send('GET', `${path}?${window}`, { as: agent }),
    400: (_, send) => send('GET', path, { as: agent }),
    403: (_, send) => send('GET', `${path}?${window.replace('org-1', 'org-9')}`, { as: agent }),
  });
  const change = (path: string, json: object, done: (id: string) => object): Scenes => ({
    ...always('PUT', path),
    ...withBody('PUT', path),
    200: async (host, send) => send('PUT', path, { as: supervisor, json: done(await make(host)) }),
    404: (_, send) => send('PUT', path, { as: supervisor, json: { id: unknownId, ...json } }),
    412: async (host, send) => send('PUT', path, { as: supervisor, json: done(await make(host)), ...stale }),
  });
  const conflicted = async (host: Host, at: string): Promise<string> => {
    await created(host, guarded(at));
    const other = { applicationId: 'app-guarded', start: at.replace('T09', 'T19') };
    return (await created(host, v1 ? { ...other, customers: creation().customers } : other, otherAgent)).id;
  };
  const scenes: Record<string, Scenes> = {
    'GET /': {
      ...always('GET', `${base}/`),
      200: async (host, send) => {
        await make(host);
        return send('GET', `${base}/`, { as: agent });
      },
      400: (_, send) => send('GET', `${base}/?pageSize=0`, { as: agent }),
      404: (_, send) => send('GET', `${base}/?applicationId=nowhere`, { as: agent }),
    },
    'POST /': {
      ...always('POST', `${base}/`, supervisor),
      400: (_, send) => send('POST', `${base}/`, { as: agent, ...notJson }),
      413: (_, send) => send('POST', `${base}/`, { as: agent, ...tooLarge }),
      415: (_, send) => send('POST', `${base}/`, { as: agent, ...plain }),
      200: (_, send) => send('POST', `${base}/`, { as: agent, json: body() }),
      404: (_, send) => send('POST', `${base}/`, { as: agent, json: body({ serviceId: 'nothing' }) }),
      409: async (host, send) => {
        const at = `2031-0${v1 ? 1 : 2}-01T09:00:00Z`;
        await created(host, { applicationId: 'app-guarded', start: at });
        return send('POST', `${base}/`, { as: agent, json: guarded(at) });
      },
      422: async (_, send) => {
        await send('POST', `${base}/`, { as: agent, json: body(), ...keyed('s-1') });
        return send('POST', `${base}/`, { as: agent, json: body({ title: 'x' }), ...keyed('s-1') });
      },
    },
    'PUT /': {
      ...change(`${base}/`, { title: 'x' }, (made) => ({ id: made, title: 'x' })),
      409: async (host, send) => {
        const json = { id: await make(host), title: 'x' };
        underWay(host, 's-8', json);
        return send('PUT', `${base}/`, { as: agent, json, ...keyed('s-8') });
      },
      422: usedTwice(
        'PUT',
        () => `${base}/`,
        (made) => ({ id: made, title: 'x' }),
      ),
    },
    'POST /activate/{id}': {
      ...always('POST', `${base}/activate/${unknownId}`),
      200: async (host, send) => send('POST', `${base}/activate/${await make(host)}`, { as: agent }),
      400: (_, send) => send('POST', `${base}/activate/${unknownId}`, { as: agent, ...keyed('a b') }),
      404: (_, send) => send('POST', `${base}/activate/${unknownId}`, { as: agent }),
      409: async (host, send) => {
        const made = await make(host);
        underWay(host, 's-9', { id: made });
        return send('POST', `${base}/activate/${made}`, { as: agent, ...keyed('s-9') });
      },
      412: async (host, send) => send('POST', `${base}/activate/${await make(host)}`, { as: agent, ...stale }),
      422: async (host, send) => {
        await send('POST', `${base}/activate/${await make(host)}`, { as: agent, ...keyed('s-2') });
        return send('POST', `${base}/activate/${await make(host)}`, { as: agent, ...keyed('s-2') });
      },
    },
    'POST /basic': {
      200: (_, send) => basic(send, `u-${base}`, v1),
      400: (_, send) => send('POST', `${base}/basic`, { headers: oneTimePassword('u'), raw: '{' }),
      401: (_, send) => basic(send, 'u', v1, '000000'),
      403: (_, send) => basic(send, 'someone', v1, undefined, 'another'),
      404: (_, send) => basic(send, 'n', v1, undefined, undefined, { serviceId: 'nothing' }),
      409: async (host, send) => {
        const at = `2031-0${v1 ? 3 : 4}-01T09:00:00Z`;
        await created(host, { applicationId: 'app-guarded', start: at, targetAssignment: { id: 'x', type: 'AGENT' } });
        const target = { applicationId: 'app-guarded', start: at, targetAssignment: { id: 'x', type: 'AGENT' } };
        return basic(send, `c-${base}`, v1, undefined, undefined, target);
      },
      413: (_, send) => send('POST', `${base}/basic`, { ...tooLarge, headers: oneTimePassword('u') }),
      415: (_, send) =>
        send('POST', `${base}/basic`, { raw: 'x', headers: { ...oneTimePassword('u'), 'content-type': 'text/plain' } }),
      422: async (_, send) => {
        const user = `k-${base}`;
        await basic(send, user, v1, undefined, undefined, {}, 's-3');
        return basic(send, user, v1, undefined, undefined, { title: 'x' }, 's-3');
      },
      500: (_, send) => basic(send, 'f', v1, otpCodes.fault),
      503: (_, send) => basic(send, 'b', v1, otpCodes.busy),
    },
    'PUT /reassign/': {
      ...change(`${base}/reassign/`, { userId: 'agent-2' }, (made) => ({ id: made, userId: 'agent-2' })),
      422: usedTwice(
        'PUT',
        () => `${base}/reassign/`,
        (made) => ({ id: made, userId: 'agent-2' }),
        supervisor,
      ),
      409: async (host, send) => {
        const made = await conflicted(host, `2031-0${v1 ? 5 : 6}-01T09:00:00Z`);
        const at = (await created(host, { applicationId: 'app-guarded', start: `2031-0${v1 ? 5 : 6}-01T19:00:00Z` }))
          .id;
        expect(at).not.toBe(made);
        return send('PUT', `${base}/reassign/`, { as: supervisor, json: { id: made, userId: 'agent-1' } });
      },
    },
    'PUT /reschedule/': {
      ...change(`${base}/reschedule/`, schedule, (made) => ({ id: made, ...schedule })),
      422: usedTwice(
        'PUT',
        () => `${base}/reschedule/`,
        (made) => ({ id: made, ...schedule }),
      ),
      409: async (host, send) => {
        const at = `2031-0${v1 ? 7 : 8}-01T09:00:00Z`;
        await created(host, { applicationId: 'app-guarded', start: at });
        const other = await created(host, { applicationId: 'app-guarded', start: at.replace('T09', 'T19') });
        return send('PUT', `${base}/reschedule/`, { as: agent, json: { id: other.id, ...schedule, start: at } });
      },
    },
    'DELETE /{id}': {
      ...always('DELETE', id()),
      400: (_, send) => send('DELETE', id(), { as: agent, ...keyed('a b') }),
      422: usedTwice('DELETE', (made) => `${base}/${made}`),
      204: async (host, send) => send('DELETE', `${base}/${await make(host)}`, { as: agent }),
      404: (_, send) => send('DELETE', id(), { as: agent }),
      412: async (host, send) => send('DELETE', `${base}/${await make(host)}`, { as: agent, ...stale }),
      409: async (host, send) => send('DELETE', `${base}/${await completed(host)}`, { as: agent }),
    },
    'GET /{id}': {
      ...always('GET', id()),
      200: async (host, send) => send('GET', `${base}/${await make(host)}`, { as: agent }),
      304: async (host, send) =>
        send('GET', `${base}/${await make(host)}`, { as: agent, headers: { 'if-none-match': '"1"' } }),
      403: async (host, send) => send('GET', `${base}/${await make(host)}`, { as: otherAgent }),
      404: (_, send) => send('GET', id(), { as: agent }),
    },
    'PUT /{id}/cancel': {
      ...always('PUT', id('/cancel')),
      ...withBody('PUT', id('/cancel')),
      204: async (host, send) => send('PUT', `${base}/${await make(host)}/cancel`, { as: agent }),
      404: (_, send) => send('PUT', id('/cancel'), { as: agent }),
      409: async (host, send) => send('PUT', `${base}/${await completed(host)}/cancel`, { as: agent }),
      412: async (host, send) => send('PUT', `${base}/${await make(host)}/cancel`, { as: agent, ...stale }),
      422: usedTwice('PUT', (made) => `${base}/${made}/cancel`),
    },
    'GET /count': count(`${base}/count`),
    'GET /count/overlapping': count(`${base}/count/overlapping`),
    'GET /eligible': {
      ...always('GET', `${base}/eligible`),
      200: (_, send) => send('GET', `${base}/eligible`, { as: service }),
      400: (_, send) => send('GET', `${base}/eligible?timeFrame=x`, { as: service }),
    },
  };
  return Object.fromEntries(Object.entries(scenes).map(([key, value]) => [key.replace(' ', ` ${base}`), value]));

  /** The same key for one appointment and then for another one. */
  function usedTwice(
    method: string,
    path: (made: string) => string,
    bodyOf?: (made: string) => object,
    as: NonNullable<Parameters<Host['call']>[2]>['as'] = agent,
  ): Scene {
    return async (host, send) => {
      const headers = keyed(`twice ${method} ${path('')}`.replaceAll(' ', '-'));
      const call = (made: string): Promise<Reply> =>
        send(method, path(made), { as, ...headers, ...(bodyOf === undefined ? {} : { json: bodyOf(made) }) });
      await call(await make(host));
      return call(await make(host));
    };
  }

  function basic(
    send: Send,
    user: string,
    one: boolean,
    code?: string,
    inBody = user,
    changes: object = {},
    key?: string,
  ): Promise<Reply> {
    const who = { username: inBody };
    const json = one ? creationV1({ customer: who, ...changes }) : creation({ customers: [who], ...changes });
    const headers = { ...oneTimePassword(user, code), ...(key === undefined ? {} : { 'idempotency-key': key }) };
    return send('POST', `${base}/basic`, { headers, json });
  }
}

/** As if an older program, which reserves keys, were carrying the request out right now. */
function underWay({ store }: Host, key: string, command: object): void {
  const fingerprint = createHash('sha256').update(JSON.stringify(command)).digest('base64url');
  const { find } = store.own.requests;
  store.instead = {
    requests: { find: (request, now) => (request.key === key ? Promise.resolve({ fingerprint }) : find(request, now)) },
  };
}

async function completed(host: Host): Promise<string> {
  const { id } = await created(host);
  const caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;
  await host.scheduling.appointments.moveInteraction(caller, { id, to: 'IN_PROGRESS' });
  await host.scheduling.appointments.moveInteraction(caller, { id, to: 'COMPLETED' });
  return id;
}

const notifications: Readonly<Record<string, Scenes>> = {
  'GET /api/notifications/': listScenes('/api/notifications/'),
  'GET /api/notifications/events': listScenes('/api/notifications/events'),
  'GET /api/notifications/applications/{id}/poll': {
    ...always('GET', '/api/notifications/applications/app-1/poll', agent),
    200: (_, send) => send('GET', '/api/notifications/applications/app-1/poll', { as: admin }),
    404: (_, send) => send('GET', '/api/notifications/applications/%00/poll', { as: admin }),
  },
  'GET /api/notifications/webhooks/types': {
    ...always('GET', '/api/notifications/webhooks/types', agent),
    200: (_, send) => send('GET', '/api/notifications/webhooks/types', { as: admin }),
  },
  'PUT /api/notifications/{id}/retry': {
    ...always('PUT', `/api/notifications/${unknownId}/retry`),
    400: (_, send) => send('PUT', `/api/notifications/${unknownId}/retry`, { as: agent, ...keyed('a b') }),
    404: (_, send) => send('PUT', `/api/notifications/${unknownId}/retry`, { as: agent }),
    200: async (host, send) => send('PUT', retryOf(await failedMail(host)), { as: agent }),
    409: async (host, send) => {
      const id = await failedMail(host);
      underWay(host, 'n-9', { id });
      return send('PUT', retryOf(id), { as: agent, ...keyed('n-9') });
    },
    422: async (host, send) => {
      await send('PUT', retryOf(await failedMail(host)), { as: agent, ...keyed('n-2') });
      return send('PUT', retryOf(await failedMail(host)), { as: agent, ...keyed('n-2') });
    },
  },
};

const endpoints = '/api/notifications/webhooks/endpoints';
const hooked = '?applicationId=app-hooked';

const ofEndpoints: Readonly<Record<string, Scenes>> = {
  [`GET ${endpoints}`]: {
    ...always('GET', endpoints, supervisor),
    200: (_, send) => send('GET', endpoints + hooked, { as: admin }),
    400: (_, send) => send('GET', endpoints, { as: admin }),
  },
  [`GET ${endpoints}/{id}`]: endpointScenes('GET', ''),
  [`PUT ${endpoints}/{id}/enable`]: changeScenes('PUT', '/enable'),
  [`PUT ${endpoints}/{id}/disable`]: changeScenes('PUT', '/disable'),
  [`POST ${endpoints}/{id}/test`]: changeScenes('POST', '/test'),
  [`POST ${endpoints}/{id}/replay`]: changeScenes('POST', '/replay', '2030-01-01T00:00:00Z'),
};

function endpointScenes(method: string, verb: string, since?: string): Scenes {
  const query = since === undefined ? hooked : `${hooked}&since=${since}`;
  const enable = (send: Send) => send('PUT', `${endpoints}/crm/enable${hooked}`, { as: admin });
  return {
    ...always(method, `${endpoints}/crm${verb}${query}`, supervisor),
    200: async (_, send) => {
      await enable(send);
      return send(method, `${endpoints}/crm${verb}${query}`, { as: admin });
    },
    400: (_, send) => send(method, `${endpoints}/crm${verb}`, { as: admin }),
    404: (_, send) => send(method, `${endpoints}/nothing${verb}${query}`, { as: admin }),
  };
}

function changeScenes(method: string, verb: string, since?: string): Scenes {
  const scenes = endpointScenes(method, verb, since);
  const query = since === undefined ? hooked : `${hooked}&since=${since}`;
  const key = `hooks-${verb.slice(1)}`;
  const of = (id: string, send: Send, by: string) =>
    send(method, `${endpoints}/${id}${verb}${query}`, { as: admin, ...keyed(by) });
  return {
    ...scenes,
    409: (host, send) => {
      const command = { applicationId: 'app-hooked', endpointId: 'crm', ...(since === undefined ? {} : { since }) };
      underWay(host, `${key}-9`, command);
      return of('crm', send, `${key}-9`);
    },
    422: async (host, send) => {
      await scenes[200]?.(host, send);
      await of('crm', send, `${key}-2`);
      return of('erp', send, `${key}-2`);
    },
  };
}

function retryOf(id: string): string {
  return `/api/notifications/${id}/retry`;
}

function listScenes(path: string): Scenes {
  return {
    ...always('GET', path),
    200: (_, send) => send('GET', `${path}?applicationId=app-1`, { as: agent }),
    400: (_, send) => send('GET', path, { as: agent }),
  };
}

const scenes = {
  ...family('/api/v2/appointments', false),
  ...family('/api/appointments', true),
  ...notifications,
  ...ofEndpoints,
};

/**
 * Statuses that nothing can bring about here: 429 is for limiters of the host; get and v1 DELETE have no input that
 * could be malformed (D9) and no state that stands in the way.
 */
const unreachable: Readonly<Record<string, readonly number[]>> = {
  getAppointment: [400],
  getAppointmentV1: [400],
  deleteAppointmentV1: [409],
};

function isOfDocuments({ family }: Operation): boolean {
  return family !== 'customers' && family !== 'availability';
}

const delivering: WebhookNotifier = {
  capability: 'none',
  timeout: 1000,
  send: () => Promise.resolve({ status: 'delivered' }),
};

/** Every operation answers every status that its document lists, and no other, on any store. */
export function statusSuite(name: string, open: OpenStore): void {
  describe(`statuses on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startHost({
        open,
        http: { countOverlapping: true, webhookEndpoints: true },
        scheduling: { notifiers: { webhooks: delivering }, availability: {} },
      });
    });
    afterAll(() => host.close());

    // Those for customers and about availability have suites of their own, with what they need.
    for (const { id, method, path, statuses, additiveStatuses } of operations.filter(isOfDocuments)) {
      const known = scenes[`${method} ${path}`] ?? {};
      const wanted = [...statuses, ...additiveStatuses].filter(
        (status) => status !== 429 && !(unreachable[id] ?? []).includes(status),
      );

      it.each(wanted)(`${method} ${path} answers %d`, async (status) => {
        const scene = known[status];
        expect(scene, 'there is no scene for this status').toBeDefined();
        const reply = await scene!(host, (...call) => host.call(...call));
        expect(reply.status, reply.text).toBe(status);
        if (status === 503) {
          expect(reply.headers['retry-after']).toBe('1');
          expect(reply.body).toMatchObject({ code: 'unavailable' });
        }
      });
    }

    it('a fault of the store is 500 without its text, and 503 when it may pass; hosts are told', async () => {
      const { id } = await created(host);
      const get = () => host.call('GET', `/api/v2/appointments/${id}`, { as: agent });
      host.faults.length = 0;
      host.store.fault = new Error('connect ECONNREFUSED 10.0.0.7:5432, password=hunter2');
      const broken = await get();
      host.store.fault = new StoreError('unavailable', 'password=hunter2');
      const away = await get();
      host.store.fault = undefined;
      expect([broken.status, away.status]).toEqual([500, 503]);
      expect(broken.text + away.text).not.toMatch(/hunter2|ECONNREFUSED/);
      expect(host.faults).toHaveLength(2);
    });
  });
}
