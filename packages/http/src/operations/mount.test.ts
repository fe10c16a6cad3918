import { operationById, operations } from '@calends/http-contract';
import { describe, expect, it } from 'vitest';
import { handlers, mountOperations } from './mount.js';

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

  it("an operation without a row in the core's table cannot be mounted", () => {
    const unknown = { ...operationById.getAppointment, useCase: 'toString' as 'get' };
    expect(() => mountOperations([unknown], handlers)).toThrow('getAppointment has no row.');
  });

  it.each(mountOperations(operations, handlers).map((mounted) => [mounted.operation.id, mounted] as const))(
    'what %s declares agrees with its row in the core',
    (id, { operation, row }) => {
      expect(operation.acceptsIdempotencyKey).toBe(row.idempotent === true);
      const changesRecord = row.policy !== undefined && row.policy !== 'get';
      expect(operation.acceptsIfMatch).toBe(changesRecord || row.versioned === true);
      const byLink = operation.roles.some(({ when }) => when !== undefined && /manageProof/i.test(when));
      // The documents give v1 to customers with a join claim only, and no way to move.
      expect(byLink).toBe(row.manageProof === true && operation.family === 'v2');
      expect(id).toBe(operation.id);
    },
  );
});
