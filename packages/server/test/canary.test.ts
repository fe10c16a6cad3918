import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signToken } from '../src/secrets/sign-token.js';
import { type EchoingMailServer, echoingMailServer } from './echoing-mail-server.js';
import { appointment, jwtSecret, organizationId, secrets } from './scheduling-client.js';
import { calends, type CalendsProcess } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
/** Stands in every personal field, and nowhere else. */
const marker = /zyxmark|2109994477/i;
const email = 'zyxmarkmail@example.org';
const customer = {
  username: 'zyxmarkuser',
  name: { firstName: 'Zyxmarkfirst', lastName: 'Zyxmarklast' },
  contact: { primaryEmail: email, primaryPhone: '+302109994477' },
  metadata: { note: 'zyxmarkmeta' },
};
const booking = { ...appointment, customers: [customer] };
const v2 = '/api/v2/appointments';
const v1 = '/api/appointments';

type Role = 'ROLE_AGENT' | 'ROLE_SUPERVISOR' | 'ROLE_CLIENT_SERVICE' | 'ROLE_CUSTOMER' | 'ROLE_ADMIN';

/** What came back, with the bodies that must not have the marker. */
class Session {
  readonly bodies: string[] = [];
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async send(
    method: string,
    path: string,
    options: { role?: Role; sub?: string; json?: unknown; raw?: string; headers?: Record<string, string> } = {},
  ) {
    const { role, sub = 'agent-1', json, raw, headers = {} } = options;
    const subject = { sub, roles: [role ?? 'ROLE_AGENT'], organizationId } as const;
    const token = await signToken(subject, { secret: jwtSecret, expected: {}, validFor: 3_600_000 });
    const response = await fetch(`${this.#address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(role === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(json === undefined && raw === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined && raw === undefined ? {} : { body: raw ?? JSON.stringify(json) }),
    });
    const text = await response.text();
    this.bodies.push(`${method} ${path.split('?')[0] ?? ''} ${String(response.status)} ${text}`);
    return {
      status: response.status,
      text,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
  }
}

describe('Personal data (decisions, Across all)', () => {
  let mails: EchoingMailServer;
  let hooks: Server;
  let server: CalendsProcess;
  const hookBodies: string[] = [];

  beforeEach(async () => {
    mails = await echoingMailServer();
    hooks = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        hookBodies.push(body);
        // Whatever an endpoint says is not kept.
        response.writeHead(500, { 'x-echo': email }).end(`${email} ${body}`);
      });
    }).listen(0, '127.0.0.1');
    await once(hooks, 'listening');
  });
  afterEach(() => {
    mails.close();
    hooks.closeAllConnections();
    hooks.close();
  });

  it('Personal data is in no log, error, metric, event, problem body or audit line, at level trace', async () => {
    const at = join(folder(), 'canary');
    mkdirSync(at);
    const file = join(at, 'calends.json');
    const hook = {
      id: 'crm',
      label: 'CRM',
      url: `http://127.0.0.1:${String((hooks.address() as AddressInfo).port)}/`,
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      allowHttp: true,
      allowPrivateNetwork: true,
    };
    const notifications = { active: true, email: { from: 'no-reply@clinic.example' }, webhooks: [hook] };
    writeFileSync(
      file,
      JSON.stringify({ applications: { 'app-1': { organizationId, overlap: { mode: 'customer' }, notifications } } }),
    );
    const environment = {
      ...secrets,
      CALENDS_CONFIG: file,
      DATABASE_URL: 'sqlite:./c.db',
      PORT: '0',
      LOG_LEVEL: 'trace',
      SMTP_URL: mails.url,
    };
    server = calends(['serve'], environment, at);
    const session = new Session(await server.listening());
    const by = (role: Role, json?: unknown) => ({ role, ...(json === undefined ? {} : { json }) });

    // The one mail that is taken has the marker: the test can fail.
    await session.send('POST', '/api/customers/one-time-passwords', {
      json: { applicationId: 'app-1', username: email },
    });
    while (mails.taken() === '') await session.send('GET', '/healthz');
    expect(mails.taken()).toMatch(marker);
    const [code = ''] = /\b\d{6}\b/.exec(mails.taken()) ?? [];
    const basic = (word: string) => ({ Authorization: `Basic ${Buffer.from(`${email}:${word}`).toString('base64')}` });
    await session.send('POST', `${v2}/basic`, { json: booking, headers: basic('000000') });
    const booked = await session.send('POST', `${v2}/basic`, { json: booking, headers: basic(code) });
    expect(booked.status).toBe(200);
    await session.send('POST', `${v2}/basic`, { json: booking, headers: basic(code) });

    const later = { ...booking, start: '2999-06-04T09:00:00Z' };
    const made = await session.send('POST', `${v2}/`, by('ROLE_AGENT', later));
    const id = String(made.body['id']);
    const participants = made.body['participants'] as readonly { readonly id: string; readonly type: string }[];
    const participantId = participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
    await session.send('POST', `${v1}/`, by('ROLE_AGENT', { ...later, start: '2999-07-04T09:00:00Z', customer }));
    expect((await session.send('POST', `${v2}/`, by('ROLE_AGENT', later))).status).toBe(409);

    // Markers where they are wrong.
    const wrong = [
      { ...booking, customers: [{ ...customer, contact: { primaryEmail: 'zyxmark without at' } }] },
      { ...booking, customers: [{ ...customer, contact: { primaryPhone: '2109994477' } }] },
      { ...booking, customers: 'zyxmark' },
      { ...booking, start: 'zyxmark', timezone: 'zyxmark', duration: 'zyxmark', locale: 'zyxmark-!' },
      { ...booking, zyxmark: 1, customers: [{ zyxmark: 'zyxmark' }] },
      { ...booking, metadata: { __proto__zyxmark: 1, constructor: 'zyxmark' } },
      { ...booking, targetAssignment: { id: 'zyxmark', type: 'AGENT' }, notificationHeaders: '{"Cookie":"zyxmark"}' },
    ];
    for (const json of wrong) await session.send('POST', `${v2}/`, by('ROLE_AGENT', json));
    await session.send('POST', `${v2}/`, { role: 'ROLE_AGENT', raw: `{"zyxmark": zyxmark` });
    await session.send('GET', `${v2}/zyxmark`, by('ROLE_AGENT'));
    await session.send('GET', `${v2}/?sortField=zyxmark&applicationId=zyxmark&range=zyxmark`, by('ROLE_AGENT'));
    await session.send('GET', `/manage/zyxmark?zyxmark`);
    await session.send('GET', `/api/calendar-feeds/zyxmark.ics`);
    await session.send('POST', '/api/customers/sessions', { json: { code: 'zyxmark' } });

    const change = { id, customer: { ...customer, id: participantId, name: { firstName: 'Zyxmarknew' } } };
    expect((await session.send('PUT', `${v2}/`, by('ROLE_AGENT', change))).status).toBe(200);
    await session.send('PUT', `${v2}/`, { role: 'ROLE_AGENT', sub: 'agent-2', json: change });
    await session.send('GET', `${v2}/${id}`, { role: 'ROLE_AGENT', sub: 'agent-2' });
    await session.send('GET', `${v2}/${id}`);
    await session.send('GET', `${v2}/`, by('ROLE_SUPERVISOR'));
    const moved = { id, start: '2999-06-05T09:00:00Z', duration: 'PT30M', timezone: 'UTC' };
    await session.send('PUT', `${v2}/reschedule/`, by('ROLE_AGENT', moved));
    await session.send('POST', `${v2}/activate/${id}`, by('ROLE_AGENT'));
    await session.send('PUT', `${v2}/${id}/cancel`, by('ROLE_SUPERVISOR'));

    while (mails.refused() < 2 || hookBodies.length < 3) await session.send('GET', '/readyz');
    const listed = await session.send(
      'GET',
      '/api/notifications/?applicationId=app-1&pageSize=100',
      by('ROLE_SUPERVISOR'),
    );
    // The one place where a name stands (notification document: displayName).
    expect(session.bodies.pop()).toMatch(/"displayName":"Zyxmark/);
    const statuses = listed.body['content'] as readonly Record<string, unknown>[];
    session.bodies.push(JSON.stringify(statuses.map(({ recipient: _named, ...rest }) => rest)));
    expect(session.bodies.at(-1)).toMatch(/550/);
    await session.send('GET', '/api/notifications/events?applicationId=app-1&pageSize=100', by('ROLE_SUPERVISOR'));
    const events = JSON.parse(session.bodies.pop()?.replace(/^.*? \d{3} /, '') ?? '{}') as {
      readonly content: readonly Record<string, unknown>[];
    };
    session.bodies.push(JSON.stringify(events.content.map(({ recipient: _named, ...rest }) => rest)));
    const failed = statuses.find(({ status }) => status === 'FAILED');
    if (failed !== undefined)
      await session.send('PUT', `/api/notifications/${String(failed['id'])}/retry`, by('ROLE_ADMIN'));
    await session.send('GET', '/metrics');
    const list = await calends(['notifications', 'list', '--application', 'app-1'], environment, at).ended;

    const { code: exit, stdout, stderr } = await server.signal('SIGTERM');
    expect(exit).toBe(0);
    expect(stdout).toContain('"level":"debug"');
    const told = { log: stdout, errors: stderr, table: list.stdout + list.stderr, hooks: hookBodies.join('\n') };
    expect(
      Object.entries(told)
        .filter(([, text]) => marker.test(text))
        .map(([name, text]) => [name, around(text)]),
    ).toEqual([]);
    expect(session.bodies.filter((body) => marker.test(body.replace(/^\S+ \S+ /, ''))).map(around)).toEqual([]);
  });
});

/** What stands around the marker, to see where it came from. */
function around(text: string): string {
  const at = marker.exec(text)?.index ?? 0;
  return text.slice(Math.max(0, at - 120), at + 60);
}
