import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sqliteKnex } from '@calends/store-knex';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signToken } from '../src/secrets/sign-token.js';
import { agentToken, jwtSecret, organizationId, SchedulingClient, secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';
import { almostScheduled, almostSent } from './unfinished-request.js';

const folder = temporaryFolder();
const memory = { ...secrets, DATABASE_URL: 'memory:', PORT: '0' };

describe('SIGTERM', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends an idle server with 0', async (signal) => {
    const server = calends(['serve'], memory, folder());
    await server.listening();
    expect(await server.signal(signal)).toMatchObject({ code: 0, stderr: '' });
  });

  it('SIGTERM lets go of connections that have not asked for anything', async () => {
    const server = calends(['serve'], memory, folder());
    const { hostname, port } = new URL(await server.listening());
    const silent = connect(Number(port), hostname);
    await once(silent, 'connect');
    const closed = once(silent.resume(), 'close');
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 0 });
    await closed;
  });

  it('SIGTERM finishes the request that is under way, and takes no new one', async () => {
    const server = calends(['serve'], memory, folder());
    const address = await server.listening();
    const { socket, answer, rest } = await almostScheduled(server);
    const ended = server.signal('SIGTERM');
    await server.says(/finishing the requests under way/);
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();
    socket.write(rest);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*"title":"Consultation"/);
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('SIGTERM leaves the refusal of the request that is under way in the audit record', async () => {
    const filename = join(folder(), 'refused.db');
    const server = calends(['serve'], { ...memory, DATABASE_URL: `sqlite:${filename}` }, folder());
    const subject = { sub: 'agent-1', roles: ['ROLE_AGENT'], organizationId, applicationIds: ['app-2'] } as const;
    const token = await signToken(subject, { secret: jwtSecret, expected: {}, validFor: 60_000 });
    const id = await new SchedulingClient(await server.listening(), await agentToken()).schedule();
    const { socket, answer, rest } = await almostSent(server, 'PUT', { id, title: 'Another' }, token);
    const { hostname, port } = new URL(await server.listening());
    const silent = connect(Number(port), hostname).resume();
    await once(silent, 'connect');
    const ended = server.signal('SIGTERM');
    // By then everything else has ended.
    await once(silent, 'close');
    socket.write(rest);
    expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ended).toMatchObject({ code: 0 });
    const knex = sqliteKnex({ filename, create: false });
    onTestFinished(() => knex.destroy());
    expect(await knex('calends_audit').orderBy('id').pluck('outcome')).toEqual(['done', 'forbidden']);
  });

  it('SIGTERM ends the process at once when it comes again', async () => {
    const server = calends(['serve'], memory, folder());
    const { answer } = await almostScheduled(server);
    void server.signal('SIGTERM');
    await server.says(/finishing the requests under way/);
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 1 });
    expect(await answer).toBe('');
  });

  it('SIGTERM loses no acknowledged request under load', async () => {
    const variables = { ...secrets, PORT: '0', DATABASE_URL: `sqlite:${join(folder(), 'under-load', 'c.db')}` };
    const token = await agentToken();
    const server = calends(['serve'], variables, folder());
    const client = new SchedulingClient(await server.listening(), token);
    const acknowledged: string[] = [];
    let isUp = true;
    const work = async (): Promise<void> => {
      while (isUp) {
        try {
          acknowledged.push(await client.schedule());
          if (acknowledged.length === 100) void server.signal('SIGTERM');
        } catch {
          isUp = false;
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    const { code, stdout } = await server.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain('"unfinished"');

    const again = calends(['serve'], variables, folder());
    const reader = new SchedulingClient(await again.listening(), token);
    expect(acknowledged.length).toBeGreaterThanOrEqual(100);
    const found = await Promise.all(
      acknowledged.map(async (id) => (await reader.send('GET', `/api/v2/appointments/${id}`)).status),
    );
    expect(new Set(found)).toEqual(new Set([200]));
  });
});
