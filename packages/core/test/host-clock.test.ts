import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { createScheduling } from '../src/index.js';
import { agentOne, booking, secret } from './fixtures.js';
import { now } from './sample-appointments.js';

it('A clock of the host may tell parts of a millisecond: what is kept is whole, as every store wants it', async () => {
  const store = memoryStore();
  const scheduling = createScheduling({ store, secret, clock: { now: () => now + 0.37 } });
  const { id } = await scheduling.appointments.schedule(agentOne, booking());
  await scheduling.appointments.cancel(agentOne, { id });
  expect(await store.appointments.find(agentOne.organizationId, id)).toMatchObject({ createdAt: now, updatedAt: now });
  await scheduling.close();
});
