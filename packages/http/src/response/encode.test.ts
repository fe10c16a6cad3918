import { expect, it } from 'vitest';
import { flowingArray } from './encode.js';

it('an array that flows begins with its first item, whenever the second one comes', async () => {
  async function* items(): AsyncGenerator<object> {
    yield { id: 1 };
    await new Promise(() => undefined);
  }
  const { body } = await flowingArray(200, items(), {}, () => undefined);
  if (typeof body !== 'object') throw new Error('It does not flow.');
  expect(await body[Symbol.asyncIterator]().next()).toEqual({ done: false, value: '[{"id":1}' });
});
