import { expect, it } from 'vitest';
import { TokenCache } from './token-cache.js';

it('the token cache keeps a thousand tokens, those that were used last', async () => {
  const cache = new TokenCache({ now: () => 0 });
  let fetched = 0;
  const get = (key: string) =>
    cache.get(key, async () => {
      fetched += 1;
      return { value: key, goodUntil: 1 };
    });
  for (let index = 0; index < 1000; index += 1) await get(String(index));
  await get('0');
  expect(fetched).toBe(1000);
  await get('1000');
  for (const kept of ['0', '2', '999', '1000']) await get(kept);
  expect(fetched).toBe(1001);
  await get('1');
  expect(fetched).toBe(1002);
});

it('the token cache asks again after a failure', async () => {
  const cache = new TokenCache({ now: () => 0 });
  await expect(cache.get('a', () => Promise.reject(new Error('first')))).rejects.toThrow('first');
  const token = { value: 'a', goodUntil: 1 };
  expect(await cache.get('a', () => Promise.resolve(token))).toBe(token);
});
