import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from './free-port.js';
import { agentToken, organizationId, SchedulingClient, secrets } from './scheduling-client.js';
import { calends, type CalendsProcess } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const settings = {
  organizationId,
  notifications: { active: true, email: { from: 'Clinic <no-reply@clinic.example>' } },
};

/** A folder with a configuration, and the environment of a server there. */
async function place(name: string, variables: NodeJS.ProcessEnv = {}) {
  const at = join(folder(), name);
  mkdirSync(at);
  const file = join(at, 'calends.json');
  writeFileSync(file, JSON.stringify({ applications: { 'app-1': settings } }));
  // Links in mails name the port that was set.
  const PORT = String(await freePort());
  const environment = { ...secrets, CALENDS_CONFIG: file, DATABASE_URL: 'sqlite:./kept/c.db', PORT, ...variables };
  return { at, environment, mails: join(at, 'kept', 'mails') };
}

/** The text of the first mail that is written; soft line breaks are taken out. */
async function firstMail(directory: string): Promise<string> {
  for (let look = 0; look < 400; look += 1) {
    const [name] = existsSync(directory) ? readdirSync(directory) : [];
    const text = name === undefined ? '' : readFileSync(join(directory, name), 'utf8');
    if (text.includes('\n')) return text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('No mail was written.');
}

async function booked(server: CalendsProcess) {
  const address = await server.listening();
  const client = new SchedulingClient(address, await agentToken());
  return { address, client, id: await client.schedule() };
}

const formOf = (fields: Readonly<Record<string, string>>, cookie = ''): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  headers: { Cookie: cookie },
  body: new URLSearchParams(fields),
});

describe('The customer pages of the server', () => {
  it('the customer pages of the server open with the link of a mail, and cancel; the log holds neither the code nor the session', async () => {
    const { at, environment, mails } = await place('pages', { LOG_LEVEL: 'trace' });
    const server = calends(['serve'], environment, at);
    const { address, client, id } = await booked(server);
    const [link = '', page = '', code = ''] = /(http:\/\/\S+\/manage\/)#([\w.-]+)/.exec(await firstMail(mails)) ?? [];
    expect(link).toBe(`${address}/manage/#${code}`);

    const entry = await fetch(page);
    expect([entry.status, entry.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow']);
    const session = await fetch(`${page}session`, formOf({ code, zone: 'Europe/Berlin' }));
    expect([session.status, session.headers.get('location')]).toEqual([303, '/manage/appointment']);
    const cookie = session.headers.getSetCookie().map((each) => each.split(';')[0]);
    const shown = await fetch(`${page}appointment`, { headers: { Cookie: cookie.join('; ') } });
    expect(await shown.text()).toContain('<h1>Consultation</h1>');

    const question = await fetch(`${page}appointment/cancel`, { headers: { Cookie: cookie.join('; ') } });
    const [, version = ''] = /name="version" value="(\d+)"/.exec(await question.text()) ?? [];
    const form = formOf({ version, reason: 'Ill' }, cookie.join('; '));
    const cancelled = await fetch(`${page}appointment/cancel`, form);
    expect([cancelled.status, cancelled.headers.get('location')]).toEqual([303, '/manage/ended']);
    const kept: unknown = await (await client.send('GET', `/api/v2/appointments/${id}`)).json();
    expect(kept).toMatchObject({ cancellationReason: 'Ill' });
    expect((await fetch(`${page}session`, formOf({ code }))).status).toBe(403);

    const { stdout, stderr } = await server.signal('SIGTERM');
    expect(stdout).toContain('/manage');
    const [, token = ''] = (cookie[0] ?? '').split('~');
    for (const secret of [code, token]) {
      expect(secret.length).toBeGreaterThan(40);
      expect(stdout.includes(secret) || stderr.includes(secret)).toBe(false);
    }
  });

  it('the customer pages of the server have their links under the public address', async () => {
    const { at, environment, mails } = await place('public', { CALENDS_PUBLIC_URL: 'https://clinic.example/calends' });
    const server = calends(['serve'], environment, at);
    await booked(server);
    expect(await firstMail(mails)).toMatch(/https:\/\/clinic\.example\/calends\/manage\/#[\w.-]{60,}/);
  });

  it('the customer pages of the server have their links under the port that was taken, where any may be', async () => {
    const { at, environment, mails } = await place('taken', { PORT: '0' });
    const { address } = await booked(calends(['serve'], environment, at));
    expect(await firstMail(mails)).toContain(`${address}/manage/#`);
  });

  it('the customer pages of the server can be off: no page, and no link in a mail', async () => {
    const { at, environment, mails } = await place('off', { CALENDS_CUSTOMER_PAGES: 'off' });
    const server = calends(['serve'], environment, at);
    const { address } = await booked(server);
    expect((await fetch(`${address}/manage/`)).status).toBe(404);
    expect(await firstMail(mails)).not.toContain('/manage/');
  });
});
