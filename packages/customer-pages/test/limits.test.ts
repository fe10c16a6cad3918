import type { Signal } from '@calends/core';
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

  it('`off` limits nothing', async () => {
    const open = await startHost({ options: { limits: 'off', trustProxy: 1 } });
    for (let time = 0; time < 70; time += 1) expect((await enter(open.visitor(), 'x')).status).toBe(403);
    await open.close();
  });
});
