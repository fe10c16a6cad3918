import { createScheduling } from '@calends/core';
import type { Admission, Limiter } from '@calends/core/operations';
import { memoryStore } from '@calends/store-memory';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchHandler, type HttpRequest, schedulingHttp, type SchedulingHttpOptions } from '../src/index.js';
import { base, services } from './support/services.js';

const seconds = 1000;
const never = (): Promise<never> => new Promise(() => undefined);
const open: Admission = { admitted: true };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A list that is asked for over services with such options, and what becomes of it. */
function asked(options: Partial<SchedulingHttpOptions>, request: Partial<HttpRequest> = {}) {
  const scheduling = createScheduling({
    store: memoryStore(),
    secret: 'a secret of at least thirty-two bytes',
  });
  const told: string[] = [];
  const http = schedulingHttp(scheduling, {
    authentication: 'host',
    onFault: (fault) => told.push(String(fault)),
    ...options,
  });
  void http
    .handle({
      method: 'GET',
      path: '/api/v2/appointments',
      query: 'applicationId=app-1',
      header: () => undefined,
      caller: () => ({ caller: { id: 'supervisor-1', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] } }),
      body: () => ({ kind: 'none' }),
      ...request,
    })
    .then((answer) => told.push(`answered ${String(answer?.status)}`));
  return told;
}

/** A limiter of the host that tells what it gives and gets back. */
function countingPlaces(told: string[]): Limiter {
  return {
    beforeBody: () => ({ admitted: true, release: () => void told.push('given back') }),
    afterDecoding: () => open,
  };
}

const unavailable = 'CalendsError: A part of the host does not answer; try again.';

it.each<[string, Partial<SchedulingHttpOptions>, Partial<HttpRequest>]>([
  ['caller', {}, { caller: never }],
  ['verify', { authentication: { verify: never } }, { header: () => 'Bearer x' }],
  ['limiter, after decoding,', { limits: { beforeBody: () => open, afterDecoding: never } }, {}],
])(
  'a place at the limiter is given back 30 s after a host was asked whose %s never settles',
  async (_, more, request) => {
    const places: string[] = [];
    const counting = countingPlaces(places);
    const own = typeof more.limits === 'object' && 'afterDecoding' in more.limits ? more.limits : counting;
    asked({ ...more, limits: { ...own, beforeBody: counting.beforeBody } }, request);
    await vi.advanceTimersByTimeAsync(29 * seconds);
    expect(places).toEqual([]);
    await vi.advanceTimersByTimeAsync(1 * seconds);
    expect(places).toEqual(['given back']);
  },
);

it.each<[string, Partial<SchedulingHttpOptions>, Partial<HttpRequest>]>([
  ['caller', {}, { caller: never }],
  ['verify', { authentication: { verify: never } }, { header: () => 'Bearer x' }],
  ['limiter, before the body,', { limits: { beforeBody: never, afterDecoding: () => open } }, {}],
])('a host whose %s never settles has its clients wait for 30 s at most, and is told', async (_, more, request) => {
  const told = asked({ requestTimeout: 60 * seconds, ...more }, request);
  await vi.advanceTimersByTimeAsync(30 * seconds);
  expect(told).toEqual([unavailable, 'answered 503']);
});

it('a place that a limiter gives only when nobody waits for it any more is given back at once', async () => {
  const places: string[] = [];
  let give: (admission: Admission) => void = () => undefined;
  const beforeBody = (): Promise<Admission> => new Promise((resolve) => (give = resolve));
  const told = asked({ limits: { beforeBody, afterDecoding: () => open } });
  await vi.advanceTimersByTimeAsync(30 * seconds);
  expect(told.at(-1)).toBe('answered 503');
  give({ admitted: true, release: () => void places.push('given back') });
  await vi.advanceTimersByTimeAsync(0);
  expect(places).toEqual(['given back']);
});

it('what hooks of the host answer in time leaves no timer behind', async () => {
  const told = asked({ limits: { beforeBody: async () => open, afterDecoding: async () => open } });
  await vi.advanceTimersByTimeAsync(0);
  // A list without an entry.
  expect([told, vi.getTimerCount()]).toEqual([['answered 404'], 0]);
});

it('a host whose address of the fetch door never settles has its clients wait for the time of a request, and is told', async () => {
  const told: string[] = [];
  const served = services({ onFault: (fault) => told.push(String(fault)) });
  const handle = fetchHandler(served, { address: never });
  void handle(new Request(`https://clinic.example${base}`)).then((answer) =>
    told.push(`answered ${String(answer?.status)}`),
  );
  await vi.advanceTimersByTimeAsync(10 * seconds);
  expect(told).toEqual(['CalendsError: The request took too long.', 'answered 503']);
});
