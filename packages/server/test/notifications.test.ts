import { verifyWebhook } from '@calends/notifier-webhook';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from './free-port.js';
import { agentToken, appointment, customerEmail, SchedulingClient, secrets } from './scheduling-client.js';
import { calends, type CalendsProcess } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const email = { from: 'Clinic <no-reply@clinic.example>' };

interface Status {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly retryCount: number;
  readonly providerStatus?: string;
}

/** A folder, an application with these notifications, and the environment of a server there. */
function place(name: string, notifications: object, variables: NodeJS.ProcessEnv = {}) {
  const at = join(folder(), name);
  mkdirSync(at);
  const file = join(at, 'calends.json');
  writeFileSync(
    file,
    JSON.stringify({ applications: { 'app-1': { notifications: { active: true, ...notifications } } } }),
  );
  const environment = { ...secrets, CALENDS_CONFIG: file, DATABASE_URL: 'sqlite:./kept/c.db', PORT: '0', ...variables };
  return { at, environment };
}

async function clientOf(server: CalendsProcess): Promise<SchedulingClient> {
  return new SchedulingClient(await server.listening(), await agentToken());
}

/** Asks until the only notification of a type is as it is wanted. */
async function until(client: SchedulingClient, type: string, isWanted: (status: Status) => boolean): Promise<Status> {
  for (;;) {
    const response = await client.send('GET', `/api/notifications/?applicationId=app-1&type=${type}`);
    const { content } = (await response.json()) as { content: readonly Status[] };
    const found = content.find(isWanted);
    if (found !== undefined) return found;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A server on a port of its own, until the callback has ended. */
async function withServer(server: Server, run: (port: number) => Promise<void>): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await run((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('calends serve', () => {
  it('calends serve without SMTP_URL writes mails beside the database, and says where; the rest of it shows them', async () => {
    const { at, environment } = place('mails', { email });
    const server = calends(['serve'], environment, at);
    const client = await clientOf(server);
    const [, directory = ''] = await server.says(/"directory":"([^"]+)".*SMTP_URL is not set/);
    expect(directory).toBe(join(at, 'kept', 'mails'));
    await client.schedule();
    const { id } = await until(client, 'CREATE', ({ status }) => status === 'DELIVERED');
    const [mail = ''] = readdirSync(directory);
    expect(mail).toMatch(new RegExp(`-${id}\\.eml$`));
    expect(readFileSync(join(directory, mail), 'utf8')).toContain(`<${customerEmail}>`);

    const metrics = await (await client.send('GET', '/metrics')).text();
    expect(metrics).toContain('calends_delivery_attempts_total{channel="EMAIL",outcome="delivered"} 1');
    expect(metrics).toContain('calends_notifications_waiting{channel="EMAIL",phase="READY"} 2');
    expect((await client.send('GET', '/readyz')).status).toBe(200);

    const list = ['notifications', 'list', '--application', 'app-1'];
    const table = await calends([...list, '--status', 'delivered'], environment, at).ended;
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ['ID', 'TYPE', 'CHANNEL', 'STATUS', 'ATTEMPTS'],
      [id, 'CREATE', 'EMAIL', 'DELIVERED', '1'],
      ['Page 1 of 1, 1 in all.'],
      [''],
    ]);
    const failed = await calends([...list, '--status', 'failed'], environment, at).ended;
    expect(failed).toMatchObject({ code: 0, stdout: 'There are no such notifications.\n' });
    const json = await calends([...list, '--type', 'reminder', '--json'], environment, at).ended;
    const shown = await client.send('GET', '/api/notifications/?applicationId=app-1&type=REMINDER');
    expect(JSON.parse(json.stdout)).toEqual(await shown.json());

    const unknown = await calends(['notifications', 'list', '--application', 'app-2'], environment, at).ended;
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/--application: the application is not known: .*; did you mean app-1\?/);
    const endpoints = (id: string) => ['notifications', 'endpoints', 'list', '--application', id];
    expect(await calends(endpoints('app-2'), environment, at).ended).toEqual(unknown);
    const none = { code: 0, stdout: 'The application has no web hook endpoints.\n', stderr: '' };
    expect(await calends(endpoints('app-1'), environment, at).ended).toMatchObject(none);
    const { CALENDS_CONFIG: _file, ...unconfigured } = environment;
    expect(await calends(list, unconfigured, at).ended).toMatchObject({ code: 0, stderr: '' });
    expect(await calends(endpoints('app-1'), unconfigured, at).ended).toMatchObject(none);

    const { stdout } = await server.signal('SIGTERM');
    for (const word of [customerEmail, 'Lovelace']) expect(`${stdout}${table.stdout}`).not.toContain(word);
  });

  it('calends notifications says whose an application is to who names another organization', async () => {
    const { at, environment } = place('of-another', {});
    writeFileSync(join(at, 'calends.json'), JSON.stringify({ applications: { 'app-1': { organizationId: 'org-1' } } }));
    await calends(['migrate'], environment, at).ended;
    for (const words of [['list'], ['endpoints', 'list']]) {
      const asked = ['notifications', ...words, '--application', 'app-1', '--organization', 'org-2'];
      expect(await calends(asked, environment, at).ended).toEqual({
        code: 1,
        stdout: '',
        stderr: 'calends: --organization: the application is of org-1, as the file of CALENDS_CONFIG says\n',
      });
    }
  });

  it('calends serve makes the attempt that calends notifications retry asks for', async () => {
    const dead = `smtp://127.0.0.1:${await freePort()}`;
    const { at, environment } = place('retried', { email, retry: { email: [] } }, { SMTP_URL: dead });
    const server = calends(['serve'], environment, at);
    const client = await clientOf(server);
    await client.schedule();
    const failed = await until(client, 'CREATE', ({ status }) => status === 'FAILED');
    expect(failed.retryCount).toBe(1);

    const other = await calends(['notifications', 'retry', failed.id, '--organization', 'org-2'], environment, at)
      .ended;
    expect(other).toMatchObject({ code: 1, stdout: '', stderr: 'calends: There is no such notification.\n' });
    const retried = await calends(['notifications', 'retry', failed.id], environment, at).ended;
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringMatching(/CREATE +EMAIL +PENDING/) });
    await until(client, 'CREATE', ({ status, retryCount }) => status === 'FAILED' && retryCount === 2);
  });

  it('calends serve brings an endpoint back that was disabled: shown, tested, enabled and replayed by the command line', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const types: string[] = [];
    const receiver = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        types.push(verifyWebhook({ body, headers: request.headers, secret }).type);
        response.writeHead(types.length === 1 ? 410 : 204).end();
      });
    });
    await withServer(receiver, async (port) => {
      const crm = { id: 'crm', label: 'CRM', url: `http://127.0.0.1:${port}/`, secret };
      const webhooks = [{ ...crm, allowHttp: true, allowPrivateNetwork: true }];
      const { at, environment } = place('endpoints', { webhooks, reminders: [] });
      const client = await clientOf(calends(['serve'], environment, at));
      await client.schedule();
      await until(client, 'CREATE', ({ status }) => status === 'FAILED');
      const endpoints = (...words: readonly string[]) =>
        calends(['notifications', 'endpoints', ...words, '--application', 'app-1'], environment, at).ended;

      const listed = await endpoints('list');
      expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/crm +CRM +disabled .*it answered 410/) });
      const shown = await endpoints('show', 'crm');
      expect(shown.stdout).toMatch(/CREATE +FAILED +The endpoint answered 410/);
      expect(`${listed.stdout}${shown.stdout}`).not.toMatch(/127\.0\.0\.1|whsec_/);
      const tested = await endpoints('test', 'crm');
      expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/^DELIVERED .*\nHTTP 204\n$/) });
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const early = await endpoints('replay', 'crm', '--since', since);
      expect(early).toMatchObject({ code: 1, stderr: 'calends: The endpoint is disabled; enable it first.\n' });
      expect(await endpoints('enable', 'crm')).toMatchObject({ code: 0, stdout: expect.stringContaining('enabled') });
      const replayed = await endpoints('replay', 'crm', '--since', since);
      expect(replayed.stdout).toBe('1 are being sent again, 0 may not be retried any more.\n');
      await until(client, 'CREATE', ({ status }) => status === 'DELIVERED');
      expect(types).toEqual(['CREATE', 'TEST', 'CREATE']);
      const unknown = await endpoints('enable', 'erp');
      expect(unknown).toMatchObject({ code: 1, stderr: 'calends: There is no such endpoint.\n' });
    });
  });

  it('calends serve takes receipts of SMS at the address that it gives to the provider', async () => {
    const port = String(await freePort());
    const publicUrl = `http://127.0.0.1:${port}`;
    const callbacks: string[] = [];
    const provider = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        callbacks.push(new URLSearchParams(body).get('StatusCallback') ?? '');
        response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"sid":"SM1","status":"queued"}');
      });
    });
    await withServer(provider, async (providerPort) => {
      const { at, environment } = place(
        'receipts',
        { sms: { from: '+43100000' } },
        {
          CALENDS_SMS_URL: `http://AC1:token@127.0.0.1:${providerPort}`,
          CALENDS_PUBLIC_URL: publicUrl,
          PORT: port,
        },
      );
      const client = await clientOf(calends(['serve'], environment, at));
      const [customer] = appointment.customers;
      const customers = [{ ...customer, contact: { primaryPhone: '+436601234567' } }];
      expect((await client.send('POST', '/api/v2/appointments/', { ...appointment, customers })).status).toBe(200);
      await until(client, 'CREATE', ({ providerStatus }) => providerStatus === 'queued');
      const [callback = ''] = callbacks;
      expect(callback.startsWith(`${publicUrl}/callbacks/sms?`)).toBe(true);

      const form = { MessageSid: 'SM1', MessageStatus: 'delivered' };
      const signed = Object.entries(form)
        .map((pair) => pair.join(''))
        .join('');
      const signature = createHmac('sha1', 'token').update(`${callback}${signed}`).digest('base64');
      const call = (sent: string) =>
        fetch(callback, { method: 'POST', headers: { 'X-Twilio-Signature': sent }, body: new URLSearchParams(form) });
      expect((await call('wrong')).status).toBe(403);
      expect((await call(signature)).status).toBe(204);
      await until(client, 'CREATE', ({ status }) => status === 'DELIVERED');
    });
  });

  it('calends serve with CALENDS_WORKER=off plans, sends nothing, and is ready; with CALENDS_METRICS=off has no /metrics', async () => {
    const { at, environment } = place('api', { email }, { CALENDS_WORKER: 'off', CALENDS_METRICS: 'off' });
    const server = calends(['serve'], environment, at);
    const client = await clientOf(server);
    await client.schedule();
    const { status } = await until(client, 'CREATE', () => true);
    expect(status).toBe('INITIALIZED');
    const ready = await client.send('GET', '/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'ready', store: 'ok', worker: 'off' }),
    ]);
    expect((await client.send('GET', '/metrics')).status).toBe(404);
    expect((await client.send('POST', '/callbacks/sms')).status).toBe(404);
  });

  it('calends serve says once which SMS wait without CALENDS_SMS_URL', async () => {
    const { at, environment } = place('waiting', { sms: { from: 'CLINIC' } });
    const server = calends(['serve'], environment, at);
    await server.listening();
    expect(server.stdout.match(/"applications":\["app-1"\].*CALENDS_SMS_URL is not set/g)).toHaveLength(1);
  });

  it.each([
    ['production', { email }, { NODE_ENV: 'production' }, 'SMTP_URL: must be set in production: applications.app-1'],
    [
      'an endpoint inside',
      { webhooks: [{ id: 'x', label: 'X', url: 'https://169.254.169.254/', secret: `whsec_${'A'.repeat(32)}` }] },
      {},
      'CALENDS_CONFIG: applications.app-1.notifications.webhooks.0: url leads to an address that is not public',
    ],
  ])(
    'calends serve does not start where notifications could never be sent: %s',
    async (name, notifications, variables, fault) => {
      const { at, environment } = place(name, notifications, variables);
      const ending = await calends(['serve'], environment, at).ended;
      expect(ending).toMatchObject({ code: 78, stdout: '', stderr: expect.stringContaining(fault) });
    },
  );
});

describe('calends notifications', () => {
  it.each([
    [{ DATABASE_URL: 'memory:' }, 78, 'DATABASE_URL: a store in memory is known to its server only'],
    [{ DATABASE_URL: 'sqlite:./empty.db' }, 69, 'there is no database file, or it is empty'],
    [{ DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/nothing' }, 69, 'the database does not answer'],
  ])('calends notifications says of %j in one message why it cannot: exit code %i', async (variables, code, text) => {
    const ending = await calends(['notifications', 'list', '--application', 'a'], variables, folder()).ended;
    expect(ending).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(text) });
    expect(ending.stderr).not.toContain('hunter2');
  });

  it('calends notifications refuses what the interface refuses, and names the filter', async () => {
    const { at, environment } = place('refused', {});
    await calends(['migrate'], environment, at).ended;
    const ending = await calends(['notifications', 'list', '--application', 'a', '--type', 'X'], environment, at).ended;
    expect(ending).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^calends: type: Must be one of/),
    });
  });
});
