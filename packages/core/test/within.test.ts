import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { createScheduling } from '../src/index.js';
import { type JoinableStore, StoreError } from '../src/store.js';
import { agentOne, booking, fixture } from './fixtures.js';

it('A store that knows no transactions of hosts works inside of none', () => {
  const scheduling = createScheduling({ store: memoryStore(), secret: 'a secret of at least thirty-two bytes' });
  expect(() => scheduling.within({})).toThrow(new TypeError('The store cannot work inside a transaction of the host.'));
});

it('A store that cannot be asked after a transaction of the host what of it stands has the observer told why', async () => {
  const inside = memoryStore();
  const error = new StoreError('unavailable', 'The database is out of reach.');
  const store: JoinableStore = {
    ...inside,
    events: { ...inside.events, list: () => Promise.reject(error) },
    joining: () => inside,
  };
  const { scheduling, signals } = fixture({ store });
  const { appointments, committed } = scheduling.within({});
  await appointments.schedule(agentOne, booking());
  await committed();
  expect(signals).toEqual([{ type: 'workerFailed', job: 'within', error }]);
});
