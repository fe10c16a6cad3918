import { describe, expect, it } from 'vitest';
import { fetchHandler, type HttpRequest, type SchedulingHttpOptions } from '../src/index.js';
import { agent, base, services } from './support/services.js';
import { unhandledIn } from '../../../scripts/unhandled.js';

const away = (): Promise<never> => Promise.reject(new Error('the session store is away'));

/** A request that the host names the caller of, or one with a token. */
async function statusOf(options: Partial<SchedulingHttpOptions>, caller?: unknown, method = 'GET') {
  const http = services({ onFault: () => undefined, ...options });
  const request: HttpRequest = {
    method,
    path: `${base}/0194222d-ffff-7fff-8fff-ffffffffffff`,
    query: '',
    header: (name) => (name === 'authorization' && caller === undefined ? 'Bearer a.b.c' : undefined),
    caller: caller as HttpRequest['caller'],
    body: () => ({ kind: 'none' }),
  };
  return (await http.handle(request))?.status;
}

/** The broken answers of callers, each with a promise that rejects in the place of a value. */
const callers: readonly (readonly [string, () => unknown])[] = [
  ['the id', () => ({ ...agent, id: away() })],
  ['the organization', () => ({ ...agent, organizationId: away() })],
  ['the roles', () => ({ ...agent, roles: away() })],
  ['one of the roles', () => ({ ...agent, roles: [away()] })],
  ['one of the applications', () => ({ ...agent, applicationIds: [away()] })],
  ['the manage claims', () => ({ ...agent, manage: { ticketId: away(), token: away() } })],
  ['a field of the organization', () => ({ ...agent, organizationId: { id: away() } })],
  ['a field of one of the roles', () => ({ ...agent, roles: [{ name: away() }] })],
  ['a field that no caller has', () => ({ ...agent, id: undefined, name: away() })],
];

describe('A missing `await` in an answer of the host', () => {
  it.each(callers)('a missing `await` in an answer of `verify` ends no process: %s', async (_field, verify) => {
    const unhandled = await unhandledIn(async () => {
      expect(await statusOf({ authentication: { verify: verify as () => never } })).toBe(401);
    });
    expect(unhandled).toEqual([]);
  });

  it.each<readonly [string, () => unknown, number, string]>([
    ...callers.map(([field, named]) => [field, () => ({ caller: named(), by: 'header' }), 401, 'GET'] as const),
    ['the caller', () => ({ caller: away(), by: 'header' }), 401, 'GET'],
    ['a bare caller', () => ({ ...agent, id: away() }), 500, 'GET'],
    ['how the request says it', () => ({ caller: agent, by: away() }), 404, 'GET'],
    ['the caller of another site', () => ({ caller: { ...agent, id: away() } }), 403, 'DELETE'],
  ])('a missing `await` in an answer of `caller` ends no process: %s', async (_field, caller, status, method) => {
    const unhandled = await unhandledIn(async () => {
      expect(await statusOf({ authentication: 'host' }, caller, method)).toBe(status);
    });
    expect(unhandled).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['admitted', () => ({ admitted: away() })],
    ['release', () => ({ admitted: true, release: away() })],
    ['retryAfter', () => ({ admitted: false, retryAfter: away() })],
    ['a field of release', () => ({ admitted: true, release: { call: away() } })],
    ['a field that no limiter has', () => ({ admitted: 'yes', left: away() })],
  ])('a missing `await` in an answer of a limiter ends no process: %s', async (_field, answer) => {
    const limits = { beforeBody: answer as () => never, afterDecoding: answer as () => never };
    const unhandled = await unhandledIn(async () => expect(await statusOf({ limits })).toBe(500));
    expect(unhandled).toEqual([]);
  });

  it('a missing `await` in an answer of `address` ends no process', async () => {
    const faults: unknown[] = [];
    const address = (): never => ({ address: away(), of: { peer: away() } }) as never;
    const handle = fetchHandler(services({ onFault: (fault) => faults.push(fault) }), { address });
    const unhandled = await unhandledIn(async () => {
      expect((await handle(new Request(`http://clinic.example${base}`)))?.status).toBe(500);
    });
    expect([unhandled, faults.length]).toEqual([[], 1]);
  });

  it.each<[string, () => unknown]>([
    ['a promise', away],
    ['fields that are promises', () => ({ now: away() })],
    ['nothing', () => undefined],
    ['no number', () => NaN],
  ])('a clock of the verifier that answers %s is a fault of the service, and ends no process', async (_what, now) => {
    const faults: unknown[] = [];
    const authentication = { secret: 'a secret of at least thirty-two bytes', now: now as () => number };
    const unhandled = await unhandledIn(async () => {
      expect(await statusOf({ authentication, onFault: (fault) => faults.push(fault) })).toBe(500);
    });
    expect(unhandled).toEqual([]);
    expect(faults).toEqual([new TypeError('authentication.now: must answer epoch milliseconds.')]);
  });
});
