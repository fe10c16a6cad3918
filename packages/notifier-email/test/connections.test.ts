import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { smtpNotifier, type SmtpNotifierOptions } from '../src/index.js';
import { startMailServer } from './support/mail-server.js';
import { anAttempt, mailWith } from './support/messages.js';
import { silence, startScriptedServer } from './support/scripted-server.js';

function notifierFor(options: SmtpNotifierOptions) {
  const notifier = smtpNotifier(options);
  onTestFinished(() => notifier.close());
  return notifier;
}

const numbered = (index: number) =>
  mailWith({ notificationId: `n-${String(index)}`, subject: `Mail ${String(index)}` });

describe('connections', () => {
  it('connections are none before the first mail', async () => {
    const server = await startMailServer();
    notifierFor({ url: server.url });
    expect(server.connections).toBe(0);
  });

  it('connections carry one mail after the other', async () => {
    const server = await startMailServer();
    const notifier = notifierFor({ url: server.url });
    for (let index = 0; index < 5; index += 1) await notifier.send(numbered(index), anAttempt());
    expect(server.mails).toHaveLength(5);
    expect(server.connections).toBe(1);
  });

  it('connections carry on after a mail that was refused', async () => {
    const server = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('gone') ? Object.assign(new Error('5.1.1 gone'), { responseCode: 550 }) : null),
    });
    const notifier = notifierFor({ url: server.url, pool: { maxConnections: 1 } });
    await notifier.send(mailWith(), anAttempt());
    const refused = await notifier.send(mailWith({ to: { address: 'gone@customer.example' } }), anAttempt());
    expect(refused).toMatchObject({ status: 'failed', permanent: true });
    expect(await notifier.send(mailWith(), anAttempt())).toMatchObject({ status: 'delivered' });
    expect(server.connections).toBe(1);
  });

  it('connections are one for each mail without a pool', async () => {
    const server = await startMailServer();
    const notifier = notifierFor({ url: server.url, pool: false });
    for (let index = 0; index < 3; index += 1) await notifier.send(numbered(index), anAttempt());
    expect(server.connections).toBe(3);
  });

  it('connections are as many as the pool may have, for 50 mails in parallel', async () => {
    const server = await startMailServer();
    const notifier = notifierFor({ url: server.url, pool: { maxConnections: 3 } });
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => notifier.send(numbered(index), anAttempt())),
    );
    expect(results.filter(({ status }) => status === 'delivered')).toHaveLength(50);
    const ids = server.mails.map(({ raw }) => /^Message-ID: <(.+)@/m.exec(raw.toString())?.[1]);
    expect(new Set(ids)).toEqual(new Set(Array.from({ length: 50 }, (_, index) => `n-${String(index)}`)));
    expect(server.mails).toHaveLength(50);
    expect(server.connections).toBe(3);
  });

  it('connections that the server closed after a mail are replaced, and the next mail is sent', async () => {
    const server = await startScriptedServer({ END: { last: '250 2.0.0 Ok' } });
    const notifier = notifierFor({ url: server.url });
    for (let index = 0; index < 5; index += 1) {
      expect(await notifier.send(numbered(index), anAttempt())).toMatchObject({ status: 'delivered' });
    }
    expect(server.commands.filter((command) => command.startsWith('EHLO'))).toHaveLength(5);
  });

  it('connections that are all busy make a mail wait, and one that waited in vain is with nobody', async () => {
    const server = await startScriptedServer({ END: silence });
    const notifier = notifierFor({ url: server.url, pool: { maxConnections: 1 } });
    const [busy, waiting] = [new AbortController(), new AbortController()];
    const first = notifier.send(numbered(1), anAttempt(busy.signal));
    await server.reached('END');
    const second = notifier.send(numbered(2), anAttempt(waiting.signal));
    waiting.abort();
    expect(await second).toMatchObject({ status: 'failed', permanent: false });
    busy.abort();
    expect(await first).toMatchObject({ status: 'unknown' });
    expect(server.commands.filter((command) => command.startsWith('MAIL'))).toHaveLength(1);
  });
});

describe('close', () => {
  it.each([true, false])('close waits for the mails under way and leaves nothing open (pool: %s)', async (pool) => {
    const server = await startMailServer();
    const notifier = smtpNotifier({ url: server.url, pool });
    const sending = Array.from({ length: 10 }, (_, index) => notifier.send(numbered(index), anAttempt()));
    await notifier.close();
    const results = await Promise.all(sending);
    expect(results.filter(({ status }) => status === 'delivered')).toHaveLength(10);
    await server.empty();
    const open = () => process.getActiveResourcesInfo().filter((kind) => /^(TCPSocket|TLS)/.test(kind));
    // The system tells this side of the end of a connection a moment after the server's.
    for (const until = performance.now() + 5000; open().length > 0 && performance.now() < until;) await setImmediate();
    expect(open()).toEqual([]);
  });

  it('close can be called again, and before anything was sent', async () => {
    const notifier = smtpNotifier({ url: 'smtp://127.0.0.1:9' });
    await Promise.all([notifier.close(), notifier.close()]);
    await expect(notifier.close()).resolves.toBeUndefined();
  });

  it('close makes what is sent afterwards a transient failure', async () => {
    const server = await startMailServer();
    const notifier = smtpNotifier({ url: server.url });
    await notifier.close();
    expect(await notifier.send(mailWith(), anAttempt())).toEqual({
      status: 'failed',
      permanent: false,
      error: 'SMTP: closed',
    });
    expect(server.connections).toBe(0);
  });
});
