import assert from 'node:assert/strict';
import type { ConformanceGroup } from '../conformance-case.js';
import { missingMethods } from '../failure.js';

export const standingGroup: ConformanceGroup = {
  name: 'a store says how it stands',
  cases: [
    {
      name: 'it has every method of the port',
      run({ store }) {
        assert.deepEqual(missingMethods(store), [], 'methods of SchedulingStore that are missing');
        return Promise.resolve();
      },
    },
    {
      name: 'a store in reach and of the right schema passes its check',
      run: async ({ store }) => {
        await store.check();
      },
    },
    {
      name: 'it claims every capability that can be shown of it',
      run({ store, capabilities }) {
        for (const capability of ['durable', 'sharedBetweenProcesses'] as const) {
          assert.ok(store.capabilities[capability] || !capabilities[capability], capability);
        }
        return Promise.resolve();
      },
    },
  ],
};
