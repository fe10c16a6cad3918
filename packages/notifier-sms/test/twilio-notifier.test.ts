import type { SmsMessage } from '@calends/core/notifier';
import { twilioNotifier, type TwilioOptions } from '@calends/notifier-sms';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountSid, authToken, json, message, Provider, refuse } from './provider.js';

let provider: Provider;

beforeEach(async () => {
  provider = await Provider.start();
});

afterEach(async () => {
  vi.useRealTimers();
  await provider.stop();
});

function notifier(options: Partial<TwilioOptions> = {}) {
  return twilioNotifier({ accountSid, authToken, baseUrl: provider.baseUrl, ...options });
}

function send(given: Partial<SmsMessage> = {}, options: Partial<TwilioOptions> = {}, signal = never()) {
  return notifier(options).send({ ...message, ...given }, { idempotencyKey: 'n-1', attempt: 1, signal });
}

function never(): AbortSignal {
  return new AbortController().signal;
}

describe('a message that the provider takes', () => {
  it('a message that the provider takes is submitted with its id, and polled until it is delivered', async () => {
    const taken = await send();
    expect(taken).toEqual({ status: 'submitted', messageId: `SM${'0'.repeat(32)}`, providerStatus: 'queued' });
    const { messageId } = taken;
    const poll = () => notifier().fetchStatus?.({ messageId }, never());
    expect(await poll()).toEqual({ state: 'sent', messageId, providerStatus: 'sent' });
    expect(await poll()).toEqual({ state: 'delivered', messageId, providerStatus: 'delivered' });
    expect(provider.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /2010-04-01/Accounts/${accountSid}/Messages.json`,
      `GET /2010-04-01/Accounts/${accountSid}/Messages/${String(messageId)}.json`,
      `GET /2010-04-01/Accounts/${accountSid}/Messages/${String(messageId)}.json`,
    ]);
  });

  it('a message that the provider takes carries recipient, sender and text as they are, and nothing else', async () => {
    await send();
    const [{ form, contentType } = expect.fail()] = provider.received;
    expect(contentType).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(form)).toEqual({ To: message.to, From: message.from, Body: message.text });
  });

  const service = `MG${'0a'.repeat(16)}`;
  it.each([
    ['the option names', {}, { messagingServiceSid: service }],
    ['the application names as its sender', { from: service }, {}],
  ])('a message that the provider takes goes over the messaging service that %s', async (_, given, options) => {
    await send(given, options);
    expect(Object.fromEntries(provider.received[0]!.form)).toEqual({
      To: message.to,
      MessagingServiceSid: service,
      Body: message.text,
    });
  });

  it('a message that the provider takes names the address for its receipts, with a reference to its row', async () => {
    await send({}, { statusCallback: 'https://calends.example/receipts?of=sms' });
    const reference = Buffer.from('["org-1","n-1"]').toString('base64url');
    expect(provider.received[0]?.form.get('StatusCallback')).toBe(
      `https://calends.example/receipts?of=sms&calends=${reference}`,
    );
  });

  it('a message that the provider takes may be sent with an API key', async () => {
    await send({}, { authToken: undefined, apiKey: { sid: 'SK1', secret: 'a secret' } });
    expect(provider.received[0]?.authorization).toBe(`Basic ${btoa('SK1:a secret')}`);
  });

  it('a message that the provider takes may be sent below a path', async () => {
    await send({}, { baseUrl: `${provider.baseUrl}/api/laml/` });
    expect(provider.received[0]?.path).toBe(`/api/laml/2010-04-01/Accounts/${accountSid}/Messages.json`);
  });

  it.each([
    ['accepted', { status: 'submitted', providerStatus: 'accepted' }],
    ['scheduled', { status: 'submitted', providerStatus: 'scheduled' }],
    ['sent', { status: 'submitted', providerStatus: 'sent' }],
    ['a word of tomorrow', { status: 'submitted' }],
    ['delivered', { status: 'delivered', providerStatus: 'delivered' }],
    [
      'failed',
      { status: 'failed', permanent: true, error: 'The message was not delivered.', providerStatus: 'failed' },
    ],
    [
      'canceled',
      { status: 'failed', permanent: true, error: 'The provider cancelled the message.', providerStatus: 'canceled' },
    ],
  ])('a message that the provider takes and calls %s at once has the outcome that follows', async (status, outcome) => {
    provider.states = [{ status }];
    expect(await send()).toEqual({ messageId: expect.any(String), ...outcome });
  });

  it('a message that the provider takes has a connection of its own', async () => {
    const connections = new Set<unknown>();
    provider.answer = (request, response) => {
      connections.add(request.socket);
      json(response, 201, { sid: 'SM1' }, { connection: 'keep-alive' });
    };
    await send();
    await send();
    expect(connections.size).toBe(2);
  });

  it('a message that the provider takes counts as taken although the answer says that it is HTML', async () => {
    provider.answer = (_, response) => json(response, 200, { sid: 'SM1' }, { 'content-type': 'text/html' });
    expect(await send()).toEqual({ status: 'submitted', messageId: 'SM1' });
  });
});

describe('a status that is asked for', () => {
  it.each([
    ['accepted', { state: 'pending' }],
    ['scheduled', { state: 'pending' }],
    ['queued', { state: 'pending' }],
    ['sending', { state: 'pending' }],
    ['sent', { state: 'sent' }],
    ['delivered', { state: 'delivered' }],
    ['read', { state: 'delivered' }],
    [
      'undelivered',
      { state: 'failed', error: 'The message was not delivered (code 30005: the number of the recipient is unknown).' },
    ],
    [
      'failed',
      { state: 'failed', error: 'The message was not delivered (code 30005: the number of the recipient is unknown).' },
    ],
    ['canceled', { state: 'cancelled' }],
  ])('the status %s is reported as D50 has it', async (status, report) => {
    provider.answer = (_, response) => json(response, 200, { sid: 'SM1', status, error_code: 30005 });
    expect(await notifier().fetchStatus?.({ messageId: 'SM1' }, never())).toEqual({
      messageId: 'SM1',
      providerStatus: status,
      ...report,
    });
  });

  it.each<[string, Provider['answer'], string]>([
    ['404', undefined, 'HTTP 404, code 20404'],
    ['503', (_, response) => response.writeHead(503).end('down'), 'HTTP 503'],
    ['no JSON', (_, response) => response.end('<html>'), 'without a status'],
    ['null', (_, response) => json(response, 200, null), 'without a status'],
    ['a dropped connection', (request) => request.socket.destroy(), 'did not answer (ECONNRESET)'],
  ])('a status that is asked for is an error when the answer is %s', async (_, answer, error) => {
    provider.answer = answer;
    await expect(notifier().fetchStatus?.({ messageId: 'SM1' }, never())).rejects.toThrow(error);
  });

  it('a status that is asked for cannot be asked for without an id, and an id cannot lead elsewhere', async () => {
    await expect(notifier().fetchStatus?.({}, never())).rejects.toThrow('no message id');
    await expect(notifier().fetchStatus?.({ messageId: '../../x?y' }, never())).rejects.toThrow('404');
    expect(provider.received.map(({ path }) => path)).toEqual([
      `/2010-04-01/Accounts/${accountSid}/Messages/..%2F..%2Fx%3Fy.json`,
    ]);
  });
});

describe('a message that the provider refuses', () => {
  it.each([
    [400, 21211, true, 'HTTP 400, code 21211: the number of the recipient is not valid'],
    [400, 21610, true, 'HTTP 400, code 21610: the recipient has unsubscribed'],
    [400, 99999, true, 'HTTP 400, code 99999'],
    [401, 20003, true, 'HTTP 401, code 20003: the account or its secret is wrong'],
    [403, 20005, true, 'HTTP 403, code 20005'],
    [404, 20404, true, 'HTTP 404, code 20404: the provider does not know the account or the message'],
    [400, 21611, false, 'HTTP 400, code 21611: too many messages of this sender are waiting'],
    [429, 20429, false, 'HTTP 429, code 20429: too many requests'],
    [500, 20500, false, 'HTTP 500, code 20500'],
    [503, 20503, false, 'HTTP 503, code 20503'],
  ])(
    'a message that the provider refuses with %i and code %i fails; for good: %s',
    async (status, code, permanent, described) => {
      provider.answer = (_, response) => refuse(response, status, code, `${message.to} ${message.text}`);
      expect(await send()).toEqual({
        status: 'failed',
        permanent,
        error: `The provider refused the message (${described}).`,
      });
    },
  );

  it('a message that the provider refuses is tried again when the provider says so', async () => {
    provider.answer = (_, response) => json(response, 429, { code: 20429 }, { 'retry-after': '7' });
    expect(await send()).toMatchObject({ permanent: false, retryAfter: 7_000 });
    provider.answer = (_, response) => json(response, 400, { code: 21211 }, { 'retry-after': '7' });
    expect(await send()).not.toHaveProperty('retryAfter');
  });

  it.each([302, 308])(
    'a message that the provider refuses by a redirect (%i) fails for good, and nothing follows it',
    async (status) => {
      provider.answer = (_, response) => response.writeHead(status, { location: provider.baseUrl }).end();
      expect(await send()).toMatchObject({ status: 'failed', permanent: true });
      expect(provider.received).toHaveLength(1);
    },
  );

  it.each<[string, Provider['answer']]>([
    ['is not JSON', (_, response) => response.writeHead(400).end('{"code":')],
    ['has a code that is none', (_, response) => json(response, 400, { code: `21211 ${message.to}` })],
    ['is a list', (_, response) => json(response, 400, [message.to])],
  ])('a message that the provider refuses is refused by its status only when the body %s', async (_, answer) => {
    provider.answer = answer;
    expect(await send()).toEqual({
      status: 'failed',
      permanent: true,
      error: 'The provider refused the message (HTTP 400).',
    });
  });

  it('a message that the provider refuses with a body that has no end fails without reading on', async () => {
    let written = 0;
    provider.answer = (_, response) => {
      response.writeHead(400);
      const more = (): void => {
        if (response.destroyed) return;
        written += 16_384;
        response.write('x'.repeat(16_384), more);
      };
      more();
    };
    expect(await send()).toMatchObject({ status: 'failed', permanent: true });
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('a message whose outcome nobody knows', () => {
  it.each<[string, Provider['answer'], string]>([
    ['the provider drops the connection', (request) => request.socket.destroy(), 'did not answer (ECONNRESET)'],
    ['a gateway gives up', (_, response) => response.writeHead(504).end(), 'did not answer (HTTP 504)'],
    ['the answer has no id', (_, response) => json(response, 201, { status: 'queued' }), '201 without a message id'],
    ['the id is none', (_, response) => json(response, 201, { sid: message.to }), '201 without a message id'],
    ['the answer is a page', (_, response) => response.end('<html>Welcome</html>'), '200 without a message id'],
    ['the answer is null', (_, response) => json(response, 201, null), '201 without a message id'],
    [
      'the answer is too long',
      (_, response) => json(response, 201, { sid: 'SM1', pad: 'x'.repeat(70_000) }),
      '201 without a message id',
    ],
    [
      'the answer breaks off',
      (request, response) => {
        response.writeHead(201, { 'content-length': '100' });
        response.write('{"sid":"SM1"', () => request.socket.destroy());
      },
      '201 without a message id',
    ],
    [
      'the answer is another protocol',
      (request) => request.socket.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'did not answer (closed)',
    ],
    ['the answer is not HTTP', (request) => request.socket.end('garbage\r\n\r\n'), 'did not answer (HPE_'],
  ])('a message has an outcome that nobody knows because %s', async (_, answer, error) => {
    provider.answer = answer;
    expect(await send()).toEqual({ status: 'unknown', error: expect.stringContaining(error) });
  });

  it('a message has an outcome that nobody knows because the worker aborts while the provider is silent', async () => {
    provider.answer = () => undefined;
    const controller = new AbortController();
    const sending = send({}, {}, controller.signal);
    await provider.nextRequest();
    controller.abort();
    expect(await sending).toEqual({ status: 'unknown', error: 'The provider did not answer (aborted).' });
  });

  it('a message has an outcome that nobody knows because the time is over while the provider is silent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    provider.answer = () => undefined;
    const settled = vi.fn();
    const sending = send({}, { timeout: 300 });
    void sending.then(settled);
    await provider.nextRequest();
    vi.advanceTimersByTime(299);
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(await sending).toEqual({ status: 'unknown', error: 'The provider did not answer (time-out).' });
  });
});

describe('a message that never left', () => {
  it('a message that never left fails and is tried again when nobody listens', async () => {
    const gone = await Provider.start();
    const { baseUrl } = gone;
    await gone.stop();
    expect(await send({}, { baseUrl })).toEqual({
      status: 'failed',
      permanent: false,
      error: 'The provider cannot be reached (ECONNREFUSED).',
    });
  });

  it('a message that never left fails and is tried again when no secure connection can be made', async () => {
    const baseUrl = provider.baseUrl.replace('http:', 'https:');
    expect(await send({}, { baseUrl })).toMatchObject({ status: 'failed', permanent: false });
    expect(provider.received).toHaveLength(0);
  });

  it('a message that never left fails and is tried again when the handshake does not end in half of the time, at most 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const silent = createTcpServer();
    const connected = new Promise<void>((resolve) =>
      silent.once('connection', (socket) => socket.once('data', () => resolve())),
    );
    const port = await new Promise<number>((resolve) =>
      silent.listen(0, '127.0.0.1', () => resolve((silent.address() as { port: number }).port)),
    );
    const sending = send({}, { baseUrl: `https://127.0.0.1:${port}` });
    await connected;
    vi.advanceTimersByTime(5_000);
    expect(await sending).toEqual({
      status: 'failed',
      permanent: false,
      error: 'The provider cannot be reached (time-out).',
    });
    silent.close();
  });

  it('a message that never left is not begun after the worker has aborted', async () => {
    expect(await send({}, {}, AbortSignal.abort())).toMatchObject({ status: 'failed', permanent: false });
    expect(provider.received).toHaveLength(0);
  });

  it.each([
    ['is empty', '', {}, 'The text is empty.'],
    ['takes more than 10 segments', 'x'.repeat(1531), {}, 'The text takes 11 segments (GSM-7); 10 are allowed.'],
    ['takes more than it may', 'ж'.repeat(71), { longest: 1 }, 'The text takes 2 segments (UCS-2); 1 are allowed.'],
  ])('a message that never left fails for good when its text %s', async (_, text, options, error) => {
    expect(await send({ text }, options)).toEqual({ status: 'failed', permanent: true, error });
    expect(provider.received).toHaveLength(0);
  });

  it('a message whose text has the greatest length that is allowed leaves', async () => {
    expect(await send({ text: 'x'.repeat(1530) })).toMatchObject({ status: 'submitted' });
  });
});

describe('what is told of a message', () => {
  it.each<[string, Provider['answer']]>([
    ['a refusal', (_, response) => refuse(response, 400, 21211, `${message.to} ${message.text}`)],
    ['a status', (_, response) => json(response, 201, { sid: 'SM1', status: message.to, to: message.to })],
    ['an id', (_, response) => json(response, 201, { sid: message.text, status: 'queued' })],
    ['a code', (_, response) => json(response, 201, { sid: 'SM1', status: 'failed', error_code: message.to })],
    ['a reason', (request) => request.socket.end(`HTTP/1.1 400 ${message.to}\r\n\r\n${message.text}`)],
  ])(
    'what is told of a message never has the number or the text, also when the provider repeats them in %s',
    async (_, answer) => {
      provider.answer = answer;
      const told = JSON.stringify(await send());
      expect(told).not.toContain(message.to.slice(1));
      expect(told).not.toContain('Jane');
    },
  );

  it('what is told of a message never has the secret', () => {
    expect(JSON.stringify(notifier())).toBe('{"capability":"none","timeout":10000}');
  });
});
