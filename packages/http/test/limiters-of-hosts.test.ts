import { createScheduling } from '@calends/core';
import type { Admission, Limiter } from '@calends/core/operations';
import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { schedulingHttp } from '../src/index.js';

const scheduling = createScheduling({ store: memoryStore(), secret: 'a secret of at least thirty-two bytes' });

/** The answer to a count, which anybody may ask for, under a limiter that answers so. */
async function counted(before: unknown, after: unknown = { admitted: true }) {
  const limits: Limiter = { beforeBody: () => before as Admission, afterDecoding: () => after as Admission };
  const http = schedulingHttp(scheduling, { authentication: 'host', countAuth: 'none', limits });
  const answer = await http.handle({
    method: 'GET',
    path: '/api/v2/appointments/count',
    query: 'applicationId=app-1&organizationId=org-1&start=2030-01-01T00:00:00Z&timeFrame=P1D',
    header: () => undefined,
    body: () => ({ kind: 'none' }),
  });
  return { status: answer?.status, retryAfter: answer?.headers['Retry-After'] };
}

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('the counter is away');
    },
  ],
  ['rejects', () => Promise.reject(new Error('the counter is away'))],
])('a limiter of the host whose release %s takes no answer away', async (_how, release) => {
  expect((await counted({ admitted: true, release })).status).toBe(200);
});

it('a limiter of the host is given back both of its places, once each', async () => {
  const given: string[] = [];
  const place = (name: string): Admission => ({ admitted: true, release: () => void given.push(name) });
  await counted(place('before the body'), place('after decoding'));
  expect(given).toEqual(['before the body', 'after decoding']);
});

it.each<[string, unknown, unknown]>([
  ['nothing, before the body', undefined, { admitted: true }],
  ['a bare no, before the body', false, { admitted: true }],
  ['a no with a time that is no number', { admitted: false, retryAfter: Number.NaN }, { admitted: true }],
  ['a no with a header in its time', { admitted: false, retryAfter: '1\r\nx-header: y' }, { admitted: true }],
  ['a bare yes, after decoding', { admitted: true }, true],
])('a limiter of the host that answers %s is a fault of the service', async (_what, before, after) => {
  expect(await counted(before, after)).toEqual({ status: 500, retryAfter: undefined });
});

it('a limiter of the host that answers parts of a second has the client wait for the whole', async () => {
  expect(await counted({ admitted: false, retryAfter: 0.4 })).toEqual({ status: 429, retryAfter: '1' });
});
