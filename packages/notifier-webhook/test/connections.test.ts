import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { listening, receiver } from './support/receiver.js';
import { certificate } from './support/certificate.js';
import { attempt, localEndpoint, messageFor, notifier } from './support/sending.js';

const notPublic = {
  status: 'failed',
  permanent: true,
  error: 'The endpoint cannot be used: url leads to an address that is not public; allowPrivateNetwork is off.',
};

/** undici gives a connection back one turn of the event loop after its answer. */
async function connectionIsFree(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a host name', () => {
  it.each([
    [['127.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['2606:4700:4700::1111', '93.184.216.34', '::ffff:127.0.0.1']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['fd00:ec2::254']],
    [['64:ff9b::7f00:1']],
    [['2130706433']],
    [['127.1']],
    [['localhost']],
    [['']],
  ])('a host name that leads to %j is not called', async (addresses) => {
    const { port, connections } = await receiver();
    const asked: string[] = [];
    const sender = notifier({
      resolve: async (hostname) => {
        asked.push(hostname);
        return addresses;
      },
    });
    for (const scheme of ['http', 'https']) {
      const endpoint = localEndpoint(`${scheme}://hook.test:${String(port)}/`, { allowPrivateNetwork: false });
      expect(sender.endpointFault(endpoint)).toBeUndefined();
      expect(await sender.send(messageFor(endpoint), attempt())).toEqual(notPublic);
    }
    expect(asked).toEqual(['hook.test', 'hook.test']);
    expect(connections()).toBe(0);
  });

  it('web hook SSRF at send time: a public name that leads inside by then is not called', async () => {
    const { port, connections } = await receiver();
    let addresses = ['93.184.216.34'];
    const sender = notifier({ resolve: async () => addresses });
    const endpoint = localEndpoint(`https://hook.test:${String(port)}/`, { allowPrivateNetwork: false });
    // When it is configured, nothing is wrong with it.
    expect(sender.endpointFault(endpoint)).toBeUndefined();
    for (const inside of ['127.0.0.1', '169.254.169.254', '::1', '10.0.0.7']) {
      addresses = [inside];
      expect(await sender.send(messageFor(endpoint), attempt())).toEqual(notPublic);
    }
    expect(connections()).toBe(0);
  });

  it('a host name is resolved once per connection, and the connection goes where that answer says', async () => {
    const first = await receiver();
    const rebound = await receiver(undefined, { host: '127.0.0.2', port: first.port });
    const resolve = vi.fn(async () => [resolve.mock.calls.length === 1 ? '127.0.0.1' : '127.0.0.2']);
    const sender = notifier({ resolve });
    const endpoint = localEndpoint(`http://hook.test:${String(first.port)}/`);
    for (let call = 0; call < 3; call += 1) {
      await sender.send(messageFor(endpoint), attempt());
      await connectionIsFree();
    }
    expect(resolve.mock.calls).toEqual([['hook.test']]);
    expect([first.requests.length, rebound.requests.length]).toEqual([3, 0]);
    expect(first.connections()).toBe(1);
    expect(first.requests[0]?.headers.host).toBe(`hook.test:${String(first.port)}`);
    await first.stop();
    const statuses: string[] = [];
    // Sends that begin before the end of the first connection is seen still go there, and fail.
    while (statuses.length < 20 && !statuses.includes('delivered')) {
      statuses.push((await sender.send(messageFor(endpoint), attempt())).status);
      await connectionIsFree();
    }
    expect(statuses).toContain('delivered');
    expect(rebound.requests.length).toBe(1);
    expect(resolve.mock.calls.length).toBeGreaterThan(1);
  });

  it('a host name with a connection into the private network does not lend it to an endpoint that may not go there', async () => {
    const { port, connections, requests } = await receiver();
    const resolve = vi.fn(async () => ['127.0.0.1']);
    const sender = notifier({ resolve });
    const allowed = localEndpoint(`http://hook.test:${String(port)}/`);
    const strict = { ...allowed, allowPrivateNetwork: false };
    expect(await sender.send(messageFor(allowed), attempt())).toMatchObject({ status: 'delivered' });
    await connectionIsFree();
    expect(await sender.send(messageFor(strict), attempt())).toEqual(notPublic);
    expect(await sender.send(messageFor(allowed), attempt())).toMatchObject({ status: 'delivered' });
    expect([connections(), requests.length, resolve.mock.calls.length]).toEqual([1, 2, 2]);
  });

  it('a host name with several addresses is reached at one that answers', async () => {
    const { port } = await receiver();
    const sender = notifier({ resolve: async () => ['127.0.0.3', '127.0.0.1'] });
    const result = await sender.send(messageFor(localEndpoint(`http://hook.test:${String(port)}/`)), attempt());
    expect(result).toMatchObject({ status: 'delivered' });
  });

  it.each([
    [
      'is unknown',
      async () => Promise.reject(Object.assign(new Error('secret.test'), { code: 'ENOTFOUND' })),
      'ENOTFOUND',
    ],
    ['has no address', async () => [], 'ENOTFOUND'],
    [
      'cannot be asked for now',
      async () => Promise.reject(Object.assign(new Error(), { code: 'EAI_AGAIN' })),
      'EAI_AGAIN',
    ],
    ['is asked for in vain', async () => Promise.reject(new Error('secret.test')), 'EUNKNOWN'],
  ])('a host name that %s is a failure that another attempt may mend', async (_why, resolve, word) => {
    const result = await notifier({ resolve }).send(messageFor(localEndpoint('https://hook.test/')), attempt());
    expect(result).toEqual({ status: 'failed', permanent: false, error: `No connection could be made (${word}).` });
  });

  it('a host name that nobody resolves in time is a failure that another attempt may mend', async () => {
    const sender = notifier({ resolve: () => new Promise(() => undefined), connectTimeout: 20 });
    const result = await sender.send(messageFor(localEndpoint('https://hook.test/')), attempt());
    expect(result).toEqual({ status: 'failed', permanent: false, error: 'No connection could be made (ETIMEDOUT).' });
  });
});

describe('TLS', () => {
  const overTls = { tls: true };
  const resolve = async () => ['127.0.0.1'];

  it('TLS checks the certificate against the name, and asks for that name', async () => {
    const { port, requests } = await receiver(undefined, overTls);
    const sender = notifier({ resolve, ca: certificate });
    for (const host of ['hook.test', 'hook.test.']) {
      const endpoint = localEndpoint(`https://${host}:${String(port)}/`, { allowHttp: false });
      expect(await sender.send(messageFor(endpoint), attempt())).toMatchObject({ status: 'delivered' });
    }
    expect(requests.map((each) => each.servername)).toEqual(['hook.test', 'hook.test']);
  });

  it('TLS checks it against the address where there is no name', async () => {
    const { url, requests } = await receiver(undefined, overTls);
    const result = await notifier({ ca: [certificate] }).send(messageFor(localEndpoint(url)), attempt());
    expect(result).toMatchObject({ status: 'delivered' });
    expect(requests[0]?.servername).toBe(false);
  });

  it.each([
    ['of another name', 'other.test', certificate, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['of another address', '127.0.0.2', certificate, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that nobody signed who is trusted', 'hook.test', undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('TLS refuses a certificate %s, also when the environment would not', async (_why, host, ca, word) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { port, requests } = await receiver(undefined, { tls: true, ...(host === '127.0.0.2' ? { host } : {}) });
    const sender = notifier({ resolve, ca });
    const result = await sender.send(messageFor(localEndpoint(`https://${host}:${String(port)}/`)), attempt());
    vi.unstubAllEnvs();
    expect(result).toEqual({ status: 'failed', permanent: false, error: `No connection could be made (${word}).` });
    expect(requests).toEqual([]);
  });
});

describe('a connection', () => {
  it('a connection that is refused is a failure that another attempt may mend', async () => {
    const { url, stop } = await receiver();
    await stop();
    const result = await notifier().send(messageFor(localEndpoint(url)), attempt());
    expect(result).toEqual({
      status: 'failed',
      permanent: false,
      error: 'No connection could be made (ECONNREFUSED).',
    });
  });

  it('a connection whose TLS never comes about is given up after the time for it', async () => {
    const { port } = await listening(createServer());
    const sender = notifier({ connectTimeout: 20 });
    const result = await sender.send(messageFor(localEndpoint(`https://127.0.0.1:${String(port)}/`)), attempt());
    expect(result).toEqual({ status: 'failed', permanent: false, error: 'No connection could be made (ETIMEDOUT).' });
  });

  it('a connection goes past the proxy of the environment', async () => {
    const proxy = await receiver();
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'NODE_USE_ENV_PROXY']) {
      vi.stubEnv(name, name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${String(proxy.port)}`);
    }
    const { url, requests } = await receiver();
    await notifier().send(messageFor(localEndpoint(url)), attempt());
    vi.unstubAllEnvs();
    expect([requests.length, proxy.connections()]).toEqual([1, 0]);
  });

  it('a connection is made a hundred times at once, and all arrive', async () => {
    const { url, requests } = await receiver();
    const sender = notifier();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        sender.send(messageFor(localEndpoint(url), { notificationId: String(index) }), attempt()),
      ),
    );
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['delivered']));
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
  });
});
