import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { generateWebhookSecret, verifyWebhook } from '../src/index.js';
import { receiver } from './support/receiver.js';
import { attempt, localEndpoint, messageFor, notifier, secret } from './support/sending.js';

const timestamp = Math.floor(Date.now() / 1000);

describe('a request', () => {
  it('a request is a signed POST of the kept body', async () => {
    const { url, requests } = await receiver();
    const message = messageFor(localEndpoint(`${url}/a%20b?key=%26#part`), { timestamp });
    await notifier().send(message, attempt());
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hook/a%20b?key=%26', body: Buffer.from(message.body) });
    expect(request?.headers).toEqual({
      host: new URL(url).host,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(message.body)),
      'user-agent': 'Calends-Webhooks/1',
      'webhook-id': message.notificationId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(verifyWebhook({ ...request!, secret })).toEqual(JSON.parse(message.body));
    expect(new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)).toEqual(
      JSON.parse(message.body),
    );
  });

  it('a request has a signature for each secret while one is being rotated, and nothing of the secrets', async () => {
    const secrets = [generateWebhookSecret(), generateWebhookSecret()];
    const { url, requests } = await receiver();
    await notifier().send(messageFor(localEndpoint(url, { secret: secrets }), { timestamp }), attempt());
    const [request] = requests;
    for (const each of secrets) {
      expect(verifyWebhook({ ...request!, secret: each }).type).toBe('CREATE');
      new Webhook(each).verify(request!.body, request!.headers as Record<string, string>);
      expect(JSON.stringify(request!.headers)).not.toContain(each.slice(6));
    }
    expect(() => verifyWebhook({ ...request!, secret })).toThrow('No signature matches');
  });

  it('a request has one header of "_" and "-" in the same place, that of the endpoint', async () => {
    const { url, requests } = await receiver();
    const headers = { 'X-Tenant-Key': 'endpoint', x_shared_id: 'endpoint' };
    const message = messageFor(localEndpoint(url, { headers }), {
      headers: { X_Tenant_Key: 'appointment', 'x-shared_id': 'appointment', x_own: 'appointment' },
    });
    await notifier().send(message, attempt());
    const names = /^x[-_](?:tenant|shared|own)/;
    const received = Object.entries(requests[0]?.headers ?? {}).filter(([name]) => names.test(name));
    expect(Object.fromEntries(received)).toEqual({
      'x-tenant-key': 'endpoint',
      x_shared_id: 'endpoint',
      x_own: 'appointment',
    });
  });

  it('a request has the headers of the appointment, replaced by those of the endpoint, replaced by ours', async () => {
    const { url, requests } = await receiver();
    const headers = { 'X-Both': 'endpoint', 'X-Endpoint': 'ä', 'User-Agent': 'endpoint' };
    const message = messageFor(localEndpoint(url, { headers }), {
      headers: { 'x-both': 'appointment', 'X-Appointment': '', 'user-agent': 'appointment' },
    });
    await notifier().send(message, attempt());
    expect(requests[0]?.headers).toMatchObject({
      'x-both': 'endpoint',
      'x-endpoint': 'ä',
      'x-appointment': '',
      'user-agent': 'Calends-Webhooks/1',
    });
  });

  it.each([
    ['Webhook-Id', 'reserved'],
    ['webhook-signature', 'reserved'],
    ['WEBHOOK-TIMESTAMP', 'reserved'],
    ['Content-Type', 'reserved'],
    ['Authorization', 'reserved'],
    ['Host', 'reserved'],
    ['Transfer-Encoding', 'reserved'],
    ['x\r\ny', 'name'],
    ['', 'name'],
  ])('a request is not sent with the header "%s", be it of the endpoint or of the appointment', async (name, fault) => {
    const { url, requests } = await receiver();
    const { send, endpointFault } = bound(notifier());
    const wrongEndpoint = localEndpoint(url, { headers: { [name]: 'x' } });
    expect(endpointFault(wrongEndpoint)).toBe(`headers break the rules of notificationHeaders: ${fault}`);
    expect(await send(messageFor(wrongEndpoint), attempt())).toEqual({
      status: 'failed',
      permanent: true,
      error: `The endpoint cannot be used: headers break the rules of notificationHeaders: ${fault}.`,
    });
    expect(await send(messageFor(localEndpoint(url), { headers: { [name]: 'x' } }), attempt())).toEqual({
      status: 'failed',
      permanent: true,
      error: `The appointment's notificationHeaders break a rule: ${fault}.`,
    });
    expect(requests).toEqual([]);
  });

  it('a request is not sent with a header of the appointment that proxies, signatures or caches read (D63)', async () => {
    const { url, requests } = await receiver();
    const error = "The appointment's notificationHeaders break a rule: reserved.";
    for (const name of ['x-api-key', 'X-Original-URL', 'cf-connecting-ip', 'stripe-signature', 'accept-encoding']) {
      const result = await notifier().send(messageFor(localEndpoint(url), { headers: { [name]: 'x' } }), attempt());
      expect(result).toEqual({ status: 'failed', permanent: true, error });
    }
    expect(requests).toEqual([]);
    const own = localEndpoint(url, { headers: { 'x-api-key': 'of the operator' } });
    expect(await notifier().send(messageFor(own), attempt())).toMatchObject({ status: 'delivered' });
    expect(requests[0]?.headers).toMatchObject({ 'x-api-key': 'of the operator' });
  });

  it('a request does not split at a line break in a value', async () => {
    const { url, requests } = await receiver();
    const result = await notifier().send(messageFor(localEndpoint(url), { headers: { x: 'a\r\nb: c' } }), attempt());
    expect(result).toMatchObject({ status: 'failed', permanent: true });
    expect(requests).toEqual([]);
  });

  it('a request proves itself by name and password where the endpoint wants that', async () => {
    const { url, requests } = await receiver();
    const authentication = { type: 'basic', username: 'grüße', password: 'p:w' } as const;
    await notifier().send(messageFor(localEndpoint(url, { authentication })), attempt());
    expect(requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('grüße:p:w').toString('base64')}`);
  });

  it('a request has the same body bytes for every attempt, whatever its size', async () => {
    const { url, requests } = await receiver();
    const sender = notifier();
    const payload = 'ü€😀'.repeat(50_000);
    const body = JSON.stringify({ id: '1', type: 'CREATE', timestamp: 't', payload });
    for (const later of [0, 5]) {
      await sender.send(messageFor(localEndpoint(url), { body, timestamp: timestamp + later }), attempt());
    }
    expect(requests.map((each) => each.body.equals(Buffer.from(body)))).toEqual([true, true]);
    expect(requests.map((each) => (verifyWebhook({ ...each, secret }).payload as string).length)).toEqual([
      payload.length,
      payload.length,
    ]);
  });
});

describe('an endpoint', () => {
  it.each([
    [{ url: 'https://127.1/' }, 'url leads to an address that is not public; allowPrivateNetwork is off'],
    [{ url: 'http://example.com/' }, 'url is not https; allowHttp is off'],
    [{ secret: [] }, 'secret must be given'],
    [{ secret: 'whsec_short' }, 'secret must be whsec_ and base64 of 24 to 64 bytes'],
    [{ secret: [secret, secret.slice(6)] }, 'secret must be whsec_ and base64 of 24 to 64 bytes'],
    [
      { authentication: { type: 'basic', username: 'a:b', password: '' } as const },
      'authentication.username has a colon in it',
    ],
    [
      { authentication: { type: 'oauth2', tokenUrl: 'https://10.1/', clientId: 'a', clientSecret: 'b' } as const },
      'authentication.tokenUrl leads to an address that is not public; allowPrivateNetwork is off',
    ],
  ])('an endpoint with %o has a fault, and is not called', async (changes, fault) => {
    const endpoint = { id: 'hook', label: 'Hook', url: 'https://example.com/', secret, ...changes };
    const { send, endpointFault } = bound(notifier());
    expect(endpointFault(endpoint)).toBe(fault);
    expect(await send(messageFor(endpoint), attempt())).toEqual({
      status: 'failed',
      permanent: true,
      error: `The endpoint cannot be used: ${fault}.`,
    });
  });

  it('an endpoint has no fault when all is well', () => {
    const endpoint = { id: 'hook', label: 'Hook', url: 'https://example.com/hook', secret: [secret, secret] };
    expect(notifier().endpointFault(endpoint)).toBeUndefined();
  });
});

function bound(sender: ReturnType<typeof notifier>) {
  return { send: sender.send.bind(sender), endpointFault: sender.endpointFault };
}
