import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jwtVerifier } from './jwt-verifier.js';

const start = Date.UTC(2030, 0, 1);
const minute = 60_000;
const keys = new Map(['one', 'two'].map((kid) => [kid, generateKeyPairSync('ec', { namedCurve: 'P-256' })] as const));

let now: number;
let fetches: number;
let answer: () => Response | Promise<Response>;
let faults: unknown[];

beforeEach(() => {
  now = start;
  fetches = 0;
  faults = [];
  answer = async () => Response.json({ keys: [await jwkOf('one')] });
});

afterEach(() => void vi.restoreAllMocks());

async function jwkOf(kid: string): Promise<JWK> {
  return { ...(await exportJWK(keys.get(kid)!.publicKey)), kid, alg: 'ES256' };
}

function token(kid: string, subject = 'agent-1'): Promise<string> {
  return new SignJWT({ roles: ['ROLE_AGENT'] })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setSubject(subject)
    .setExpirationTime(start / 1000 + 7 * 24 * 3600)
    .sign(keys.get(kid)!.privateKey);
}

function verifier(onFault: (fault: unknown) => void = (fault) => faults.push(fault)) {
  return jwtVerifier({
    jwks: { url: 'https://issuer.example/jwks' },
    now: () => now,
    onFault,
    fetch: async () => {
      fetches += 1;
      return answer();
    },
  });
}

describe('a key set at an address', () => {
  it('a key set at an address is fetched once for many tokens', async () => {
    const { verify } = verifier();
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => token('one', `agent-${index}`)));
    const callers = await Promise.all(tokens.map(async (each) => verify(each)));
    expect(callers.every((caller) => caller !== undefined)).toBe(true);
    expect(fetches).toBe(1);
  });

  it('a key set at an address is fetched again for an unknown key id, at most once in 30 s', async () => {
    const { verify } = verifier();
    await verify(await token('one'));
    answer = async () => Response.json({ keys: [await jwkOf('one'), await jwkOf('two')] });
    for (let tried = 0; tried < 50; tried += 1) expect(await verify(await token('two'))).toBeUndefined();
    expect(fetches).toBe(1);
    now += 30_000;
    expect(await verify(await token('two'))).toMatchObject({ id: 'agent-1' });
    expect(fetches).toBe(2);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['never answers', () => new Promise<never>(() => undefined)],
    ['never ends its answer', () => new Response(new ReadableStream())],
  ])(
    'a key set at an address that %s is given up, whatever a fetch of the host makes of the signal',
    async (_, silent) => {
      const timeout = new AbortController();
      vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
      const asked = new Promise<void>((resolve) => {
        answer = () => {
          resolve();
          return silent();
        };
      });
      const { verify } = verifier();
      const refused = verify(await token('one'));
      await asked;
      timeout.abort();
      expect(await refused).toBeUndefined();
      expect(faults).toHaveLength(1);
      answer = async () => Response.json({ keys: [await jwkOf('one')] });
      now += 30_000;
      expect(await verify(await token('one'))).toMatchObject({ id: 'agent-1' });
    },
  );

  it.each<[string, () => Response | Promise<Response>]>([
    ['answers 500', () => new Response('no', { status: 500 })],
    ['answers no JSON', () => new Response('<html>')],
    ['answers something else', () => Response.json({ hello: 'world' })],
    ['answers null', () => Response.json(null)],
    ['answers without an end', () => new Response('x'.repeat(300_000))],
    ['does not answer', () => Promise.reject(new Error('refused'))],
  ])(
    'a key set at an address that %s is asked at most once in 30 s, and every token is refused meanwhile',
    async (_, failing) => {
      answer = failing;
      const { verify } = verifier();
      for (let tried = 0; tried < 20; tried += 1) expect(await verify(await token('one'))).toBeUndefined();
      now += 29_999;
      expect(await verify(await token('one'))).toBeUndefined();
      expect(fetches).toBe(1);
      expect(faults).toHaveLength(1);
      now += 1;
      expect(await verify(await token('one'))).toBeUndefined();
      expect(fetches).toBe(2);
    },
  );

  it('a key set at an address that answers another status than 200 is not read, and its status is told', async () => {
    let cancelled = false;
    const endless = new ReadableStream({ cancel: () => void (cancelled = true) });
    answer = () => new Response(endless, { status: 503 });
    expect(await verifier().verify(await token('one'))).toBeUndefined();
    expect(faults).toEqual([new Error('The key set address answered 503.')]);
    expect(cancelled).toBe(true);
  });

  it('a key set at an address serves for 24 hours while its address fails, and not longer', async () => {
    const { verify } = verifier();
    await verify(await token('one'));
    answer = () => Promise.reject(new Error('refused'));
    now += 23 * 60 * minute;
    expect(await verify(await token('one', 'agent-2'))).toMatchObject({ id: 'agent-2' });
    expect(faults).toHaveLength(1);
    now += 60 * minute;
    expect(await verify(await token('one', 'agent-3'))).toBeUndefined();
  });

  it('a key set at an address lets go of a key that was withdrawn, ten minutes later at the latest', async () => {
    const { verify } = verifier();
    const kept = await token('one');
    expect(await verify(kept)).toBeDefined();
    answer = async () => Response.json({ keys: [await jwkOf('two')] });
    now += 10 * minute - 1;
    expect(await verify(kept)).toBeDefined();
    now += 1;
    expect(await verify(kept)).toBeUndefined();
  });

  it('a key set at an address is fetched again as ever when the clock has gone back', async () => {
    const { verify } = verifier();
    now += 120 * minute;
    expect(await verify(await token('one'))).toBeDefined();
    answer = async () => Response.json({ keys: [await jwkOf('two')] });
    now -= 120 * minute;
    expect(await verify(await token('two'))).toBeDefined();
    expect(await verify(await token('one', 'agent-2'))).toBeUndefined();
  });

  it('a key set at an address refuses tokens of a key in it that is broken', async () => {
    answer = async () => Response.json({ keys: [{ ...(await jwkOf('one')), x: 'AA' }] });
    expect(await verifier().verify(await token('one'))).toBeUndefined();
  });

  it('a key set at an address serves on when the hook that is told of failures fails too', async () => {
    const failing = verifier(() => {
      throw new Error('The hook failed.');
    });
    expect(await failing.verify(await token('one'))).toMatchObject({ id: 'agent-1' });
    now += 11 * minute;
    answer = () => new Response('no', { status: 500 });
    expect(await failing.verify(await token('one'))).toMatchObject({ id: 'agent-1' });
    expect(fetches).toBe(2);
  });

  it('a key set at an address cannot bring symmetric keys in', async () => {
    answer = () => Response.json({ keys: [{ kty: 'oct', kid: 'one', k: Buffer.alloc(32).toString('base64url') }] });
    const forged = await new SignJWT({ roles: ['ROLE_ADMIN'] })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .setSubject('x')
      .setExpirationTime(start / 1000 + 60)
      .sign(Buffer.alloc(32));
    expect(await verifier().verify(forged)).toBeUndefined();
  });
});
