import { createScheduling } from '@calends/core';
import { wrapStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import express from 'express';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readyz } from './health.js';

let server: Server | undefined;

afterEach(() => new Promise((resolve) => server?.close(resolve)));

/** A server with `/readyz` over a store that counts how often it is looked at, and a clock that stands. */
async function served() {
  const looks = { times: 0 };
  const time = { now: 0 };
  const store = wrapStore(memoryStore(), (method, call) => (...given) => {
    if (method === 'check') looks.times += 1;
    return call(...given);
  });
  const scheduling = createScheduling({ store, secret: 'a secret of at least thirty-two bytes' });
  const page = { hasWorker: false, warnings: [], inDetail: false };
  let stopping = false;
  const handler = readyz(scheduling, { ...page, isStopping: () => stopping, now: () => time.now });
  server = createServer(express().get('/readyz', handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    looks,
    time,
    stop: () => (stopping = true),
    ask: async () => (await fetch(`http://127.0.0.1:${String(port)}/readyz`)).status,
  };
}

describe('Readiness for anybody who asks', () => {
  it('readiness has the store looked at once for all who ask at the same time', async () => {
    const { looks, ask } = await served();
    expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array<number>(20).fill(200));
    expect(looks.times).toBe(1);
  });

  it('readiness has the store looked at once a second at most, however often it is asked for', async () => {
    const { looks, time, ask } = await served();
    for (const now of [0, 1, 999, 1000, 1500, 1999, 2000]) {
      time.now = now;
      expect(await ask()).toBe(200);
    }
    expect(looks.times).toBe(3);
  });

  it('readiness tells of a shutdown at once', async () => {
    const { ask, stop } = await served();
    expect(await ask()).toBe(200);
    stop();
    expect(await ask()).toBe(503);
  });
});
