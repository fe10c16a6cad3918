import type { Signal } from '@calends/core';
import type { Limiter } from '@calends/core/operations';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enter, mount, type PagesHost, startHost } from './pages-host.js';

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe('Limits of the pages (D66)', () => {
  const signals: Signal[] = [];
  let host: PagesHost;
  beforeAll(async () => {
    host = await startHost({
      options: { limits: { address: { perSecond: 0.01, burst: 3 } }, trustProxy: 1 },
      scheduling: { observer: { observe: (signal) => void signals.push(signal) } },
    });
  });
  afterAll(() => host.close());

  const guess = (address: string) => host.visitor().post(`${mount}/session`, { code: 'x' }, from(address));
  const kinds = () => signals.flatMap((signal) => (signal.type === 'security' ? [signal.kind] : []));

  it('an address that tries code after code is told to wait, on a page; another one is not', async () => {
    for (let time = 0; time < 3; time += 1) expect((await guess('8.8.8.1')).status).toBe(403);
    const { status, headers, text } = await guess('8.8.8.1');
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([429, '100', 'text/html; charset=utf-8']);
    expect(text).toContain('Please try again in a moment');
    expect((await guess('8.8.8.2')).status).toBe(403);
    expect(kinds()).toEqual(['refusedLink', 'refusedLink', 'refusedLink', 'limited', 'refusedLink']);
    const limited = signals.find((signal) => signal.type === 'security' && signal.kind === 'limited');
    expect(limited).toMatchObject({ source: '8.8.8.1' });
  });

  it('a form from another site is told as a signal', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'x-forwarded-for': '8.8.8.3' };
    expect((await host.visitor().post(`${mount}/session`, { code: 'x' }, { headers })).status).toBe(403);
    expect(signals.at(-1)).toMatchObject({ type: 'security', kind: 'foreignOrigin', source: '8.8.8.3' });
  });

  it('pages that only show something are not limited', async () => {
    const visitor = host.visitor();
    for (let time = 0; time < 5; time += 1) expect((await visitor.get(mount, from('8.8.8.1'))).status).toBe(200);
  });

  it.each([{ limits: 'on' as 'off' }, { trustProxy: -1 }, { trustProxy: 0.5 }])(
    'Limits of the pages refuses the options %j',
    async (options) => {
      await expect(startHost({ options })).rejects.toThrow(TypeError);
    },
  );

  it('Limits of the pages that are misspelt are named', async () => {
    const limits = { adress: { perSecond: 1, burst: 1 } } as object;
    const fault = 'customerPages: limits: unknown option adress; did you mean address?';
    await expect(startHost({ options: { limits } })).rejects.toThrow(new TypeError(fault));
  });

  it('Limits of the pages that are neither numbers nor a limiter are named', async () => {
    const limits = new Map() as object;
    const fault = 'customerPages: limits: must be `off`, numbers or a limiter';
    await expect(startHost({ options: { limits } })).rejects.toThrow(new TypeError(fault));
  });

  it('`off` limits nothing', async () => {
    const open = await startHost({ options: { limits: 'off', trustProxy: 1 } });
    for (let time = 0; time < 70; time += 1) expect((await enter(open.visitor(), 'x')).status).toBe(403);
    await open.close();
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('the counter is away');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the counter is away'))],
  ])('a limiter of the host whose release %s ends no process', async (_how, release) => {
    const released: string[] = [];
    const uncaught: unknown[] = [];
    const note = (fault: unknown): void => void uncaught.push(fault);
    const giveBack = (): unknown => {
      released.push('a place');
      return release();
    };
    const limits: Limiter = {
      beforeBody: () => ({ admitted: true, release: giveBack }),
      afterDecoding: () => ({ admitted: true }),
    };
    process.on('unhandledRejection', note).on('uncaughtException', note);
    try {
      const host = await startHost({ options: { limits } });
      expect((await enter(host.visitor(), 'x')).status).toBe(403);
      await host.close();
      expect([released, uncaught]).toEqual([['a place'], []]);
    } finally {
      process.off('unhandledRejection', note).off('uncaughtException', note);
    }
  });

  it('a client who went before the limiter of the host had answered gives their place back', async () => {
    const steps = new EventEmitter();
    const [asked, gone, released] = ['asked', 'gone', 'released'].map((step) => once(steps, step));
    const limits: Limiter = {
      beforeBody: async () => {
        steps.emit('asked');
        await gone;
        return { admitted: true, release: () => void steps.emit('released') };
      },
      afterDecoding: () => ({ admitted: true }),
    };
    const host = await startHost({
      options: { limits },
      build: (app, router) => {
        app.use((_request, response, next) => {
          response.once('close', () => steps.emit('gone'));
          next();
        });
        app.use(mount, router);
      },
    });
    const socket = connect(host.port, '127.0.0.1');
    socket.write(`POST ${mount}/session HTTP/1.1\r\nHost: pages.example\r\nContent-Length: 9\r\n\r\n`);
    await asked;
    socket.destroy();
    await gone;
    expect(await released).toEqual([]);
    await host.close();
  });
});
