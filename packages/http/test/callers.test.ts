import { type Caller, createScheduling } from '@calends/core';
import type { SecurityEvent } from '@calends/core/operations';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { type HostCaller, type HttpRequest, schedulingHttp, type SchedulingHttpOptions } from '../src/index.js';

const base = '/api/v2/appointments';
const secret = 'a secret of the tests that has more than 32 bytes';
const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };
const unknown = `${base}/0194222d-ffff-7fff-8fff-ffffffffffff`;

/** The services, and what they told and asked. */
function services(options: Partial<SchedulingHttpOptions> = {}) {
  const told: SecurityEvent[] = [];
  const faults: unknown[] = [];
  const scheduling = createScheduling({
    store: memoryStore(),
    secret,
    observer: {
      observe: (signal) => {
        if (signal.type === 'security') told.push(signal);
      },
    },
  });
  const http = schedulingHttp(scheduling, {
    authentication: 'host',
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  const send = async (
    method: string,
    headers: Readonly<Record<string, string>>,
    caller?: HttpRequest['caller'],
    body: HttpRequest['body'] = () => ({ kind: 'none' }),
  ): Promise<number | undefined> => {
    const path = method === 'POST' ? base : unknown;
    const answer = await http.handle({ method, path, query: '', header: (name) => headers[name], body, caller });
    return answer?.status;
  };
  return { send, told, faults };
}

const says = (by?: HostCaller['by']) => (): HostCaller =>
  by === undefined ? { caller: agent } : { caller: agent, by };
const read = (): never => {
  throw new Error('The body was read.');
};

describe('a caller whom the host names (D77)', () => {
  it.each<[string, string, Record<string, string>, boolean]>([
    ['GET', 'without any header', {}, true],
    ['GET', 'from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, true],
    ['HEAD', 'from another site', { 'sec-fetch-site': 'cross-site' }, true],
    ['DELETE', 'of the same origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['DELETE', 'of nobody’s page', { 'sec-fetch-site': 'none' }, true],
    ['DELETE', 'of a sibling of the site', { 'sec-fetch-site': 'same-site' }, false],
    ['DELETE', 'of another site', { 'sec-fetch-site': 'cross-site' }, false],
    [
      'DELETE',
      'of another site that names ours',
      { 'sec-fetch-site': 'cross-site', origin: 'https://clinic.example' },
      false,
    ],
    ['DELETE', 'with a word that is none', { 'sec-fetch-site': 'Same-Origin' }, false],
    ['DELETE', 'of our origin', { origin: 'https://clinic.example' }, true],
    ['DELETE', 'of our origin in capitals of Host', { origin: 'https://clinic.example', host: 'Clinic.Example' }, true],
    ['DELETE', 'of another origin', { origin: 'https://evil.example' }, false],
    ['DELETE', 'of another port', { origin: 'https://clinic.example:444' }, false],
    ['DELETE', 'of an origin that only begins like ours', { origin: 'https://clinic.example.evil.example' }, false],
    ['DELETE', 'of no origin', { origin: 'null' }, false],
    ['DELETE', 'that says nothing', {}, false],
  ])('a caller whom the host names by cookie: %s %s', async (method, _, headers, taken) => {
    const { send, told } = services();
    const status = await send(method, { host: 'clinic.example', ...headers }, says());
    expect(status).toBe(taken ? 404 : 403);
    expect(told.map(({ kind }) => kind)).toEqual(taken ? [] : ['foreignOrigin']);
  });

  it.each<[string, string, number]>([
    ['the public address', 'https://clinic.example', 404],
    ['the name that was asked', 'http://internal:3000', 403],
    ['another scheme', 'http://clinic.example', 403],
  ])('a caller whom the host names by cookie, with publicUrl: the origin of %s', async (_, origin, status) => {
    const { send } = services({ publicUrl: 'https://clinic.example/calends' });
    expect(await send('DELETE', { host: 'internal:3000', origin }, says())).toBe(status);
  });

  it.each([
    ['cookie', 'cookie', 403],
    ['nothing', undefined, 403],
    ['header', 'header', 404],
    ['something else', 'session' as never, 403],
  ] as const)(
    'a caller whom the host names by %s: a request that does not say where it is from',
    async (_, by, status) => {
      expect(await services().send('DELETE', {}, says(by))).toBe(status);
    },
  );

  it('a caller whom the host names is refused before the body is read', async () => {
    const json = { 'content-type': 'application/json' };
    expect(await services().send('POST', { ...json, 'sec-fetch-site': 'cross-site' }, says(), read)).toBe(403);
    const { send, faults } = services();
    expect(await send('POST', { ...json, 'sec-fetch-site': 'same-origin' }, says(), read)).toBe(500);
    expect(faults).toHaveLength(1);
  });

  it.each<[string, HttpRequest['caller']]>([
    ['nobody', () => undefined],
    ['nobody, later', () => Promise.resolve(undefined)],
    ['nobody, by null', () => null as never],
    ['nothing, for the door asks nothing', undefined],
  ])('a caller that the host names as %s is answered 401', async (_, caller) => {
    expect(await services().send('GET', {}, caller)).toBe(401);
  });

  it('a caller whom the host names is a fault of the service where the host fails, or answers a bare caller', async () => {
    const { send, faults } = services();
    expect(await send('GET', {}, () => Promise.reject(new Error('the session store is down')))).toBe(500);
    expect(await send('GET', {}, () => agent as never)).toBe(500);
    expect(faults).toHaveLength(2);
  });

  it.each<[string, unknown]>([
    ['without roles', { id: 'agent-1', organizationId: 'org-1' }],
    ['whose roles are a text', { ...agent, roles: 'ROLE_ADMIN' }],
    ['whose roles are a set', { ...agent, roles: new Set(['ROLE_ADMIN']) }],
    ['who is a user name with a code', { username: 'ada@example.org', code: '123456' }],
    ['who is null', null],
    ['without an organization', { id: 'agent-1', roles: ['ROLE_AGENT'] }],
    ['without an id', { organizationId: 'org-1', roles: ['ROLE_AGENT'] }],
  ])('a caller %s is refused wherever a caller is asked for (401)', async (_, given) => {
    const scheduling = createScheduling({ store: memoryStore(), secret });
    const verify = () => given as Caller;
    const paths = ['/api/notifications/webhooks/types', base, unknown, `${base}/eligible`];
    for (const authentication of ['host', { verify }] as const) {
      const http = schedulingHttp(scheduling, { authentication });
      const headers: Readonly<Record<string, string>> = authentication === 'host' ? {} : { authorization: 'Bearer x' };
      const header = (name: string): string | undefined => headers[name];
      const caller = () => ({ caller: given as Caller });
      for (const path of paths) {
        const request = { method: 'GET', path, query: '', header, caller, body: read };
        expect([path, (await http.handle(request))?.status]).toEqual([path, 401]);
      }
    }
  });

  it.each<[string, unknown]>([
    ['roles', { id: 'agent-1', organizationId: 'org-1' }],
    ['organizationId', { id: 'agent-1', roles: ['ROLE_AGENT'] }],
    ['id', 'agent-1'],
    ['applicationIds', { ...agent, applicationIds: 'app-1' }],
  ])(
    'a caller whom a verifier names without the right %s is refused, and the host is told why',
    async (field, given) => {
      const { send, faults } = services({ authentication: { verify: () => given as Caller } });
      expect(await send('GET', { authorization: 'Bearer x' })).toBe(401);
      const who = 'authentication (verify, or claims)';
      expect(faults).toEqual([new TypeError(`${who} must answer a caller; ${field} is missing or not valid.`)]);
    },
  );

  it('a caller whom the host names without roles is refused, and the host is told why', async () => {
    const { send, faults } = services();
    const { roles: _roles, ...given } = agent;
    expect(await send('GET', {}, () => ({ caller: given as Caller }))).toBe(401);
    expect(faults).toEqual([new TypeError('caller(request) must answer a caller; roles is missing or not valid.')]);
  });

  it('a caller who is nobody is no fault', async () => {
    const verifying = services({ authentication: { verify: () => undefined } });
    expect(await verifying.send('GET', { authorization: 'Bearer x' })).toBe(401);
    const asking = services();
    expect(await asking.send('GET', {}, () => ({ caller: null as never }))).toBe(401);
    expect([...verifying.faults, ...asking.faults]).toEqual([]);
  });

  it('a caller whom the host names is not asked where a bearer token decides, and lends a wrong one nothing', async () => {
    const asked: string[] = [];
    const verify = (token: string): Caller | undefined => (token === 'right' ? agent : undefined);
    const { send } = services({ authentication: { verify } });
    const caller = (): HostCaller => {
      asked.push('asked');
      return { caller: agent };
    };
    expect(await send('GET', { authorization: 'Bearer right' }, caller)).toBe(404);
    expect(await send('GET', { authorization: 'Bearer wrong' }, caller)).toBe(401);
    expect(asked).toEqual([]);
    expect(await send('GET', {}, caller)).toBe(404);
    expect(asked).toEqual(['asked']);
  });

  it('a caller whom the host names may be read from the Authorization header by the host itself', async () => {
    expect(await services().send('DELETE', { authorization: 'Bearer of the host' }, says('header'))).toBe(404);
  });
});
