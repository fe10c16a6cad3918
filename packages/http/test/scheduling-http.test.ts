import { type AccessProvider, type Caller, createScheduling, type Scheduling, type Signal } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { type HttpRequest, type HttpResponse, schedulingHttp } from '../src/index.js';

const base = '/api/v2/appointments';
const secret = 'a secret of the tests that has more than 32 bytes';
const clock = { now: () => Date.UTC(2030, 0, 1) };
const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };
const customer: Caller = { id: 'customer-1', organizationId: 'org-1', roles: ['ROLE_CUSTOMER'] };
const creation = {
  applicationId: 'app-1',
  start: '2030-01-02T09:00:00Z',
  duration: 'PT30M',
  timezone: 'UTC',
  customers: [{ username: 'ada' }],
};

/** A room service with conference ids of its own. */
const roomService: AccessProvider = {
  conferenceIsAppointment: false,
  openRoom: ({ appointmentId }) =>
    Promise.resolve({
      status: 'opened',
      grant: { conferenceId: `room-${appointmentId}`, roomUrl: 'https://rooms.example/1' },
    }),
  details: ({ roomUrl }) => ({ secureToken: 'token', roomUrl, expires: 0 }),
};

function service(scheduling: Scheduling, caller: Caller) {
  return schedulingHttp(scheduling, {
    authentication: { verify: (token) => (token === 'valid' ? caller : undefined) },
    requestIds: () => 'request-1',
  });
}

it.each([null, undefined, {}, 'scheduling', { appointments: {} }])(
  'the services refuse at start to serve what is no library: %j',
  (scheduling) => {
    const options = { authentication: { verify: () => undefined } };
    expect(() => schedulingHttp(scheduling as Scheduling, options)).toThrow(
      new TypeError('scheduling: must be what createScheduling makes.'),
    );
  },
);

it('the services refuse at start to serve free times of a library that has availability off', () => {
  const options = { authentication: { verify: () => undefined }, availability: true };
  const over = (given: object) => () =>
    schedulingHttp(createScheduling({ store: memoryStore(), secret, ...given }), options);
  expect(over({})).toThrow(
    new TypeError(
      'options.availability: the library has it off; `createScheduling({ availability: {} })` turns it on.',
    ),
  );
  expect(over({ availability: {} })).not.toThrow();
});

function request(method: string, path: string, json?: unknown, headers: Record<string, string> = {}): HttpRequest {
  const [bare = '', query = ''] = path.split('?');
  const bytes = Buffer.from(json === undefined ? '' : JSON.stringify(json));
  const all: Record<string, string> = {
    authorization: 'Bearer valid',
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  return {
    method,
    path: bare,
    query,
    header: (name) => all[name],
    body: () => (json === undefined ? { kind: 'none' } : { kind: 'stream', read: () => Promise.resolve(bytes) }),
  };
}

function textOf(response: HttpResponse | undefined): string {
  return typeof response?.body === 'string' ? response.body : 'null';
}

function bodyOf(response: HttpResponse | undefined) {
  return JSON.parse(textOf(response));
}

describe('the services without a framework', () => {
  it('the services answer a neutral request with status, complete headers and body', async () => {
    const http = service(createScheduling({ store: memoryStore(), secret, clock }), agent);
    const made = await http.handle(request('POST', base, creation));
    expect(made).toMatchObject({
      status: 200,
      headers: {
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(textOf(made))),
        'x-request-id': 'request-1',
        ETag: '"1"',
      },
    });
    const { id } = bodyOf(made);
    const head = await http.handle(request('HEAD', `${base}/${id}`));
    expect(head).toMatchObject({ status: 200, headers: { 'Content-Length': made?.headers['Content-Length'] } });
    expect(head).not.toHaveProperty('body');
    const gone = await http.handle(request('PUT', `${base}/${id}/cancel`));
    expect(gone).toEqual({
      status: 204,
      headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'x-request-id': 'request-1' },
    });
  });

  it('the services without a framework leave what is not theirs to the host', async () => {
    const http = service(createScheduling({ store: memoryStore(), secret, clock }), agent);
    expect(http.match('GET', '/health')).toBeUndefined();
    expect(await http.handle(request('GET', '/health'))).toBeUndefined();
    expect(http.match('GET', `${base}/count`)).toMatchObject({ kind: 'operation' });
  });

  it('the services without a framework take the name of the request id header from the host', async () => {
    const scheduling = createScheduling({ store: memoryStore(), secret, clock });
    const http = schedulingHttp(scheduling, {
      authentication: { verify: () => agent },
      requestIdHeader: 'X-Correlation-Id',
    });
    const response = await http.handle(request('GET', base, undefined, { 'x-correlation-id': 'mine' }));
    expect([response?.headers['x-correlation-id'], bodyOf(response).requestId]).toEqual(['mine', 'mine']);
  });
});

describe('a join claim where the access provider has conference ids of its own (D43)', () => {
  it('a join claim is compared with the record, and unknown ids are refused like wrong claims', async () => {
    const scheduling = createScheduling({ store: memoryStore(), secret, clock, accessProvider: roomService });
    const { id } = await scheduling.appointments.schedule(agent, creation);
    await scheduling.appointments.activate(agent, id);
    const get = async (conferenceId: string, of = id) => {
      const { handle } = service(scheduling, { ...customer, conferenceId });
      return (await handle(request('GET', `${base}/${of}`)))?.status;
    };
    expect(await get(`room-${id}`)).toBe(200);
    expect(await get(id)).toBe(403);
    expect(await get(`room-${id}`, '0194222d-ffff-7fff-8fff-ffffffffffff')).toBe(403);
  });
});

describe('access details that the room service of a host cannot make', () => {
  const soon = { ...creation, start: '2030-05-06T08:05:00Z' };
  const fault = new Error('The room service is away.');

  it.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw fault;
      },
    ],
    ['rejects', () => Promise.reject(fault) as never],
  ])(
    'access details that the room service cannot make are left out of the answer to what is done, and told to the observer: it %s',
    async (_how, details) => {
      const signals: Signal[] = [];
      const observer = { observe: (signal: Signal): void => void signals.push(signal) };
      const standing = { now: () => Date.parse('2030-05-06T08:00:00Z') };
      const accessProvider = { ...roomService, details };
      const scheduling = createScheduling({ store: memoryStore(), secret, clock: standing, observer, accessProvider });
      const { handle } = service(scheduling, agent);
      const made = await handle(request('POST', base, soon));
      const { id, ...body } = bodyOf(made);
      expect([made?.status, Object.keys(body).includes('secureToken')]).toEqual([200, false]);
      // Who has the answer without them has not all that is shown once they can be made again.
      const again = request('GET', `${base}/${String(id)}`, undefined, {
        'if-none-match': made?.headers['ETag'] ?? '',
      });
      expect((await handle(again))?.status).toBe(200);
      const failed = { type: 'accessDetailsFailed', appointmentId: id, error: fault };
      expect(signals.filter(({ type }) => type === 'accessDetailsFailed')).toEqual([failed, failed]);
      const v1 = await handle(request('POST', `/api/appointments/activate/${String(id)}`));
      expect(v1?.status).toBe(503);
    },
  );
});
