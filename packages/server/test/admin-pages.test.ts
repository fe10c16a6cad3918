import { SignJWT } from 'jose';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jwtSecret, secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const memory = { ...secrets, DATABASE_URL: 'memory:', PORT: '0' };
const production = { ...memory, NODE_ENV: 'production' };
const forTheInside = ['/metrics', '/docs', '/docs/', '/'];

async function statuses(address: string, paths: readonly string[]): Promise<readonly number[]> {
  return Promise.all(paths.map(async (path) => (await fetch(`${address}${path}`, { redirect: 'manual' })).status));
}

/** Asks until the worker has gone round. */
async function readyz(address: string): Promise<unknown> {
  for (;;) {
    const response = await fetch(`${address}/readyz`);
    const content: unknown = await response.json();
    if (response.status === 200) return content;
  }
}

describe('pages for the inside', () => {
  it('pages for the inside are not on the port of the service in production, and `/readyz` says no more than its status', async () => {
    const address = await calends(['serve'], production, folder()).listening();
    expect(await statuses(address, forTheInside)).toEqual([404, 404, 404, 404]);
    expect(await statuses(address, ['/healthz', '/openapi.json'])).toEqual([200, 200]);
    expect(await readyz(address)).toEqual({ status: 'ready' });
  });

  it('pages for the inside are not what a 404 sends to where they are not', async () => {
    const address = await calends(['serve'], production, folder()).listening();
    const { detail } = (await (await fetch(`${address}/docs/`)).json()) as { detail: string };
    const [, shown = ''] = /; (\S+) shows what there is/.exec(detail) ?? [];
    expect(await statuses(address, [shown])).toEqual([200]);
  });

  it('pages for the inside are there in production when asked for (CALENDS_ADMIN=public)', async () => {
    const address = await calends(['serve'], { ...production, CALENDS_ADMIN: 'public' }, folder()).listening();
    expect(await statuses(address, forTheInside)).toEqual([200, 303, 200, 303]);
    expect(await statuses(address, ['/docs/tokens'])).toEqual([404]);
  });

  it('pages for the inside have a listener of their own (CALENDS_ADMIN=0) that serves nothing else and ends with the server', async () => {
    const server = calends(['serve'], { ...production, CALENDS_ADMIN: '0' }, folder());
    const address = await server.listening();
    const [, inside = ''] = await server.says(/"address":"([^"]+)".*"msg":"pages for the inside"/);
    expect(inside).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await statuses(address, forTheInside)).toEqual([404, 404, 404, 404]);
    expect(await statuses(inside, [...forTheInside, '/healthz', '/openapi.json'])).toEqual([
      200, 303, 200, 303, 200, 200,
    ]);
    expect(await statuses(inside, ['/manage/', '/api/v2/appointments/'])).toEqual([404, 404]);
    expect(await readyz(inside)).toMatchObject({ status: 'ready', store: 'ok', worker: 'ok' });
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(`${inside}/healthz`)).rejects.toThrow();
  });

  it('pages for the inside say in one line that their port is taken', async () => {
    const { port } = new URL(await calends(['serve'], memory, folder()).listening());
    const ending = await calends(['serve'], { ...memory, CALENDS_ADMIN: port }, folder()).ended;
    expect(ending).toMatchObject({ code: 69, stderr: expect.stringContaining('(CALENDS_ADMIN)') });
  });
});

describe('headers of every answer', () => {
  const paths = [
    '/healthz',
    '/readyz',
    '/metrics',
    '/docs/',
    '/openapi.json',
    '/nothing',
    '/manage/',
    '/api/v2/appointments/',
  ];

  async function headersOf(variables: NodeJS.ProcessEnv, name: string): Promise<ReadonlySet<string | null>> {
    const address = await calends(['serve'], { ...memory, ...variables }, folder()).listening();
    const answers = await Promise.all(paths.map((path) => fetch(`${address}${path}`)));
    return new Set(answers.map(({ headers }) => headers.get(name)));
  }

  it('headers of every answer keep browsers on https where the public address is https, and only there', async () => {
    const secured = { CALENDS_PUBLIC_URL: 'https://calends.example' };
    expect(await headersOf(secured, 'strict-transport-security')).toEqual(new Set(['max-age=31536000']));
    const plain = { CALENDS_PUBLIC_URL: 'http://calends.example' };
    expect(await headersOf(plain, 'strict-transport-security')).toEqual(new Set([null]));
  });

  it('headers of every answer forbid guessing of types', async () => {
    expect(await headersOf({}, 'x-content-type-options')).toEqual(new Set(['nosniff']));
  });
});

describe('bearer tokens of the server (D80)', () => {
  async function statusFor(address: string, claims: Readonly<Record<string, unknown>>): Promise<number> {
    const token = await new SignJWT({ sub: 'agent-1', roles: ['ROLE_AGENT'], ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(jwtSecret));
    const path = '/api/v2/appointments/01890a5d-ac96-774b-bcce-b302099a8057';
    return (await fetch(`${address}${path}`, { headers: { Authorization: `Bearer ${token}` } })).status;
  }

  it('bearer tokens of the server must name their organization as soon as one application names one', async () => {
    const path = join(folder(), 'calends.json');
    writeFileSync(path, JSON.stringify({ applications: { 'app-1': { organizationId: 'org-1' } } }));
    const variables = { ...memory, CALENDS_CONFIG: path };
    const address = await calends(['serve'], variables, folder()).listening();
    expect([await statusFor(address, {}), await statusFor(address, { organizationId: 'org-1' })]).toEqual([401, 404]);
    const optional = { ...variables, CALENDS_ORGANIZATION_CLAIM: 'optional' };
    expect(await statusFor(await calends(['serve'], optional, folder()).listening(), {})).toBe(404);
  });

  it('bearer tokens of the server that are ID tokens are refused', async () => {
    const address = await calends(['serve'], memory, folder()).listening();
    expect([await statusFor(address, {}), await statusFor(address, { nonce: 'n' })]).toEqual([404, 401]);
  });

  it.each([
    ['neither issuer nor audience', {}, /CALENDS_JWT_ISSUER and CALENDS_JWT_AUDIENCE not set/],
    ['no audience', { CALENDS_JWT_ISSUER: 'https://login.example' }, /"CALENDS_JWT_AUDIENCE not set/],
  ])('bearer tokens of the server with %s asked for are warned of at start', async (_, expected, warning) => {
    const server = calends(['serve'], { ...memory, ...expected }, folder());
    await server.says(warning);
    expect(server.stdout).toMatch(new RegExp(`"level":"warn".*${warning.source.replace(/^"/, '')}`));
  });

  it('bearer tokens of the server with both asked for are not', async () => {
    const expected = { CALENDS_JWT_ISSUER: 'https://login.example', CALENDS_JWT_AUDIENCE: 'calends' };
    // The example service has a warning of its own.
    const variables = { ...memory, ...expected, CALENDS_AVAILABILITY: 'off' };
    const server = calends(['serve'], variables, folder());
    await server.listening();
    expect((await server.signal('SIGTERM')).stdout).not.toContain('"level":"warn"');
  });
});
