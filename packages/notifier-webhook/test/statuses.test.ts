import type { SendResult } from '@calends/core/notifier';
import { describe, expect, it } from 'vitest';
import { receiver } from './support/receiver.js';
import { attempt, localEndpoint, messageFor, notifier } from './support/sending.js';

/** What a receiver answers is never found in what it leads to. */
const answerText = 'text of the receiver';

async function sendTo(status: number, headers: Readonly<Record<string, string>> = {}): Promise<SendResult> {
  const { url, requests } = await receiver((_request, response) => {
    response.writeHead(status, { location: '/elsewhere', ...headers });
    response.end([204, 304].includes(status) ? undefined : answerText);
  });
  const now = Date.parse('2026-05-04T09:00:00Z');
  const result = await notifier({ clock: { now: () => now } }).send(messageFor(localEndpoint(url)), attempt());
  expect(requests).toHaveLength(1);
  return result;
}

describe('an answer', () => {
  it.each([200, 201, 202, 204, 206, 299])('the status %i is delivered', async (status) => {
    expect(await sendTo(status)).toEqual({ status: 'delivered', providerStatus: String(status) });
  });

  it.each([400, 401, 403, 404, 422])('the status %i is a permanent failure', async (status) => {
    expect(await sendTo(status, { 'retry-after': '5' })).toEqual({
      status: 'failed',
      permanent: true,
      error: `The endpoint answered ${String(status)}.`,
      providerStatus: String(status),
    });
  });

  it('the status 410 is a permanent failure, and the endpoint is gone', async () => {
    expect(await sendTo(410)).toEqual({
      status: 'failed',
      permanent: true,
      error: 'The endpoint answered 410.',
      providerStatus: '410',
      endpointGone: true,
    });
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    'the status %i is a permanent failure and is not followed',
    async (status) => {
      expect(await sendTo(status)).toEqual({
        status: 'failed',
        permanent: true,
        error: `The endpoint answered ${String(status)}; redirects are not followed, so its new address must be set.`,
        providerStatus: String(status),
      });
    },
  );

  it.each([402, 405, 406, 408, 409, 411, 413, 415, 418, 421, 425, 429, 451, 500, 501, 502, 503, 504, 507, 599])(
    'the status %i is a failure that another attempt may mend',
    async (status) => {
      expect(await sendTo(status)).toEqual({
        status: 'failed',
        permanent: false,
        error: `The endpoint answered ${String(status)}.`,
        providerStatus: String(status),
      });
    },
  );

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['86400', 86_400_000],
    ['Mon, 04 May 2026 09:00:30 GMT', 30_000],
    ['Monday, 04-May-26 09:00:30 GMT', 30_000],
    ['Mon May  4 09:00:30 2026', 30_000],
    ['Mon, 04 May 2026 08:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['99999999999', undefined],
    ['Mon, 99 May 2026 09:00:30 GMT', undefined],
    ['2026-05-04T09:00:30Z', undefined],
  ])('an answer with Retry-After %s asks for %s ms', async (retryAfter, milliseconds) => {
    for (const status of [429, 503]) {
      expect(await sendTo(status, { 'retry-after': retryAfter })).toEqual({
        status: 'failed',
        permanent: false,
        error: `The endpoint answered ${String(status)}.`,
        providerStatus: String(status),
        ...(milliseconds === undefined ? {} : { retryAfter: milliseconds }),
      });
    }
  });

  it('an answer that is announced by 103 is the one that counts', async () => {
    const { url } = await receiver((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(503).end();
    });
    const result = await notifier().send(messageFor(localEndpoint(url)), attempt());
    expect(result).toMatchObject({ status: 'failed', providerStatus: '503' });
  });
});
