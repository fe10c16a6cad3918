import { type Caller, CalendsError, createScheduling } from '@calends/core';
import type { ServiceRules } from '@calends/model';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { schedulingHttp } from '../src/index.js';

/*
 * What limits-through-both-doors.test.ts shows of appointments, of free times: the library and HTTP take and refuse the same.
 */

const staff: Caller = { id: 'supervisor-1', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] };
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `room-${String(index)}`);
const rules: ServiceRules = {
  title: 'Consultation',
  timezone: 'UTC',
  durations: ['PT30M'],
  grid: { step: 'PT30M' },
  requirements: [{ kind: 'resource', anyOf: many(100) }],
};
const scheduling = createScheduling({
  store: memoryStore(),
  secret: 'a secret of the tests that has more than 32 bytes',
  clock: { now: () => Date.UTC(2030, 0, 1) },
  availability: { services: { 'app-1': { rooms: rules } } },
});
const { availability } = scheduling;
const http = schedulingHttp(scheduling, { authentication: { verify: () => staff }, availability: true, limits: 'off' });

interface Doors {
  readonly library: () => Promise<unknown>;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
}

const asked = { applicationId: 'app-1', serviceId: 'rooms' };
const from = '2030-01-02T00:00:00Z';

const find = (more: {
  readonly to?: string;
  readonly agentIds?: readonly string[];
  readonly serviceId?: string;
}): Doors => {
  const { agentIds, ...rest } = { ...asked, from, to: '2030-01-03T00:00:00Z', ...more };
  const query = new URLSearchParams([
    ...Object.entries(rest),
    ...(agentIds ?? []).map((id): [string, string] => ['agentId', id]),
  ]);
  return {
    library: () => availability.find(staff, { ...rest, agentIds }),
    method: 'GET',
    path: `/api/v2/availability?${query.toString()}`,
  };
};
const save = (changes: object): Doors => ({
  library: () =>
    availability.services.save(staff, { applicationId: 'app-1', serviceId: 'new', rules: { ...rules, ...changes } }),
  method: 'PUT',
  path: '/api/v2/services/new?applicationId=app-1',
  json: { ...rules, ...changes },
});
const rooms = (count: number, atOnce = 1): Doors =>
  save({ requirements: [{ kind: 'resource', anyOf: many(count), count: atOnce }] });
const hold = (replaces: string): Doors => {
  const command = { ...asked, start: '2030-01-02T09:00:00Z', duration: 'PT30M', replaces };
  return {
    library: () => availability.hold(staff, command),
    method: 'POST',
    path: '/api/v2/holds',
    json: command,
  };
};

/** The code of an error, `taken` without one. */
async function inLibrary({ library }: Doors): Promise<string> {
  try {
    await library();
    return 'taken';
  } catch (error) {
    if (!CalendsError.is(error)) throw error;
    return error.code;
  }
}

async function overHttp({ method, path: address, json }: Doors): Promise<string> {
  const [path = '', query = ''] = address.split('?');
  const headers: Readonly<Record<string, string>> = { authorization: 'Bearer x', 'content-type': 'application/json' };
  const response = await http.handle({
    method,
    path,
    query,
    header: (name) => headers[name],
    body: () => (json === undefined ? { kind: 'none' } : { kind: 'parsed', value: json }),
  });
  const body = typeof response?.body === 'string' ? response.body : '{}';
  const { code = 'taken' } = JSON.parse(body) as { readonly code?: string };
  return code;
}

describe('the limits of free times', () => {
  it.each<[limit: string, last: Doors, verdict: string, first: Doors]>([
    ['days of a question', find({ to: '2030-04-04T02:00:00Z' }), 'taken', find({ to: '2030-04-04T02:00:01Z' })],
    ['agents of a question', find({ agentIds: many(100) }), 'not_found', find({ agentIds: many(101) })],
    ['ids of services', find({ serviceId: 'x'.repeat(64) }), 'not_found', find({ serviceId: 'x'.repeat(65) })],
    ['actors of a requirement', rooms(100), 'taken', rooms(101)],
    ['actors at once', rooms(100, 10), 'taken', rooms(100, 11)],
    ['titles of services', save({ title: 'x'.repeat(200) }), 'taken', save({ title: 'x'.repeat(201) })],
    ['tokens of holds', hold('x'.repeat(200)), 'not_found', hold('x'.repeat(201))],
  ])('the limits of free times are the same in the library and over HTTP: %s', async (_, last, verdict, first) => {
    expect([await inLibrary(last), await overHttp(last)]).toEqual([verdict, verdict]);
    expect([await inLibrary(first), await overHttp(first)]).toEqual(['validation_failed', 'validation_failed']);
  });
});
