import type { SendResult } from '@calends/core/notifier';
import { describe, expect, it, onTestFinished } from 'vitest';
import { smtpNotifier, type SmtpNotifierOptions } from '../src/index.js';
import { reply, startMailServer } from './support/mail-server.js';
import { anAttempt, mailWith } from './support/messages.js';
import {
  type Answer,
  drop,
  type ScriptedServer,
  silence,
  startScriptedServer,
  type Step,
} from './support/scripted-server.js';

type Failure = Extract<SendResult, { status: 'failed' }>;

function notifierFor(options: SmtpNotifierOptions) {
  const notifier = smtpNotifier({ timeout: 10_000, ...options });
  onTestFinished(() => notifier.close());
  return notifier;
}

async function outcomeWith(
  script: Partial<Record<Step, Answer>>,
  options: SmtpNotifierOptions = {},
): Promise<{ result: SendResult; server: ScriptedServer }> {
  const server = await startScriptedServer(script);
  const result = await notifierFor({ url: server.url, ...options }).send(mailWith(), anAttempt());
  return { result, server };
}

const permanent = (error: string, providerStatus: string): Failure => ({
  status: 'failed',
  permanent: true,
  error: `SMTP: ${error}`,
  providerStatus,
});
const transient = (error: string, providerStatus: string): Failure => ({
  ...permanent(error, providerStatus),
  permanent: false,
});
const notSent = (error: string): Failure => ({ status: 'failed', permanent: false, error: `SMTP: ${error}` });

const connections = [
  ['kept', true],
  ['not kept', false],
] as const;

describe.each(connections)('with connections that are %s', (_name, pool) => {
  it.each<readonly [Step, string, SendResult]>([
    ['CONNECT', '554 5.3.2 no', transient('connection refused (554 5.3.2)', '554 5.3.2')],
    ['CONNECT', '421 4.3.2 busy', transient('connection refused (421 4.3.2)', '421 4.3.2')],
    ['MAIL', '550 5.7.1 zoe@customer.example', permanent('sender refused (550 5.7.1)', '550 5.7.1')],
    ['MAIL', '451 4.3.0 later', transient('sender refused (451 4.3.0)', '451 4.3.0')],
    ['MAIL', '530 5.7.0 log in first', transient('authentication refused (530 5.7.0)', '530 5.7.0')],
    ['MAIL', '503 bad sequence', transient('sender refused (503)', '503')],
    ['RCPT', '550 5.1.1 <zoe@customer.example> unknown', permanent('recipient refused (550 5.1.1)', '550 5.1.1')],
    ['RCPT', '450-4.2.0 greylisted\r\n450 4.2.0 later', transient('recipient refused (450 4.2.0)', '450 4.2.0')],
    ['RCPT', '421 closing', transient('recipient refused (421)', '421')],
    ['DATA', '554 no', permanent('mail refused (554)', '554')],
    ['DATA', '451 later', transient('mail refused (451)', '451')],
    ['END', '552 5.3.4 too big', permanent('mail refused (552 5.3.4)', '552 5.3.4')],
    ['END', '451 4.7.1 try zoe@customer.example later', transient('mail refused (451 4.7.1)', '451 4.7.1')],
    ['END', '421 4.3.0 going down', transient('mail refused (421 4.3.0)', '421 4.3.0')],
  ])('after %s, the answer "%s" is definite', async (step, answer, expected) => {
    expect((await outcomeWith({ [step]: answer }, { pool })).result).toEqual(expected);
  });

  it.each<Step>(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA'])(
    'a connection that breaks after %s is a transient failure: nobody has the mail',
    async (step) => {
      const { result } = await outcomeWith({ [step]: drop }, { pool });
      expect(result).toMatchObject({ status: 'failed', permanent: false });
      expect(result).toHaveProperty('error', expect.stringMatching(/^SMTP: the connection failed( \(ECONNRESET\))?$/));
    },
  );

  it('a connection that breaks in the middle of a mail is a transient failure', async () => {
    const server = await startScriptedServer({ BODY: drop });
    const notifier = notifierFor({ url: server.url, pool });
    const result = await notifier.send(mailWith({ text: 'Much to say. '.repeat(300_000) }), anAttempt());
    expect(result).toMatchObject({ status: 'failed', permanent: false });
  });

  it('a connection that breaks after the whole mail is an unknown outcome', async () => {
    const { result } = await outcomeWith({ END: drop }, { pool });
    expect(result).toMatchObject({ status: 'unknown' });
    expect(result).toHaveProperty('error', expect.stringContaining('connection failed'));
  });

  it.each<Step>(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA'])(
    'a server that is silent after %s is a transient failure, told without an abort from outside',
    async (step) => {
      const { result } = await outcomeWith({ [step]: silence }, { pool, timeout: 80 });
      expect(result).toEqual(notSent('no answer in time'));
    },
  );

  it('a server that is silent after the whole mail is an unknown outcome', async () => {
    const { result } = await outcomeWith({ END: silence }, { pool, timeout: 1_000 });
    expect(result).toEqual({ status: 'unknown', error: 'SMTP: no answer in time after the mail was handed over' });
  });

  it('an abort before the mail went out is a transient failure, and hangs up', async () => {
    const server = await startScriptedServer({ RCPT: silence });
    const abort = new AbortController();
    const sending = notifierFor({ url: server.url, pool }).send(mailWith(), anAttempt(abort.signal));
    await server.reached('RCPT');
    abort.abort();
    expect(await sending).toEqual(notSent('no answer in time'));
    await server.hungUp();
  });

  it('an abort after the mail went out is an unknown outcome, and hangs up', async () => {
    const server = await startScriptedServer({ END: silence });
    const abort = new AbortController();
    const sending = notifierFor({ url: server.url, pool }).send(mailWith(), anAttempt(abort.signal));
    await server.reached('END');
    abort.abort();
    expect(await sending).toMatchObject({ status: 'unknown' });
    await server.hungUp();
  });

  it('an attempt that was aborted before it began connects to nothing', async () => {
    const server = await startScriptedServer({});
    const notifier = notifierFor({ url: server.url, pool });
    expect(await notifier.send(mailWith(), anAttempt(AbortSignal.abort()))).toEqual(notSent('no answer in time'));
    expect(server.commands).toEqual([]);
  });

  it('a server that does not listen is a transient failure', async () => {
    const server = await startMailServer();
    await server.end();
    const notifier = notifierFor({ url: server.url, pool });
    expect(await notifier.send(mailWith(), anAttempt())).toEqual(notSent('the connection failed (ECONNREFUSED)'));
  });

  it('a server that speaks something else is a transient failure', async () => {
    const { result } = await outcomeWith({ CONNECT: 'HTTP/1.1 400 Bad Request' }, { pool });
    expect(result).toEqual(notSent('the server does not speak SMTP'));
  });

  it('a taken mail is delivered, with the codes of the answer and none of its text', async () => {
    expect((await outcomeWith({}, { pool })).result).toEqual({
      status: 'delivered',
      messageId: '<0198a3c2-7d1e-7c55-9a43-2f6f1e0c9d10@practice.example>',
      providerStatus: '250 2.0.0',
    });
  });
});

it('refusals are told apart also where the server takes the commands in one go', async () => {
  const pipelining = { EHLO: '250-scripted\r\n250 PIPELINING' };
  const refused = await outcomeWith({ ...pipelining, RCPT: '550 5.1.1 unknown', DATA: '503 no recipient' });
  expect(refused.result).toEqual(permanent('recipient refused (550 5.1.1)', '550 5.1.1'));
  const dropped = await outcomeWith({ ...pipelining, END: drop });
  expect(dropped.result).toMatchObject({ status: 'unknown' });
});

describe('a login', () => {
  const login = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true, authOptional: false };

  it('a login that is refused is a transient failure, since the mail is not at fault', async () => {
    const server = await startMailServer({
      ...login,
      onAuth: (_auth, _session, done) => done(reply(535, '5.7.8 wrong password for anna@practice.example')),
    });
    const url = server.url.replace('smtp://', 'smtp://anna:wr%40ng@');
    const notifier = notifierFor({ url });
    expect(await notifier.send(mailWith(), anAttempt())).toEqual(
      transient('authentication refused (535 5.7.8)', '535 5.7.8'),
    );
    await expect(notifier.verify()).rejects.toThrow(/^SMTP: authentication refused \(535 5\.7\.8\)$/);
  });

  it('a login has user and password of the url, decoded', async () => {
    const seen: unknown[] = [];
    const server = await startMailServer({
      ...login,
      onAuth: ({ username, password }, _session, done) => {
        seen.push([username, password]);
        done(null, { user: username });
      },
    });
    const notifier = notifierFor({ url: server.url.replace('smtp://', 'smtp://an%40na:p%3Ass%20w%2Frd@') });
    await expect(notifier.verify()).resolves.toBeUndefined();
    expect(await notifier.send(mailWith(), anAttempt())).toMatchObject({ status: 'delivered' });
    expect(seen).toEqual([
      ['an@na', 'p:ss w/rd'],
      ['an@na', 'p:ss w/rd'],
    ]);
    expect(server.mails).toHaveLength(1);
  });
});

describe('encryption', () => {
  it('encryption is used when the server offers it', async () => {
    const secured: unknown[] = [];
    const server = await startMailServer({
      disabledCommands: ['AUTH'],
      onMailFrom: (_address, { secure }, done) => {
        secured.push(secure);
        done();
      },
    });
    const notifier = notifierFor({ url: server.url, tls: { rejectUnauthorized: false } });
    expect(await notifier.send(mailWith(), anAttempt())).toMatchObject({ status: 'delivered' });
    expect(secured).toEqual([true]);
  });

  it('encryption with a certificate that nobody vouches for is a transient failure', async () => {
    const server = await startMailServer({ disabledCommands: ['AUTH'] });
    const result = await notifierFor({ url: server.url }).send(mailWith(), anAttempt());
    expect(result).toMatchObject({ status: 'failed', permanent: false });
    expect(server.mails).toEqual([]);
  });

  it.each<readonly [string, Partial<Record<Step, Answer>>]>([
    ['refused', { EHLO: '250-scripted\r\n250 STARTTLS', STARTTLS: '454 4.7.0 not now' }],
    ['not offered, but required', { STARTTLS: '502 5.5.1 unknown command' }],
  ])('encryption that is %s sends neither password nor mail', async (_name, script) => {
    const server = await startScriptedServer(script);
    const url = server.url.replace('smtp://', 'smtp://anna:password@');
    const result = await notifierFor({ url, requireTls: true }).send(mailWith(), anAttempt());
    expect(result).toMatchObject({ status: 'failed', permanent: false });
    expect(result).toHaveProperty('error', expect.stringContaining('encryption refused'));
    expect(server.commands.filter((command) => !/^(EHLO|STARTTLS)/.test(command))).toEqual([]);
  });
});
