import { describe, expect, it } from 'vitest';
import { flowingBody } from '../src/doors/fetch-handler.js';
import { endless, source } from './support/sources.js';

/** Far longer than a test runs. */
const never = 600_000;

describe('the stream of an answer that flows', () => {
  it('the stream of an answer that flows ends after its last chunk', async () => {
    const { chunks } = source((index) => Promise.resolve(['[1', ',"ä"', ']'][index]));
    expect(await new Response(flowingBody(chunks, never)).text()).toBe('[1,"ä"]');
  });

  it('the stream of an answer that flows has an error in the place of an end when its source fails', async () => {
    const fault = new Error('broken');
    const { chunks } = source((index) => (index === 0 ? Promise.resolve('[1') : Promise.reject(fault)));
    await expect(new Response(flowingBody(chunks, never)).text()).rejects.toBe(fault);
  });

  it('the stream of an answer that flows takes nothing before it is read, and then a chunk for each read', async () => {
    const given = endless();
    const reader = flowingBody(given.chunks, never).getReader();
    expect(given.asked).toBe(0);
    await reader.read();
    await reader.read();
    expect(given.asked).toBe(2);
    await reader.cancel();
  });

  it('the stream of an answer that flows stops its source when its reader goes away', async () => {
    const given = endless();
    const reader = flowingBody(given.chunks, never).getReader();
    await reader.read();
    await reader.cancel();
    expect([given.asked, given.stopped]).toEqual([1, 1]);
  });

  it.each([
    ['its reader does not read', () => endless(), 0],
    [
      'its source stands still',
      () => source((index) => (index === 0 ? Promise.resolve('[1') : new Promise(() => undefined))),
      2,
    ],
  ] as const)(
    'the stream of an answer that flows has an error and stops its source when %s',
    async (_, make, reads) => {
      const given = make();
      const reader = flowingBody(given.chunks, 50).getReader();
      const ended = reader.closed.catch((error: unknown) => error);
      const read = Array.from({ length: reads }, () => reader.read().catch((error: unknown) => error));
      expect(await ended).toMatchObject({ message: 'The answer stood still.' });
      expect(given.stopped).toBe(1);
      await Promise.all(read);
    },
  );
});
