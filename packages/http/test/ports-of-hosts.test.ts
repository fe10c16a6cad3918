import { createScheduling, type Caller, type Scheduling, type SchedulingOptions } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HttpRequest, schedulingHttp } from '../src/index.js';
import { base, creation } from './support/services.js';
import { unhandledIn } from '../../../scripts/unhandled.js';

const hostText = 'secret text of the host';
const away = (): Promise<never> => Promise.reject(new Error(hostText));
const closed = (): unknown => {
  const refuse = (): never => {
    throw new Error(hostText);
  };
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse });
};

const throwing = (reason: unknown) => (): never => {
  throw reason;
};
const rejecting = (reason: unknown) => async (): Promise<never> => throwing(reason)();

/** Answers that are none, and other ends of a call. */
const ends: readonly (readonly [string, () => unknown])[] = [
  ['throws an error', throwing(new Error(hostText))],
  ['throws undefined', throwing(undefined)],
  ['rejects with an error', away],
  ['rejects with undefined', rejecting(undefined)],
  ['rejects with null', rejecting(null)],
  ['rejects with a text', rejecting(hostText)],
  ['answers a text', () => Promise.resolve('text')],
  ['answers a symbol', () => Symbol('x')],
  ['answers a BigInt', () => 5n],
  ['answers a function', () => () => 1],
  ['answers a list of null', () => [null]],
  ['answers what throws when it is read', closed],
  ['answers a list of what throws when it is read', () => [closed()]],
  ['answers fields that are promises', () => Object.fromEntries(fields.map((name) => [name, away()]))],
  ['answers a list of fields that are promises', () => [Object.fromEntries(fields.map((name) => [name, away()]))]],
  [
    'answers fields of fields that are promises',
    () => ({
      status: 'opened',
      grant: { conferenceId: away(), roomUrl: away() },
      sentTo: { email: away() },
      participantId: 'p',
      guard: { kind: away(), nonce: away() },
      overlap: { mode: away() },
      id: 'visit',
      title: 'Visit',
      requirements: [away()],
      grid: { step: away() },
      email: [away()],
    }),
  ],
];
const fields: readonly string[] = [
  ...[
    'status',
    'grant',
    'reason',
    'secureToken',
    'roomUrl',
    'expires',
    'sentTo',
    'consumption',
    'participantId',
    'guard',
  ],
  ...[
    'id',
    'title',
    'organizationId',
    'overlap',
    'email',
    'phone',
    'locale',
    'actorId',
    'from',
    'to',
    'timezone',
    'weekly',
  ],
];

const visit = {
  id: 'visit',
  title: 'Visit',
  timezone: 'UTC',
  durations: ['PT30M'],
  grid: { step: 'PT30M' },
  requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
};
const hours = {
  actorId: 'agent-1',
  timezone: 'UTC',
  exceptions: {},
  weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], from: '09:00', until: '17:00' }],
};
const source = { serviceOf: () => visit as never, servicesOf: () => [visit] as never, hoursOf: () => [hours] as never };
const room = { status: 'opened', grant: { conferenceId: 'c', roomUrl: 'https://rooms.example/c' } } as const;
const email = { from: 'no-reply@clinic.example' };
const sending = { applications: { 'app-1': { notifications: { email } } } };
const mailer = { capability: 'none', timeout: 1000, send: async () => ({ status: 'delivered' as const }) } as const;

/** A request that asks a part of the host, whose answer the test makes, and what it comes to where that is none. */
interface Case {
  readonly options: (answer: () => never) => Partial<SchedulingOptions>;
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
  readonly roles?: Caller['roles'];
  readonly authorization?: string;
  readonly status: number;
  /** The signal that tells of it, where not `onFault` does. */
  readonly signal?: string;
}

const create = { method: 'POST', path: base, body: creation, status: 500 };
const find = {
  method: 'GET',
  path: '/api/v2/availability',
  status: 500,
  query: 'applicationId=app-1&serviceId=visit&from=2999-01-02T00:00:00Z&to=2999-01-03T00:00:00Z',
};
const activate = { method: 'POST', path: `${base}/activate/{id}` };
const code = { method: 'POST', path: '/api/customers/one-time-passwords', status: 204, signal: 'otpFailed' };
const cases: Readonly<Record<string, Case>> = {
  'a directory of agents': {
    ...create,
    options: (standingOf) => ({ agentDirectory: { standingOf } }),
    body: { ...creation, targetAssignment: { id: 'agent-2' } },
  },
  'a source of settings': { ...create, options: (find) => ({ applications: { find } }) },
  rooms: {
    ...activate,
    options: (openRoom) => ({ accessProvider: { conferenceIsAppointment: true, openRoom, details: openRoom } }),
    status: 503,
  },
  'details of a room': {
    ...activate,
    options: (details) => ({ accessProvider: { conferenceIsAppointment: true, openRoom: async () => room, details } }),
    status: 200,
    signal: 'accessDetailsFailed',
  },
  'a verifier of one-time passwords': {
    ...create,
    options: (verify) => ({ otpVerifier: { verify } }),
    path: `${base}/basic`,
    authorization: `Basic ${Buffer.from('ada:123456').toString('base64')}`,
  },
  'a verifier of manage links': {
    options: (verify) => ({ manageProofVerifier: { verify } }),
    method: 'PUT',
    path: `${base}/{id}/cancel`,
    roles: ['ROLE_CUSTOMER'],
    status: 500,
  },
  'a source of services, of one': {
    ...find,
    options: (serviceOf) => ({ availability: {}, availabilitySource: { ...source, serviceOf } }),
  },
  'a source of services, of all': {
    ...find,
    options: (servicesOf) => ({ availability: {}, availabilitySource: { ...source, servicesOf } }),
    path: '/api/v2/services',
    query: 'applicationId=app-1',
  },
  'a source of hours': {
    ...find,
    options: (hoursOf) => ({ availability: {}, availabilitySource: { ...source, hoursOf } }),
  },
  'a source of busy times': {
    ...find,
    options: (busy) => ({ availability: {}, availabilitySource: source, busySources: [{ busy }] }),
    status: 200,
    signal: 'busySourceFailed',
  },
  'a directory of customers': {
    ...code,
    options: (contactOf) => ({ ...sending, customerDirectory: { contactOf }, notifiers: { email: mailer } }),
    body: { applicationId: 'app-1', username: 'ada' },
  },
  'a sender of codes': {
    ...code,
    options: (send) => ({ ...sending, notifiers: { email: { ...mailer, send } } }),
    body: { applicationId: 'app-1', username: 'ada@clinic.example' },
  },
  'a maker of ids': { ...create, options: (next) => ({ ids: { next } }) },
  'a clock': { ...create, options: (now) => ({ clock: { now } }) },
};

const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };
const secret = 'a secret of at least thirty-two bytes';

/** What a request comes to, and who is told of what. */
async function outcomeOf(of: Case, answer: () => unknown) {
  const store = memoryStore();
  const { id } = await createScheduling({ store, secret }).appointments.schedule(agent, {
    ...creation,
    customers: [{ username: 'ada' }],
  });
  const signals: string[] = [];
  const faults: unknown[] = [];
  const observer = { observe: ({ type }: { readonly type: string }): void => void signals.push(type) };
  const scheduling: Scheduling = createScheduling({ store, secret, observer, ...of.options(answer as () => never) });
  const http = schedulingHttp(scheduling, {
    authentication: 'host',
    availability: scheduling.availability.isOn,
    oneTimePasswords: true,
    requestTimeout: 60_000,
    onFault: (fault) => void faults.push(fault),
  });
  const headers: Readonly<Record<string, string | undefined>> = {
    'content-type': 'application/json',
    authorization: of.authorization,
  };
  const caller: Caller = {
    ...agent,
    roles: of.roles ?? ['ROLE_AGENT', 'ROLE_SUPERVISOR'],
    manage: { ticketId: 't', token: 't' },
  };
  const request: HttpRequest = {
    method: of.method,
    path: of.path.replace('{id}', id),
    query: of.query ?? '',
    header: (name) => headers[name],
    caller: () => ({ by: 'header', caller }),
    body: () => (of.body === undefined ? { kind: 'none' } : { kind: 'parsed', value: of.body }),
  };
  const response = await http.handle(request);
  await scheduling.close();
  const told = of.signal === undefined ? faults.length : signals.filter((type) => type === of.signal).length;
  return { status: response?.status, body: JSON.stringify(response?.body ?? ''), told };
}

describe.each(Object.entries(cases))('A part of the host that gives no answer: %s', (part, of) => {
  it.each(ends)(
    `a part of the host that gives no answer is a told fault, and ends no process: ${part} %s`,
    async (_end, answer) => {
      const unhandled = await unhandledIn(async () => {
        const { status, body, told } = await outcomeOf(of, answer);
        expect(status).toBe(of.status);
        expect(told).toBeGreaterThanOrEqual(1);
        expect(body).not.toMatch(/secret text|object Promise/);
      });
      expect(unhandled).toEqual([]);
    },
  );
});

describe('A part of the host that never answers over HTTP', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  // Ids and times are not waited for, and codes are sent after the answer.
  const asynchronous = Object.entries(cases).filter(
    ([part, { signal }]) => !['a maker of ids', 'a clock'].includes(part) && signal !== 'otpFailed',
  );
  it.each(asynchronous)(
    'a part of the host that never answers over HTTP is given up after 30 s, and told: %s',
    async (_part, of) => {
      const outcome = outcomeOf(of, () => new Promise(() => undefined));
      await vi.advanceTimersByTimeAsync(30_000);
      const { status, told } = await outcome;
      expect([status, told]).toEqual([of.status === 500 ? 503 : of.status, 1]);
    },
  );
});
