import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { webhookNotifier } from '../src/index.js';
import { listening, receiver } from './support/receiver.js';
import { attempt, localEndpoint, messageFor } from './support/sending.js';

/** What keeps the process alive, besides what the tests themselves do. */
function handles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => /TCPSocket|TLS|Timeout|Connect|GetAddrInfo/.test(name));
}

describe('close', () => {
  it('close waits for what is being sent, and later sends fail', async () => {
    let answer: () => void = () => undefined;
    const { url, requests } = await receiver((_request, response) => {
      answer = () => void response.writeHead(204).end();
      arrived();
    });
    let arrived: () => void = () => undefined;
    const underWay = new Promise<void>((resolve) => (arrived = resolve));
    const sender = webhookNotifier();
    const sending = sender.send(messageFor(localEndpoint(url)), attempt());
    await underWay;
    const closing = sender.close();
    expect(await sender.send(messageFor(localEndpoint(url)), attempt())).toEqual({
      status: 'failed',
      permanent: false,
      error: 'The notifier is closed.',
    });
    answer();
    expect(await sending).toEqual({ status: 'delivered', providerStatus: '204' });
    await closing;
    expect(sender.close()).toBe(closing);
    expect(requests).toHaveLength(1);
  });

  it('close ends idle connections', async () => {
    const server = createServer((socket) => {
      socket.on('data', () => void socket.write('HTTP/1.1 204 x\r\n\r\n'));
      socket.on('close', () => ended());
    });
    let ended: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (ended = resolve));
    const { port } = await listening(server);
    const sender = webhookNotifier();
    await sender.send(messageFor(localEndpoint(`http://127.0.0.1:${String(port)}/`)), attempt());
    await sender.close();
    await gone;
  });

  it('close ends connections that do not stand yet and leaves no handle', async () => {
    const before = handles().length;
    const { port } = await listening(createServer());
    const controller = new AbortController();
    const sender = webhookNotifier({ connectTimeout: 600_000, timeout: 600_000 });
    const sending = sender.send(
      messageFor(localEndpoint(`https://127.0.0.1:${String(port)}/`)),
      attempt(controller.signal),
    );
    controller.abort();
    expect(await sending).toMatchObject({ status: 'failed', permanent: false });
    await sender.close();
    // A handle is gone some turns after it is closed; the deadlines above would keep one for ten minutes.
    while (handles().length > before) await new Promise((resolve) => setImmediate(resolve));
    expect(handles().length).toBeLessThanOrEqual(before);
  });
});
