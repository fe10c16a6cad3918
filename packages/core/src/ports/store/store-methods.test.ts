import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { wrapStore } from './store-methods.js';

it('a store around one that lacks an optional part lacks it as well', () => {
  const { availability, ...store } = memoryStore();
  expect(availability).toBeDefined();
  expect(wrapStore(store, (_name, call) => call).availability).toBeUndefined();
  expect(wrapStore({ ...store, availability }, (_name, call) => call).availability).toBeDefined();
});
