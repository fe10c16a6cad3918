import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { createScheduling } from '../src/index.js';

it('A store that knows no transactions of hosts works inside of none', () => {
  const scheduling = createScheduling({ store: memoryStore(), secret: 'a secret of at least thirty-two bytes' });
  expect(() => scheduling.within({})).toThrow(new TypeError('The store cannot work inside a transaction of the host.'));
});
