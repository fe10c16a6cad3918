import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { missingMethods } from '../failure.js';

export const standingGroup = group('a store says how it stands', [
  { rule: 'complete' },
  it('it has every method of the port', (store, _a, _organizationId, { upTo }) => {
    const missing = missingMethods(store, upTo);
    expect(missing).toEqual([], `The store lacks ${missing.join(', ')}.`);
  }),
  { rule: 'standing' },
  it('a store in reach and of the right schema passes its check', async (store) => {
    await store.check();
  }),
  it('it claims every capability that can be shown of it', (store, _a, _organizationId, { capabilities }) => {
    for (const capability of ['durable', 'sharedBetweenProcesses'] as const) {
      assert.ok(store.capabilities[capability] || !capabilities[capability], capability);
    }
  }),
]);
