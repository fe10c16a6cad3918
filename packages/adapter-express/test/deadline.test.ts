import { createScheduling } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Door, doors } from './support/doors.js';
import { people, secret, tokenOf } from './support/host.js';
import { creation } from './support/requests.js';

const base = '/api/v2/appointments';
let server: Server | undefined;
afterEach(() => server?.close());

type Store = ReturnType<typeof memoryStore>;

/** A host whose store does some things otherwise, and answers within a fifth of a second or not at all. */
async function hostOver(door: Door, methods: (store: Store) => Partial<Store>) {
  const store = memoryStore();
  const faults: unknown[] = [];
  const scheduling = createScheduling({ store: { ...store, ...methods(store) }, secret });
  const onFault = (fault: unknown): void => void faults.push(fault);
  const options = { authentication: { secret }, requestTimeout: 200, onFault };
  server = createServer(door(scheduling, options)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const create = async (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${address}${base}/`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${await tokenOf(people.agent)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(creation()),
    });
  return { store, faults, create };
}

describe.each(Object.entries(doors))('a request through %s that takes too long (D75)', (_, door) => {
  it('a request that takes too long is answered with 503 unavailable and Retry-After, and the host is told', async () => {
    const { create, faults } = await hostOver(door, () => ({ commit: () => new Promise(() => undefined) }));
    const reply = await create();
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(await reply.json()).toMatchObject({ code: 'unavailable' });
    expect(faults).toHaveLength(1);
  });

  it('a request that takes too long commits nothing when its commit has not begun by then', async () => {
    let goOn: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => (goOn = resolve));
    let outcome: Promise<unknown> = Promise.resolve();
    const { create, store } = await hostOver(door, ({ commit }) => ({
      commit: (change, options) => {
        const written = busy.then(() => commit(change, options));
        outcome = written.catch((error: unknown) => error);
        return written;
      },
    }));
    expect((await create()).status).toBe(503);
    goOn();
    expect(await outcome).toMatchObject({ code: 'unavailable', outcome: 'none' });
    expect(await store.events.list({ organizationId: 'org-1', appointmentId: 'any' })).toEqual([]);
  });

  it('a request that had begun its commit is done once: the key gives the answer afterwards', async () => {
    let goOn: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    let ended: Promise<unknown> = Promise.resolve();
    const { create } = await hostOver(door, ({ commit }) => ({
      commit: (change, options) => {
        const written = commit(change, options).then(async (result) => {
          await slow;
          return result;
        });
        ended = written;
        return written;
      },
    }));
    const key = { 'idempotency-key': 'one' };
    expect((await create(key)).status).toBe(503);
    goOn();
    await ended;
    const again = await create(key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });
});
