import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itOnPostgres, makeDatabase } from './postgres-database.js';
import { agentToken, SchedulingClient, secrets } from './scheduling-client.js';
import { calends, type CalendsProcess } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';
import { almostScheduled } from './unfinished-request.js';

const folder = temporaryFolder();
const path = '/api/v2/appointments/';
const isUp = /"process":(\d+),"of":2,"msg":"a process is up"/g;

/** The environment of a server of two processes, in a folder of its own. */
function place(name: string, variables: NodeJS.ProcessEnv = {}) {
  const at = join(folder(), name);
  mkdirSync(at);
  const two = { CALENDS_PROCESSES: '2', CALENDS_PROCESSES_ON_SQLITE: 'on', PORT: '0' };
  return { at, environment: { ...secrets, ...two, DATABASE_URL: 'sqlite:./kept/c.db', ...variables } };
}

/** The ids of the processes that have come up, once there are so many. */
async function up(server: CalendsProcess, count = 2): Promise<readonly number[]> {
  await server.says(new RegExp(`(?:${isUp.source}[^]*){${count}}`));
  return Array.from(server.stdout.matchAll(isUp), ([, id]) => Number(id));
}

async function startTwo(name: string, variables?: NodeJS.ProcessEnv) {
  const { at, environment } = place(name, variables);
  const server = calends(['serve'], environment, at);
  const address = await server.listening();
  return { at, server, address, processes: await up(server), token: await agentToken() };
}

/** Over a connection of its own, so that the processes take turns. */
function alone(address: string, asked: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    request(address + asked, { agent: false, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text)).on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

/** The processes that logged requests. */
function served({ stdout }: CalendsProcess): ReadonlySet<number> {
  const requests = stdout.matchAll(/"pid":(\d+),[^\n]*"msg":"request"/g);
  return new Set(Array.from(requests, ([, id]) => Number(id)));
}

const figure = (metrics: string, name: string): number =>
  Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );

/** The metrics of both: on a busy machine one of them may be too late for a page. */
async function metricsOf(address: string): Promise<string> {
  for (;;) {
    const page = await alone(address, '/metrics');
    if (figure(page, 'calends_processes{figures="told"}') === 2 && figure(page, silent) === 0) return page;
  }
}

const silent = 'calends_processes{figures="silent"}';

describe('calends serve in two processes', () => {
  it('calends serve in two processes answers with both, prepares once, and tells the sum of their metrics', async () => {
    const { server, address, processes, token } = await startTwo('both', { CALENDS_CONFIG: '' });
    const client = new SchedulingClient(address, token);
    const id = await client.schedule();
    const authorization = { authorization: `Bearer ${token}` };
    const answers = await Promise.all(Array.from({ length: 20 }, () => alone(address, path + id, authorization)));
    for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ id });
    const metrics = await metricsOf(address);
    expect(
      figure(metrics, 'calends_http_requests_total{route="/api/v2/appointments/{id}",method="GET",status="200"}'),
    ).toBe(20);
    expect(figure(metrics, 'calends_transitions_total{event="APCreatedEvent"}')).toBe(1);
    expect(figure(metrics, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    const { code, stderr, stdout } = await server.signal('SIGTERM');
    expect([code, stderr]).toEqual([0, '']);
    expect([...served(server)].sort()).toEqual([...processes].sort());
    for (const once of ['tables brought up to date', '"msg":"listening"', 'limits hold for each process']) {
      expect(stdout.split(once)).toHaveLength(2);
    }
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('pid');
  });

  it('calends serve in two processes replaces one that was killed, and no count becomes less', async () => {
    const { server, address, processes, token } = await startTwo('killed');
    const client = new SchedulingClient(address, token);
    const ids = await Promise.all(Array.from({ length: 10 }, () => client.schedule()));
    const created = 'calends_transitions_total{event="APCreatedEvent"}';
    expect(figure(await metricsOf(address), created)).toBe(10);
    process.kill(processes[0] ?? 0, 'SIGKILL');
    await server.says(/"signal":"SIGKILL","againIn":100,"msg":"a process ended; another one takes its place"/);
    const [, , replacement] = await up(server, 3);
    expect(processes).not.toContain(replacement);
    const authorization = { authorization: `Bearer ${token}` };
    for (const id of ids) expect(JSON.parse(await alone(address, path + id, authorization))).toMatchObject({ id });
    expect(served(server)).toContain(replacement);
    const metrics = await metricsOf(address);
    expect(figure(metrics, created)).toBe(10);
    expect(figure(metrics, 'calends_processes_ended_total')).toBe(1);
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('calends serve in two processes answers at the address of its log again after both were killed at once', async () => {
    const { server, address, processes } = await startTwo('both-killed');
    for (const id of processes) process.kill(id, 'SIGKILL');
    await up(server, 4);
    expect(await alone(address, '/healthz')).toContain('ok');
    expect((await server.signal('SIGTERM')).code).toBe(0);
  });

  it('calends serve in two processes ends the connection that was handed to one which is killed before it takes it', async () => {
    const { server, address, processes } = await startTwo('handed');
    const [stopped = 0] = processes;
    process.kill(stopped, 'SIGSTOP');
    // They take turns: of three connections the stopped one has one when the others are answered.
    const ended: string[] = [];
    const asks = async (): Promise<void> => {
      const how = await alone(address, '/healthz').then(
        () => 'answered',
        () => 'broken',
      );
      if (ended.push(how) === 2) process.kill(stopped, 'SIGKILL');
    };
    await Promise.all([asks(), asks(), asks()]);
    expect(ended).toEqual(['answered', 'answered', 'broken']);
    expect((await server.signal('SIGTERM')).code).toBe(0);
  });

  it('calends serve in two processes tells of one that does not answer', async () => {
    const { server, address, processes } = await startTwo('silent');
    const [stopped = 0] = processes;
    process.kill(stopped, 'SIGSTOP');
    try {
      // One of three connections may be handed to the process that stands still.
      const metrics = await Promise.any([1, 2, 3].map(() => alone(address, '/metrics')));
      expect(figure(metrics, silent)).toBe(1);
      expect(figure(metrics, 'calends_processes{figures="told"}')).toBe(1);
    } finally {
      process.kill(stopped, 'SIGCONT');
    }
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 0 });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'calends serve in two processes finishes the requests of both at %s, and takes no new one',
    async (signal) => {
      const { server, address } = await startTwo(`finished-${signal}`);
      const requests = [await almostScheduled(server), await almostScheduled(server)];
      const ended = server.signal(signal);
      await server.says(/(?:finishing the requests under way[^]*){3}/);
      // Perhaps told only when the server ends: the one that hands out connections may have it in its hands.
      const refused = expect(fetch(`${address}/healthz`)).rejects.toThrow();
      for (const { socket, rest } of requests) socket.write(rest);
      for (const { answer } of requests)
        expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"title":"Consultation"/);
      expect(await ended).toMatchObject({ code: 0, stderr: '' });
      await refused;
    },
  );

  it('calends serve in two processes ends at once at a second signal', async () => {
    const { server, address } = await startTwo('twice');
    const { answer } = await almostScheduled(server);
    void server.signal('SIGTERM');
    await server.says(/(?:finishing the requests under way[^]*){3}/);
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 1 });
    expect(await answer).toBe('');
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();
  });

  it('calends serve in two processes delivers with both, and sends nothing twice', async () => {
    const notifications = { active: true, email: { from: 'Clinic <no-reply@clinic.example>' } };
    const config = join(folder(), 'mails.json');
    writeFileSync(config, JSON.stringify({ applications: { 'app-1': { notifications } } }));
    const { at, address, token } = await startTwo('mails', { CALENDS_CONFIG: config });
    const client = new SchedulingClient(address, token);
    await Promise.all(Array.from({ length: 40 }, () => client.schedule()));
    for (let delivered = 0; delivered < 40;) {
      const asked = '/api/notifications/?applicationId=app-1&type=CREATE&status=DELIVERED';
      const page = (await (await client.send('GET', asked)).json()) as { total?: number };
      delivered = page.total ?? 0;
    }
    const metrics = await metricsOf(address);
    expect(figure(metrics, 'calends_delivery_attempts_total{channel="EMAIL",outcome="delivered"}')).toBe(40);
    expect(readdirSync(join(at, 'kept', 'mails'))).toHaveLength(40);
  });

  it('calends serve in two processes says once that its port is taken', async () => {
    const { server, address } = await startTwo('first');
    const { port } = new URL(address);
    const { at, environment } = place('second', { PORT: port });
    expect(await calends(['serve'], environment, at).ended).toMatchObject({
      code: 69,
      stderr: `calends: port ${port} on 127.0.0.1 is in use by another process (PORT, HOST)\n`,
    });
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 0 });
  });

  itOnPostgres(
    'calends serve in two processes works with PostgreSQL, where nobody has to permit it (CALENDS_TEST_POSTGRES_URL)',
    async () => {
      const { url, drop } = await makeDatabase('processes');
      try {
        const { server, address, token } = await startTwo('postgres', {
          DATABASE_URL: url,
          CALENDS_PROCESSES_ON_SQLITE: 'off',
        });
        const client = new SchedulingClient(address, token);
        const ids = await Promise.all(Array.from({ length: 20 }, () => client.schedule()));
        expect(new Set(ids).size).toBe(20);
        expect(served(server).size).toBe(2);
        expect(await server.signal('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
      } finally {
        await drop();
      }
    },
  );
});
