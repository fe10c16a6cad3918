import { operationById, operations } from '@calends/http-contract';
import { describe, expect, it } from 'vitest';
import { handlers } from './handlers.js';
import { mountOperations } from './mount.js';

describe('mounting', () => {
  it('every operation of the catalogue has a handler, and no handler is without operation', () => {
    expect(mountOperations(operations, handlers)).toHaveLength(operations.length);
    expect(Object.keys(handlers).sort()).toEqual(Object.keys(operationById).sort());
  });

  it('an operation without handler cannot be mounted', () => {
    expect(() => mountOperations([operationById.getAppointment], {})).toThrow('getAppointment has no handler.');
  });

  it('an operation without a row in the access table cannot be mounted', () => {
    const open = { ...operationById.getAppointment, roles: [] };
    expect(() => mountOperations([open], handlers)).toThrow('getAppointment has no roles.');
  });
});
