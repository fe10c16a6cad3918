import * as core from '@calends/core';
import * as contract from '@calends/http-contract';
import { describe, expect, it } from 'vitest';

/*
 * The contract is usable without the core, so both write down the closed sets of the documents; they must be the same.
 */
describe('core and contract agree', () => {
  it('on the error codes (D37)', () => {
    expect([...contract.problemCodes].sort()).toEqual([...core.errorCodes].sort());
  });

  it.each([
    ['roles', core.roles, contract.roles],
    ['states of appointments', core.appointmentStates, contract.appointmentStates],
    ['states of interactions', core.interactionStates, contract.interactionStates],
    ['sort fields of appointments', core.appointmentSortFields, contract.appointmentSortFields],
    ['sort fields of statuses', core.notificationSortFields, contract.notificationSortFields],
    ['sort fields of events', core.notificationEventSortFields, contract.notificationEventSortFields],
    ['types of notifications', core.notificationTypes, contract.notificationTypes],
    ['channels', core.notificationChannels, contract.notificationChannels],
    ['states of notifications', core.notificationStates, contract.notificationStates],
    ['routing types', core.builtInRoutingProviders.map(({ type }) => type), contract.routingTypes],
  ])('on the %s', (_, inCore: readonly string[], inContract: readonly string[]) => {
    expect([...inContract].sort()).toEqual([...inCore].sort());
  });

  it('on the greatest page (D30)', () => {
    expect(contract.limits.pageSizeMax).toBe(core.pageSizes.max);
  });
});
