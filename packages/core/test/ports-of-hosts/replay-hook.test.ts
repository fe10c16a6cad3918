import { expect, it } from 'vitest';
import { unhandledIn } from '../../../../scripts/unhandled.js';
import { agentOne, booking, fixture } from '../fixtures.js';

const key = { key: 'key-1', operation: 'schedule' };

it.each<readonly [string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no'))],
])('A call that was done before is answered where the hook that is told of it %s', async (_, fails) => {
  const { appointments } = fixture();
  const first = await appointments.schedule(agentOne, booking(), { idempotency: key });
  const idempotency = { ...key, onReplay: fails };
  const unhandled = await unhandledIn(async () => {
    expect(await appointments.schedule(agentOne, booking(), { idempotency })).toEqual(first);
  });
  expect(unhandled).toEqual([]);
});
