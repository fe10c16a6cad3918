import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itOnPostgres, makeDatabase } from './postgres-database.js';
import { agentToken, customerEmail, SchedulingClient, secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const memory = { ...secrets, DATABASE_URL: 'memory:', PORT: '0' };
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Asked without following redirects. */
async function ask(address: string, path: string) {
  const response = await fetch(`${address}${path}`, { redirect: 'manual' });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, headers: response.headers, text: await response.text() };
}

/** Three servers at once: one makes the tables, and where none is given the secret; the others find them. */
async function startTogether(variables: NodeJS.ProcessEnv): Promise<void> {
  const servers = [1, 2, 3].map(() => calends(['serve'], variables, folder()));
  const addresses = await Promise.all(servers.map((server) => server.listening()));
  expect(servers.filter(({ stdout }) => stdout.includes('tables brought up to date'))).toHaveLength(1);
  const { stdout } = await calends(['token', '--role', 'ROLE_AGENT'], variables, folder()).ended;
  const clients = addresses.map((address) => new SchedulingClient(address, stdout.trim()));
  const ids = await Promise.all(clients.map((client) => client.schedule()));
  for (const client of clients) {
    const answers = await Promise.all(ids.map((id) => client.send('GET', `/api/v2/appointments/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
  const endings = await Promise.all(servers.map((server) => server.signal('SIGTERM')));
  expect(endings.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3].map(() => [0, '']));
}

describe('calends serve, started without anything', () => {
  // What is pasted is run by the shell; a machine without curl can paste nothing.
  it.skipIf(!hasCurl)(
    'calends serve, started without anything prints a curl line that schedules an appointment when it is pasted',
    async () => {
      const server = calends(
        ['serve'],
        { PORT: '0', DATABASE_URL: `sqlite:${join(folder(), 'pasted', 'c.db')}` },
        folder(),
      );
      const [line] = await server.says(/^curl .*$/m);
      const { status, stdout } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ applicationId: 'app-1', organizer: { id: 'agent-1', type: 'AGENT' } });
    },
  );

  // As above.
  it.skipIf(!hasCurl)(
    'calends serve, started without anything prints lines that find free times and book the first, once however often',
    async () => {
      const server = calends(['serve'], { PORT: '0', DATABASE_URL: 'memory:' }, folder());
      await server.says(/Reference page/);
      const [, find = '', book = ''] = Array.from(server.stdout.matchAll(/^curl .*$/gm), ([line]) => line);
      const pasted = (line: string) => JSON.parse(spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout) as object;
      const { durations } = pasted(find) as { durations: { offers: { start: string }[] }[] };
      const booked = pasted(book) as { start: string; serviceId: string };
      expect(booked.serviceId).toBe('consultation');
      expect(Date.parse(booked.start)).toBe(Date.parse(durations[0]?.offers[0]?.start ?? ''));
      expect(pasted(book)).toEqual(booked);
    },
  );

  it('calends serve, started without anything warns of nothing', async () => {
    const server = calends(['serve'], { PORT: '0', DATABASE_URL: 'sqlite:./quiet/c.db' }, folder());
    // What it prints for people and what it logs come in no order that is promised.
    await server.says(/Reference page/);
    await server.says(/"msg":"listening"/);
    const { stdout } = await server.signal('SIGTERM');
    expect(stdout).not.toContain('"level":"warn"');
  });

  it('calends serve, started without anything has a page on which anybody can book', async () => {
    const address = await calends(['serve'], { PORT: '0', DATABASE_URL: 'memory:' }, folder()).listening();
    const page = await fetch(`${address}/manage/book`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Consultation');
  });

  it('calends serve, started without anything gives the reference page a token for each role, which is accepted', async () => {
    const address = await calends(['serve'], { PORT: '0', DATABASE_URL: 'memory:' }, folder()).listening();
    const given = (await (await fetch(`${address}/docs/tokens`)).json()) as { role: string; token: string }[];
    expect(given.map(({ role }) => role)).toContain('ROLE_AGENT');
    const token = given.find(({ role }) => role === 'ROLE_AGENT')?.token ?? '';
    expect(await new SchedulingClient(address, token).schedule()).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([{ CALENDS_PUBLIC_URL: 'http://calends.example' }, { CALENDS_TRUST_PROXY: '1' }])(
    'calends serve, started without anything gives the reference page no token where others are to reach the server: %j',
    async (reached) => {
      const address = await calends(
        ['serve'],
        { PORT: '0', DATABASE_URL: 'memory:', ...reached },
        folder(),
      ).listening();
      expect((await fetch(`${address}/docs/tokens`)).status).toBe(404);
    },
  );

  it('calends serve, started without anything prints one token for each role, past the log, and each is accepted', async () => {
    const server = calends(['serve'], { PORT: '0', DATABASE_URL: 'memory:' }, folder());
    const address = await server.listening();
    await server.says(/More tokens/);
    const tokens = [...server.stdout.matchAll(/^(ROLE_\w+) \([\w-]+\)\n(\S+)$/gm)];
    expect(tokens.map(([, role]) => role)).toEqual([
      ...['ROLE_AGENT', 'ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE', 'ROLE_CUSTOMER', 'ROLE_ADMIN'],
    ]);
    const path = '/api/v2/appointments/01890a5d-ac96-774b-bcce-b302099a8057';
    for (const [, role, token = ''] of tokens) {
      const { status } = await new SchedulingClient(address, token).send('GET', path);
      expect([role, status]).toEqual([role, status === 403 ? 403 : 404]);
    }
    const logged = server.stdout.split('\n').filter((line) => line.startsWith('{'));
    for (const [, , token = ''] of tokens) expect(logged.join('\n')).not.toContain(token);
  });

  it('calends serve, started without anything is one world: its tokens and commands see what a customer books, and its time is taken', async () => {
    const variables = { PORT: '0', DATABASE_URL: `sqlite:${join(folder(), 'one-world', 'c.db')}` };
    const server = calends(['serve'], variables, folder());
    const address = await server.listening();
    await server.says(/More tokens/);
    const tokens = new Map(
      Array.from(server.stdout.matchAll(/^(ROLE_\w+) \([\w-]+\)\n(\S+)$/gm), ([, role, token]) => [role, token]),
    );
    const [, offered = ''] = /Idempotency-Key: [^']*' -d '([^']*)'/.exec(server.stdout) ?? [];
    const booking = JSON.parse(offered) as object;
    const username = 'ada@example.org';
    const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    await post('/api/customers/one-time-passwords', { applicationId: 'app-1', username });
    const [, code = ''] = await server.says(/\b(\d{6})\b(?=\. It is valid)/);
    const credentials = Buffer.from(`${username}:${code}`).toString('base64');
    const booked = await post('/api/v2/appointments/basic', booking, { Authorization: `Basic ${credentials}` });
    expect(booked.status).toBe(200);
    const { id } = (await booked.json()) as { readonly id: string };

    const seen = (token = ''): Promise<Response> =>
      new SchedulingClient(address, token).send('GET', `/api/v2/appointments/${id}`);
    expect((await seen(tokens.get('ROLE_SUPERVISOR'))).status).toBe(200);
    const printed = await calends(['token', '--role', 'ROLE_SUPERVISOR'], variables, folder()).ended;
    expect((await seen(printed.stdout.trim())).status).toBe(200);
    const agent = new SchedulingClient(address, tokens.get('ROLE_AGENT') ?? '');
    const again = async (): Promise<number> => (await agent.send('POST', '/api/v2/appointments/', booking)).status;
    // The service has two agents, of whom one or both work then.
    const statuses = [await again(), await again()];
    expect([statuses.filter((status) => status === 200).length <= 1, statuses[1]]).toEqual([true, 409]);
  });

  it('calends serve, started without anything keeps appointments and tokens over a restart', async () => {
    const variables = { PORT: '0', DATABASE_URL: `sqlite:${join(folder(), 'restarted', 'c.db')}` };
    const first = calends(['serve'], variables, folder());
    const address = await first.listening();
    const [, token = ''] = await first.says(/^ROLE_AGENT \(agent-1\)\n(\S+)$/m);
    const id = await new SchedulingClient(address, token).schedule();
    expect(await first.signal('SIGTERM')).toMatchObject({ code: 0 });

    const second = calends(['serve'], variables, folder());
    const client = new SchedulingClient(await second.listening(), token);
    const response = await client.send('GET', `/api/v2/appointments/${id}`);
    expect(await response.json()).toMatchObject({ id, title: 'Consultation' });
  });
});

describe('calends serve', () => {
  it('calends serve prints no token where the secret is the host’s own', async () => {
    const server = calends(['serve'], memory, folder());
    const client = new SchedulingClient(await server.listening(), await agentToken());
    await client.schedule();
    const { stdout } = await server.signal('SIGTERM');
    expect(stdout).not.toContain('Bearer');
  });

  it('calends serve may be started several times at once on one fresh SQLite file', async () => {
    const variables = { PORT: '0', DATABASE_URL: `sqlite:${join(folder(), 'together', 'c.db')}` };
    await startTogether(variables);
  });

  itOnPostgres(
    'calends serve may be started several times at once on one fresh PostgreSQL database (CALENDS_TEST_POSTGRES_URL)',
    async () => {
      const { url, drop } = await makeDatabase('together');
      try {
        await startTogether({ ...secrets, PORT: '0', DATABASE_URL: url });
      } finally {
        await drop();
      }
    },
  );

  it('calends serve says in one line that its port is taken', async () => {
    const first = calends(['serve'], memory, folder());
    const { port } = new URL(await first.listening());
    const ending = await calends(['serve'], { ...memory, PORT: port }, folder()).ended;
    expect(ending).toMatchObject({
      code: 69,
      stderr: `calends: port ${port} on 127.0.0.1 is in use by another process (PORT, HOST)\n`,
    });
  });

  it('calends serve has pages for probes, for programs and for people', async () => {
    const address = await calends(['serve'], memory, folder()).listening();
    expect(await ask(address, '/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    const document = await ask(address, '/openapi.json');
    expect(document).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' });
    expect(JSON.parse(document.text)).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] });
    for (const path of ['/', '/docs']) {
      const { status, headers } = await ask(address, path);
      expect([status, headers.get('location')]).toEqual([303, 'docs/']);
    }
  });

  it("calends serve has no tokens for its reference page where the secrets are the host's own", async () => {
    const address = await calends(['serve'], memory, folder()).listening();
    expect((await ask(address, '/docs/tokens')).status).toBe(404);
  });

  it('calends serve serves a reference page that needs nothing from elsewhere', async () => {
    const address = await calends(['serve'], memory, folder()).listening();
    const page = await ask(address, '/docs/');
    expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self'; /);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part);
    expect(parts).toContain('swagger-ui-bundle.js');
    for (const part of parts) expect(part).not.toMatch(/^(?:\w+:|\/)/);
    expect(page.text).not.toMatch(/<script>|<style|style=/);
    const answers = await Promise.all(parts.map(async (part) => (await ask(address, `/docs/${part}`)).status));
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it.each(['/nothing', '/api/v2/nothing', '/docs/nothing', '/docs/%zz', '/docs/..%2f..%2fpackage.json', '/healthz/x'])(
    'calends serve answers %s with a problem',
    async (path) => {
      const address = await calends(['serve'], memory, folder()).listening();
      const answer = await ask(address, path);
      expect(answer).toMatchObject({ status: 404, type: 'application/problem+json' });
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'not_found', status: 404 });
      expect(answer.headers.get('x-powered-by')).toBeNull();
    },
  );

  it('calends serve logs one line for a request, without query, token or personal data', async () => {
    const server = calends(['serve'], { ...memory, LOG_LEVEL: 'debug' }, folder());
    const token = await agentToken();
    const client = new SchedulingClient(await server.listening(), token);
    const id = await client.schedule();
    const listed = await client.send('GET', '/api/v2/appointments/?agentId=secret-query');
    await client.send('GET', `/${customerEmail}`);
    const { stdout } = await server.signal('SIGTERM');

    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests).toMatchObject([
      { level: 'info', method: 'POST', route: '/api/v2/appointments/', status: 200, requestId: expect.any(String) },
      { method: 'GET', route: '/api/v2/appointments/', requestId: listed.headers.get('x-request-id') },
      { method: 'GET', route: 'unknown', status: 404 },
    ]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'debug', event: 'APCreatedEvent', requestId: requests[0]?.['requestId'] }),
    );
    expect(stdout).toContain(id);
    for (const word of [token, customerEmail, 'Lovelace', 'secret-query']) expect(stdout).not.toContain(word);
  });
});
