import { type Caller, CalendsError, createScheduling, type Scheduling } from '@calends/core';
import { limits } from '@calends/model';
import { memoryStore } from '@calends/store-memory';
import { beforeAll, describe, expect, it } from 'vitest';
import { schedulingHttp } from '../src/index.js';

/*
 * Hosts call the library directly, clients over HTTP: both doors take the same and refuse the same. Each row is a limit with
 * the most that is taken and the least that is refused; what the contract limits and no row names is told at the end.
 */

const clock = { now: () => Date.UTC(2030, 0, 1) };
const staff: Caller = {
  id: 'supervisor-1',
  organizationId: 'o'.repeat(128),
  roles: ['ROLE_SUPERVISOR', 'ROLE_AGENT', 'ROLE_CLIENT_SERVICE', 'ROLE_ADMIN'],
};
const text = (length: number): string => 'x'.repeat(length);
const many = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const entries = (count: number, value = 'x') =>
  Object.fromEntries(many(count, (index) => [`key-${String(index)}`, value]));
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const padded = (form: string, length: number): string => `${form} (${text(length - form.length - 3)})`;
/** A language tag of a length: its parts have eight characters at most. */
const tag = (length: number): string => ['en-aaaaaaaa-bbbbbbbb-cccccccc', text(length - 30)].join('-');

type Json = Readonly<Record<string, unknown>>;

const booking = {
  applicationId: 'app-1',
  start: '2030-01-02T09:00:00Z',
  duration: 'PT30M',
  timezone: 'UTC',
  customers: [{ username: 'ada' }],
};
const customer = (more: Json): Json => ({ customers: [{ username: 'ada', ...more }] });
const routing = (properties: Json, type = 'PROVIDERA_CLOUD_FLOW'): Json => ({
  interaction: { routing: { type, properties } },
});

interface Doors {
  readonly library: (scheduling: Scheduling, caller: Caller) => Promise<unknown>;
  readonly http: { readonly method: string; readonly path: string; readonly json?: Json; readonly key?: string };
  readonly caller?: Caller;
}

/** The commands of the library have the names of the bodies: what differs is written out. */
const create = (more: Json): Doors => ({
  library: ({ appointments }, caller) => appointments.schedule(caller, { ...booking, ...more }),
  http: { method: 'POST', path: '/api/v2/appointments/', json: { ...booking, ...more } },
});

const change =
  (verb: 'update' | 'reassign' | 'reschedule', of: (value: string) => Json) =>
  (more: Json): Doors => ({
    library: async (scheduling, caller) => {
      const id = await made(scheduling);
      // Each verb has a command of its own: a table cannot say so.
      const command = { id, ...of(id), ...more } as never;
      return scheduling.appointments[verb](caller, command);
    },
    http: {
      method: 'PUT',
      path: `/api/v2/appointments/${verb === 'update' ? '' : `${verb}/`}`,
      json: { ...of(''), ...more },
    },
  });

const update = change('update', () => ({}));
const reassign = change('reassign', () => ({}));
const reschedule = change('reschedule', () => ({ start: booking.start, duration: 'PT30M', timezone: 'UTC' }));

const cancel = (cancelReason: string): Doors => ({
  library: async (scheduling, caller) =>
    scheduling.appointments.cancel(caller, { id: await made(scheduling), cancelReason }),
  http: { method: 'PUT', path: '/api/v2/appointments/{id}/cancel', json: { cancelReason } },
});

const query = (path: string, parameters: readonly (readonly [string, string])[]): Doors['http'] => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams([...parameters] as [string, string][]).toString()}`,
});

const list = (asked: Json, ...parameters: readonly (readonly [string, string])[]): Doors => ({
  library: ({ appointments }, caller) => appointments.list(caller, { durationForms: 'dayTime', ...asked }),
  http: query('/api/v2/appointments/', parameters),
});

const count = (more: {
  applicationId?: string;
  organizationId?: string;
  timeFrame?: string;
  starts?: number;
}): Doors => {
  const { applicationId = 'app-1', organizationId = staff.organizationId, timeFrame = 'P1D' } = more;
  const starts = many(more.starts ?? 1, () => '2030-01-01T00:00:00Z');
  const fixed = { applicationId, organizationId, timeFrame };
  return {
    caller: { ...staff, organizationId },
    library: ({ appointments }, caller) => appointments.count(caller, { ...fixed, starts }),
    http: query('/api/v2/appointments/count', [
      ...Object.entries(fixed),
      ...starts.map((start) => ['start', start] as const),
    ]),
  };
};

const eligible = (timeFrame: string): Doors => ({
  library: async ({ appointments }, caller) => {
    for await (const _ of appointments.listEligible(caller, { timeFrame }));
  },
  http: query('/api/v2/appointments/eligible', [['timeFrame', timeFrame]]),
});

const statuses = (more: { applicationId?: string; types?: number; from?: string }): Doors => {
  const { applicationId = 'app-1', from } = more;
  const types = many(more.types ?? 0, () => 'ROOM' as const);
  return {
    library: ({ notifications }, caller) =>
      notifications.listStatuses(caller, { applicationId, from, ...(types.length === 0 ? {} : { types }) }),
    http: query('/api/notifications/', [
      ['applicationId', applicationId],
      ...(from === undefined ? [] : [['from', from] as const]),
      ...types.map((type) => ['type', type] as const),
    ]),
  };
};

const poll = (applicationId: string): Doors => ({
  library: ({ notifications }, caller) => notifications.pollProperties(caller, applicationId),
  http: query(`/api/notifications/applications/${applicationId}/poll`, []),
});

const endpoints = (applicationId: string): Doors => ({
  library: ({ notifications }, caller) => notifications.listEndpoints(caller, applicationId),
  http: query('/api/notifications/webhooks/endpoints', [['applicationId', applicationId]]),
});

const replay = (since: string, after?: string): Doors => {
  const reference = { applicationId: 'app-1', endpointId: 'crm' };
  const parameters = { applicationId: 'app-1', since, ...(after === undefined ? {} : { after }) };
  return {
    library: ({ notifications }, caller) => notifications.replayEndpoint(caller, { ...reference, since, after }),
    http: {
      ...query('/api/notifications/webhooks/endpoints/crm/replay', Object.entries(parameters)),
      method: 'POST',
    },
  };
};

const otp = (more: Json): Doors => {
  const asked = { applicationId: 'app-1', username: 'ada', ...more };
  return {
    library: ({ customers }) => customers.requestOtp(asked),
    http: { method: 'POST', path: '/api/customers/one-time-passwords', json: asked },
  };
};

const keyed = (key: string): Doors => ({
  library: ({ appointments }, caller) =>
    appointments.schedule(caller, booking, { idempotency: { key, operation: 'library' } }),
  http: { method: 'POST', path: '/api/v2/appointments/', json: booking, key },
});

async function made({ appointments }: Scheduling): Promise<string> {
  return (await appointments.schedule(staff, booking)).id;
}

interface Row {
  readonly limit: keyof typeof limits | 'characters';
  readonly what: string;
  /** Absent where nothing so long has a meaning. */
  readonly taken?: Doors;
  readonly refused: Doors;
}

const edge = <Value>(
  limit: Row['limit'],
  what: string,
  doors: (value: Value) => Doors,
  taken: Value,
  refused: Value,
): Row => ({ limit, what, taken: doors(taken), refused: doors(refused) });

const ofText = (limit: Row['limit'], what: string, most: number, doors: (value: string) => Doors): Row =>
  edge(limit, what, doors, text(most), text(most + 1));

const rangePairs = (pairs: number): Doors => {
  const [from, to] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
  return list({ ranges: many(pairs, () => ({ from, to })) }, ...many(pairs, () => ['range', `${from},${to}`] as const));
};

const rows: readonly Row[] = [
  ofText('id', 'applicationId of a booking', 64, (applicationId) => create({ applicationId })),
  ofText('id', 'applicationId of a list', 64, (applicationId) =>
    list({ applicationId }, ['applicationId', applicationId]),
  ),
  ofText('id', 'applicationId of a count', 64, (applicationId) => count({ applicationId })),
  ofText('id', 'applicationId of statuses', 64, (applicationId) => statuses({ applicationId })),
  ofText('id', 'applicationId of polling settings', 64, poll),
  ofText('id', 'applicationId of endpoints', 64, endpoints),
  ofText('id', 'applicationId of a one-time password', 64, (applicationId) => otp({ applicationId })),
  ofText('organizationId', 'organizationId of a count', 128, (organizationId) => count({ organizationId })),
  ofText('agentId', 'id of a target', 128, (id) => create({ targetAssignment: { id, type: 'AGENT' } })),
  ofText('agentId', 'userId of a reassignment', 128, (userId) => reassign({ userId })),
  ofText('agentId', 'agentId of a list', 128, (id) => list({ agentIds: [id] }, ['agentId', id])),
  ofText('agentId', 'organizerId of a list', 128, (id) => list({ organizerIds: [id] }, ['organizerId', id])),
  ofText('title', 'title', 200, (title) => create({ title })),
  ofText('title', 'title of an update', 200, (title) => update({ title })),
  ofText('notes', 'notes', 4000, (notes) => create({ notes })),
  ofText('notes', 'notes of an update', 4000, (notes) => update({ notes })),
  ofText('name', 'first name', 100, (firstName) => create(customer({ name: { firstName } }))),
  ofText('name', 'last name', 100, (lastName) => create(customer({ name: { lastName } }))),
  edge(
    'email',
    'e-mail',
    (primaryEmail: string) => create(customer({ contact: { primaryEmail } })),
    `${text(250)}@b.c`,
    `${text(251)}@b.c`,
  ),
  edge(
    'email',
    'e-mail with blanks around it',
    (primaryEmail: string) => create(customer({ contact: { primaryEmail } })),
    ' a@b.c ',
    '\na@b.c',
  ),
  edge(
    'phone',
    'phone',
    (primaryPhone: string) => create(customer({ contact: { primaryPhone } })),
    '+30690000000'.padEnd(64),
    '+30690000000'.padEnd(65),
  ),
  ofText('username', 'user name', 254, (username) => create({ customers: [{ username }] })),
  ofText('username', 'user name of a one-time password', 254, (username) => otp({ username })),
  { limit: 'instant', what: 'start', refused: create({ start: booking.start.padEnd(65) }) },
  { limit: 'instant', what: 'from of statuses', refused: statuses({ from: booking.start.padEnd(65) }) },
  { limit: 'instant', what: 'since of a replay', refused: replay(booking.start.padEnd(65)) },
  edge('duration', 'duration', (duration: string) => create({ duration }), padded('PT30M', 128), padded('PT30M', 129)),
  edge(
    'duration',
    'duration of a reschedule',
    (duration: string) => reschedule({ duration }),
    padded('PT45M', 128),
    padded('PT45M', 129),
  ),
  edge(
    'duration',
    'duration of a list',
    (one: string) => list({ durations: [one] }, ['duration', one]),
    padded('PT30M', 128),
    padded('PT30M', 129),
  ),
  edge(
    'duration',
    'timeFrame of a count',
    (timeFrame: string) => count({ timeFrame }),
    padded('P1D', 128),
    padded('P1D', 129),
  ),
  edge('duration', 'timeFrame of eligible', eligible, padded('P1D', 128), padded('P1D', 129)),
  { limit: 'timezone', what: 'timezone', refused: create({ timezone: text(65) }) },
  edge('locale', 'locale', (locale: string) => create({ locale }), tag(35), tag(36)),
  edge('locale', 'locale of a reschedule', (locale: string) => reschedule({ locale }), tag(35), tag(36)),
  edge('locale', 'locale of a one-time password', (locale: string) => otp({ locale }), tag(35), tag(36)),
  { limit: 'replayPlace', what: 'after of a replay', refused: replay(booking.start, `1.2.${text(197)}`) },
  ofText('cancelReason', 'reason of a cancellation', 1000, cancel),
  ofText('routingKey', 'deploymentId', 1024, (deploymentId) => create(routing({ deploymentId }))),
  ofText('routingKey', 'touchpointId', 1024, (touchpointId) =>
    create(routing({ touchpointId }, 'PROVIDERB_DIGITAL_CONNECT')),
  ),
  { limit: 'customers', what: 'customers', refused: create({ customers: [] }) },
  edge(
    'customers',
    'customers',
    (most: number) => create({ customers: many(most, (index) => ({ username: `u-${String(index)}` })) }),
    20,
    21,
  ),
  edge('mapEntries', 'entries of metadata', (most: number) => create({ metadata: entries(most) }), 64, 65),
  edge(
    'mapEntries',
    'entries of customFields',
    (most: number) => create({ interaction: { customFields: entries(most) } }),
    64,
    65,
  ),
  edge(
    'mapEntries',
    "entries of a customer's metadata",
    (most: number) => create(customer({ metadata: entries(most) })),
    64,
    65,
  ),
  ofText('mapKey', 'names in metadata', 64, (name) => create({ metadata: { [name]: 1 } })),
  ofText('mapKey', 'names in customFields', 64, (name) => create({ interaction: { customFields: { [name]: 'x' } } })),
  ofText('mapValue', 'values of customFields', 1024, (a) => create({ interaction: { customFields: { a } } })),
  ofText('mapValue', "values of a customer's metadata", 1024, (a) => create(customer({ metadata: { a } }))),
  edge('metadataBytes', 'metadata', (most: number) => create({ metadata: { a: text(most) } }), 16_376, 16_377),
  edge(
    'metadataBytes',
    'metadata of an update',
    (most: number) => update({ metadata: { a: text(most) } }),
    16_376,
    16_377,
  ),
  edge(
    'metadataBytes',
    'metadata with escapes',
    (most: number) => create({ metadata: { a: '\n'.repeat(most) } }),
    8188,
    8189,
  ),
  edge(
    'metadataBytes',
    "a customer's metadata",
    (most: number) => create(customer({ metadata: entries(most, text(1000)) })),
    16,
    17,
  ),
  edge(
    'headerEntries',
    'headers',
    (most: number) => create({ notificationHeaders: JSON.stringify(entries(most)) }),
    32,
    33,
  ),
  edge(
    'headerEntries',
    'headers of an update',
    (most: number) => update({ notificationHeaders: entries(most) }),
    32,
    33,
  ),
  ofText('headerName', 'names of headers', 128, (name) =>
    create({ notificationHeaders: JSON.stringify({ [name]: 'x' }) }),
  ),
  ofText('headerName', 'names of headers of an update', 128, (name) =>
    update({ notificationHeaders: { [name]: 'x' } }),
  ),
  edge(
    'headerBytes',
    'headers in all',
    (most: number) => create({ notificationHeaders: JSON.stringify({ a: text(most) }) }),
    8191,
    8192,
  ),
  edge(
    'headerBytes',
    'headers of an update in all',
    (most: number) => update({ notificationHeaders: { a: text(most) } }),
    8191,
    8192,
  ),
  edge(
    'headerBytes',
    'the text of headers',
    (most: number) => create({ notificationHeaders: '{}'.padEnd(most) }),
    16_384,
    16_385,
  ),
  edge('jsonDepth', 'depth of metadata', (depth: number) => create({ metadata: nested(depth) }), 14, 15),
  edge(
    'queryValues',
    'agents of a list',
    (most: number) =>
      list({ agentIds: many(most, String) }, ...many(most, (index) => ['agentId', String(index)] as const)),
    100,
    101,
  ),
  edge(
    'queryValues',
    'durations of a list',
    (most: number) => list({ durations: many(most, () => 'PT1H') }, ...many(most, () => ['duration', 'PT1H'] as const)),
    100,
    101,
  ),
  edge('queryValues', 'ranges of a list', rangePairs, 100, 101),
  edge(
    'queryValues',
    'states of a list',
    (most: number) =>
      list({ states: many(most, () => 'SCHEDULED') }, ...many(most, () => ['state', 'SCHEDULED'] as const)),
    100,
    101,
  ),
  edge('queryValues', 'types of statuses', (types: number) => statuses({ types }), 100, 101),
  edge('queryValues', 'starts of a count', (starts: number) => count({ starts }), 100, 101),
  edge('pageSizeMax', 'page size', (pageSize: number) => list({ pageSize }, ['pageSize', String(pageSize)]), 100, 101),
  edge(
    'pageNumberMax',
    'page number',
    (pageNumber: number) => list({ pageNumber }, ['pageNumber', String(pageNumber)]),
    Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER + 1,
  ),
  edge('idempotencyKey', 'idempotency key', keyed, text(255), text(256)),
  { limit: 'idempotencyKey', what: 'idempotency key with a blank', refused: keyed('a b') },
  edge('characters', 'title with control characters', (title: string) => create({ title }), 'a\tb\r\nc', 'a\u0085b'),
  edge('characters', 'title with half a character', (title: string) => create({ title }), '\u{1f600}', '\ud83d'),
];

/** A code is refused in one way, whatever is wrong with it. */
// Of a link's code, of what only hosts call, of a part of the nesting, and what is not refused.
const elsewhere = [
  ...['linkCode', 'participants', 'metadataDepth', 'pageSize'],
  // See availability-limits.test.ts; of `offers` an answer is cut.
  ...['actors', 'actorsAtOnce', 'availabilityDays', 'holdToken', 'offers'],
];

describe('the library and HTTP', () => {
  let scheduling: Scheduling;
  beforeAll(() => {
    const application = { notifications: { webhooks: [] } };
    const secret = 'a secret of the tests that has more than 32 bytes';
    scheduling = createScheduling({ store: memoryStore(), secret, clock, applications: { 'app-1': application } });
  });

  const overHttp = async ({ http, caller = staff }: Doors): Promise<string> => {
    const service = schedulingHttp(scheduling, {
      authentication: { verify: () => caller },
      oneTimePasswords: true,
      webhookEndpoints: true,
      limits: 'off',
    });
    const id = await made(scheduling);
    const json = http.method === 'PUT' && http.json !== undefined ? { id, ...http.json } : http.json;
    const [path = '', raw = ''] = http.path.replace('{id}', id).split('?');
    const headers: Readonly<Record<string, string | undefined>> = {
      authorization: 'Bearer x',
      'content-type': 'application/json',
      'idempotency-key': http.key,
    };
    const response = await service.handle({
      method: http.method,
      path,
      query: raw,
      header: (name) => headers[name],
      body: () => ({ kind: 'parsed', value: json }),
    });
    if (response === undefined) throw new Error(`${path} has no route.`);
    return response.status < 300 || isEmpty(response.status, http)
      ? 'taken'
      : `refused with ${String(response.status)}`;
  };

  const inLibrary = async ({ library, caller = staff }: Doors): Promise<string> => {
    try {
      await library(scheduling, caller);
      return 'taken';
    } catch (error) {
      if (!CalendsError.is(error)) throw error;
      // No caller has an organization with so long an id.
      const { [error.code]: status = '400' } = { not_found: '404', unauthenticated: '401' } as Record<string, string>;
      return `refused with ${status}`;
    }
  };

  it.each(rows)('the library and HTTP take and refuse the same: $limit, $what', async ({ taken, refused }) => {
    if (taken !== undefined) {
      expect([await inLibrary(taken), await overHttp(taken)]).toEqual(['taken', 'taken']);
    }
    const verdicts = [await inLibrary(refused), await overHttp(refused)];
    expect(verdicts[0]).toMatch(/^refused/);
    expect(verdicts[1]).toBe(verdicts[0]);
  });

  it('the library and HTTP have a row for every limit of the contract', () => {
    const named = new Set<string>([...rows.map(({ limit }) => limit), ...elsewhere]);
    expect(Object.keys(limits).filter((name) => !named.has(name))).toEqual([]);
  });
});

/** A list of appointments with nothing on it at all is 404 (D30). */
function isEmpty(status: number, { method, path }: Doors['http']): boolean {
  return status === 404 && method === 'GET' && path.startsWith('/api/v2/appointments/?');
}
