import type { webcrypto } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { type Host, openMemoryStore, people, start, startHost } from './support/host.js';
import { created, creation, oneTimePassword, unknownId } from './support/requests.js';

const v2 = '/api/v2/appointments';
const load = 600;
const atOnce = 30;

/** Sends so many requests, a bounded number at a time; answers how often each status came. */
async function statusesOf(count: number, send: (index: number) => Promise<{ readonly status: number }>) {
  const statuses: Record<number, number> = {};
  for (let first = 0; first < count; first += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => send(first + index));
    for (const { status } of await Promise.all(batch)) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

describe('A load of wrong credentials', () => {
  let host: Host;
  afterEach(() => host.close());

  const opened = async (answers: boolean) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
    const fetched: number[] = [];
    let answering = true;
    host = await startHost({
      open: openMemoryStore,
      http: {
        authentication: {
          jwks: { url: 'https://issuer.example/jwks' },
          now: () => host.clock.time,
          fetch: () => {
            fetched.push(host.clock.time);
            return answering ? Promise.resolve(Response.json({ keys: [key] })) : Promise.reject(new Error('down'));
          },
        },
      },
    });
    const signedWith = (by: webcrypto.CryptoKey, kid: string, sub: string): Promise<string> =>
      new SignJWT({ ...people.agent, sub })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setExpirationTime(start / 1000 + 86_400)
        .sign(by);
    const right = await signedWith(privateKey, 'one', 'agent-1');
    expect((await host.call('GET', `${v2}/${unknownId}`, { as: right })).status).toBe(404);
    answering = answers;
    const other = (await generateKeyPair('ES256', { extractable: true })).privateKey;
    const wrong = await Promise.all(
      Array.from({ length: 20 }, (_, index) => signedWith(other, index % 2 === 0 ? 'one' : `kid-${index}`, 'agent-1')),
    );
    return { right, wrong, fetched };
  };

  it.each([
    ['answers', true],
    ['fails', false],
  ])(
    'a load of wrong credentials reaches a key set that %s no more than once in 30 s, and others are served meanwhile',
    async (_how, answers) => {
      const { right, wrong, fetched } = await opened(answers);
      fetched.length = 0;
      host.clock.time += 31_000;
      const began = host.clock.time;
      const tokens = [...wrong, 'x', 'a.b.c', `${right}A`, right.slice(0, -6), 'x'.repeat(9000)];
      const statuses = await statusesOf(load, (index) => {
        host.clock.time = began + Math.floor((index / load) * 90_000);
        const as = index % 10 === 0 ? right : (tokens[index % tokens.length] ?? 'x');
        return host.call('GET', `${v2}/${unknownId}`, { as });
      });
      expect(statuses).toEqual({ 404: load / 10, 401: load - load / 10 });
      expect(fetched.length).toBeLessThanOrEqual(4);
      const gaps = fetched.slice(1).map((at, index) => at - (fetched[index] ?? at));
      expect(gaps.every((gap) => gap >= 30_000)).toBe(true);
    },
  );

  it('a load of wrong credentials asks nothing of the store, and reads no body, before the credentials are accepted', async () => {
    host = await startHost({ open: openMemoryStore });
    host.store.statements();
    const body = { raw: `{"applicationId":"${'x'.repeat(200_000)}"`, chunked: true };
    const statuses = await statusesOf(100, () => host.call('POST', `${v2}/`, { as: 'not a token', ...body }));
    expect(statuses).toEqual({ 401: 100 });
    expect(host.store.statements()).toEqual([]);
  });

  it('a load of wrong credentials is written down together, once a minute for each call, and bounded', async () => {
    host = await startHost({ open: openMemoryStore });
    const { id } = (await created(host)) as { readonly id: string };
    host.store.statements();
    await statusesOf(load, (index) =>
      host.call('GET', `${v2}/${id}`, index % 2 === 0 ? {} : { as: randomBytes(12).toString('hex') }),
    );
    await host.scheduling.close();
    const written = host.store.statements().filter((each) => each.startsWith('audit.recordRefusals'));
    expect(written).toHaveLength(1);
    const supervisor = { id: 's', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] } as const;
    const { items } = await host.scheduling.audit.list(supervisor, { appointmentId: id });
    expect(items.filter(({ outcome }) => outcome === 'unauthenticated')).toHaveLength(1);
  });

  it('a load of wrong credentials of one-time passwords for names without one only counts tries, and leaves one line of the audit record', async () => {
    host = await startHost({
      open: openMemoryStore,
      scheduling: { ...({ otpVerifier: undefined } as object) },
    });
    host.store.statements();
    const statuses = await statusesOf(load, (index) => {
      const username = `nobody-${String(index % 50)}`;
      const code = String(index).padStart(6, '0');
      const json = creation({ applicationId: 'app-1', customers: [{ username }] });
      return host.call('POST', `${v2}/basic`, { headers: oneTimePassword(username, code), json });
    });
    expect(statuses).toEqual({ 401: load });
    await host.scheduling.close();
    const statements = host.store.statements();
    const noted = statements.filter((each) => each.startsWith('audit.recordRefusals'));
    const asked = new Set(statements.filter((each) => !noted.includes(each)).map((each) => each.split(' ')[0]));
    expect([...asked]).toEqual(['customers.countTry']);
    const lines = noted.flatMap((each) => (JSON.parse(each.slice(each.indexOf(' '))) as [unknown[]])[0]);
    expect(lines).toHaveLength(1);
  });
});
