import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fetchHandler, type HostCaller } from '../src/index.js';
import { agent, base, bearer, creation, services } from './support/services.js';

const site = 'https://clinic.example';

function post(body: ReadableStream | FormData | string | null, headers: Record<string, string> = {}): Request {
  const streamed = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
  const all = { ...bearer, 'content-type': 'application/json', ...headers };
  return new Request(`${site}${base}`, { method: 'POST', headers: all, body, ...streamed });
}

/** A body that comes in parts, and breaks where there is an error among them. */
function parts(...given: readonly (string | Error)[]): ReadableStream<Uint8Array> {
  let taken = 0;
  return new ReadableStream({
    pull(controller) {
      const part = given[taken++];
      if (part instanceof Error) throw part;
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
}

/** The same body as texts, as a stream of Node has it once an encoding is set. */
function texts(...given: readonly string[]): ReadableStream {
  return Readable.toWeb(Readable.from(given)) as ReadableStream;
}

const json = JSON.stringify(creation);

describe('the fetch door', () => {
  it.each<[string, Request, number]>([
    ['a body without any header about it', post(json), 200],
    ['a body in parts', post(parts(json.slice(0, 10), json.slice(10))), 200],
    ['a body whose announced length is nonsense', post(json, { 'content-length': 'x' }), 200],
    ['a body that was announced to be none', post(json, { 'content-length': '0' }), 200],
    ['no body', post(null), 400],
    ['an empty body', post(''), 400],
    ['an empty stream without a media type', post(parts(), { 'content-type': '' }), 400],
    ['a body announced as too large', post(parts(), { 'content-length': '300000' }), 413],
    ['a body that is too large', post(parts('"', 'x'.repeat(300_000), '"')), 413],
    ['a body in texts', post(texts(json.slice(0, 10), json.slice(10))), 200],
    ['a body in texts that is too large', post(texts('"', 'x'.repeat(300_000), '"')), 413],
    ['a body that breaks off', post(parts('{', new Error('gone'))), 400],
    ['a body of another media type', post('x', { 'content-type': 'text/plain' }), 415],
    ['a form', post(new FormData(), { 'content-type': 'multipart/form-data; boundary=x' }), 415],
  ])('the fetch door takes or refuses %s', async (_, request, status) => {
    expect((await fetchHandler(services())(request))?.status).toBe(status);
  });

  it('the fetch door answers a fault that the host is told of where the body was read before', async () => {
    const faults: unknown[] = [];
    const handle = fetchHandler(services({ onFault: (fault) => faults.push(fault) }));
    const request = post(json);
    const clone = request.clone();
    await request.text();
    expect((await handle(request))?.status).toBe(500);
    expect(faults).toEqual([expect.objectContaining({ message: expect.stringContaining('read before') })]);
    expect((await handle(clone))?.status).toBe(200);
  });

  it('the fetch door gives a body up that stands still once its Request is aborted', async () => {
    const client = new AbortController();
    let reason: unknown;
    const body = new ReadableStream(
      {
        pull: () => {
          client.abort();
          // Nothing more comes, and nobody says so.
          return new Promise<void>(() => undefined);
        },
        cancel: () => void (reason = 'given up'),
      },
      { highWaterMark: 0 },
    );
    const request = new Request(post(body), { signal: client.signal });
    expect((await fetchHandler(services())(request))?.status).toBe(400);
    expect(reason).toBe('given up');
  });

  it('the fetch door carries nothing out of a Request that was aborted before its body was read', async () => {
    const handle = fetchHandler(services());
    const request = new Request(post(json), { signal: AbortSignal.abort() });
    expect((await handle(request))?.status).toBe(400);
    expect((await handle(new Request(site + base, { headers: bearer })))?.status).toBe(404);
  });

  it('the fetch door does not look at a body that was read before where none is taken', async () => {
    const request = new Request(`${site}${base}/activate/x`, { method: 'POST', headers: bearer, body: 'x' });
    await request.text();
    expect((await fetchHandler(services())(request))?.status).toBe(404);
  });

  it.each<[string, string]>([
    ['another path', '/health'],
    ['a path that only begins like one of ours', `${base}s`],
    ['nothing', ''],
    ['two slashes', '//'],
    ['a broken escape', '/%'],
  ])('the fetch door leaves %s to the host', async (_, path) => {
    expect(await fetchHandler(services())(new Request(site + path))).toBeUndefined();
  });

  it('the fetch door leaves OPTIONS to the host', async () => {
    expect(await fetchHandler(services())(new Request(site + base, { method: 'OPTIONS' }))).toBeUndefined();
  });

  it('the fetch door is below a base path, and nowhere else', async () => {
    const handle = fetchHandler(services(), { basePath: '/calends' });
    expect((await handle(new Request(`${site}/calends${base}/count?x=1`)))?.status).toBe(401);
    for (const path of [base, `/calendsx${base}`, `/x/calends${base}`, '/calends']) {
      expect(await handle(new Request(site + path))).toBeUndefined();
    }
  });

  it('the fetch door answers HEAD, 204 and problems without what they may not have', async () => {
    const handle = fetchHandler(services());
    const made = await handle(post(json));
    const { id } = (await made!.json()) as { readonly id: string };
    const address = `${site}${base}/${id}`;
    const head = await handle(new Request(address, { method: 'HEAD', headers: bearer }));
    expect([head?.status, head?.body, head?.headers.get('etag')]).toEqual([200, null, '"1"']);
    const gone = await handle(new Request(`${address}/cancel`, { method: 'PUT', headers: bearer }));
    expect([gone?.status, gone?.body]).toEqual([204, null]);
    const none = await handle(new Request(address));
    expect([none?.status, none?.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="calends"']);
  });

  it.each<[string, number | undefined, string | undefined, string | undefined, number]>([
    ['the address that the host tells', undefined, '203.0.113.1', undefined, 429],
    ['the proxies of the host', 1, undefined, '9.9.9.9, 203.0.113.1', 429],
    ['no header that nobody trusts', undefined, undefined, '203.0.113.1', 200],
    ['nothing', 1, undefined, undefined, 200],
  ])('the fetch door limits by %s', async (_, trustProxy, address, forwarded, status) => {
    const limits = { address: { perSecond: 0.001, burst: 1 } };
    const handle = fetchHandler(services({ countAuth: 'none', limits }), {
      trustProxy,
      address: (_request: Request, peer: { readonly address: string | undefined }) => peer.address,
    });
    const count = `${site}${base}/count?applicationId=a&organizationId=o&timeFrame=P1D&start=2030-02-02T00:00:00Z`;
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const send = async () => (await handle(new Request(count, { headers }), { address }))?.status;
    expect(await send()).toBe(200);
    expect(await send()).toBe(status);
  });

  it('the fetch door limits by an address that the host tells later', async () => {
    const limits = { address: { perSecond: 0.001, burst: 1 } };
    const address = async (): Promise<string> => '203.0.113.1';
    const handle = fetchHandler(services({ countAuth: 'none', limits }), { address });
    const count = `${site}${base}/count?applicationId=a&organizationId=o&timeFrame=P1D&start=2030-02-02T00:00:00Z`;
    const send = async () => (await handle(new Request(count)))?.status;
    expect([await send(), await send()]).toEqual([200, 429]);
  });

  const anyCount = `${site}${base}/count?applicationId=a&organizationId=o&timeFrame=P1D&start=2030-02-02T00:00:00Z`;

  it('the fetch door takes null for an address that the host does not know', async () => {
    const handle = fetchHandler(services({ countAuth: 'none' }), { address: () => null });
    expect((await handle(new Request(anyCount)))?.status).toBe(200);
  });

  it.each<[string, () => unknown]>([
    ['answers an object, as Bun has it', () => ({ address: '203.0.113.1', family: 'IPv4', port: 1 })],
    [
      'throws',
      () => {
        throw new TypeError('no address');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('no address'))],
  ])('the fetch door answers a fault that the host is told of where its address %s', async (_how, address) => {
    const faults: unknown[] = [];
    const served = services({ countAuth: 'none', onFault: (fault) => faults.push(fault) });
    const answer = await fetchHandler(served, { address: address as () => string })(new Request(anyCount));
    expect(answer?.status).toBe(500);
    expect(await answer?.json()).toMatchObject({ code: 'internal', detail: expect.not.stringContaining('address') });
    expect(faults).toEqual([expect.objectContaining({ message: expect.stringContaining('address') })]);
  });

  it('the fetch door refuses to go without a caller where nothing else says who calls', () => {
    expect(() => fetchHandler(services({ authentication: 'host' }))).toThrow(
      /^options\.caller: is required with authentication: 'host'; /,
    );
  });

  it('the fetch door hands the Request and what came with it to the caller of the host (D77)', async () => {
    const handle = fetchHandler(services({ authentication: 'host' }), {
      caller: (request: Request, session: { readonly of?: string }): HostCaller | undefined =>
        session.of === 'agent-1' && request.headers.get('cookie') === 'sid=1' ? { caller: agent } : undefined,
    });
    const send = async (origin: string, session: object, cookie = 'sid=1') =>
      (await handle(post(json, { authorization: '', cookie, origin }), session))?.status;
    expect(await send(site, { of: 'agent-1' })).toBe(200);
    expect(await send('https://evil.example', { of: 'agent-1' })).toBe(403);
    expect(await send(site, {})).toBe(401);
    expect(await send(site, { of: 'agent-1' }, 'sid=2')).toBe(401);
  });

  it.each<[string, object]>([
    ['basePath', { basePath: 'calends' }],
    ['basePath', { basePath: '/calends/' }],
    ['basePath', { basePath: '/die termine' }],
    ['basePath', { basePath: '/règles' }],
    ['trustProxy', { trustProxy: -1 }],
    ['trustProxy', { trustProxy: '1' }],
    ['caller', { caller: agent }],
    ['address', { address: '127.0.0.1' }],
    ['did you mean trustProxy', { trustproxy: 1 }],
    ['options: must be an object.', null as never],
  ])('the fetch door checks its options at start: %s of %j', (name, options) => {
    expect(() => fetchHandler(services(), options)).toThrow(name);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['half of them', { match: () => undefined }],
    ['a promise of the services', Promise.resolve(services())],
  ])('the fetch door refuses %s in the place of the services', (_what, given) => {
    expect(() => fetchHandler(given as never)).toThrow('schedulingHttp');
  });
});
