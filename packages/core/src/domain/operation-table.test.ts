import { describe, expect, it } from 'vitest';
import { auditedOperations, manageActions, operationTable } from './operation-table.js';

const namesWhere = (condition: (row: (typeof operationTable)[keyof typeof operationTable]) => boolean) =>
  Object.entries(operationTable).flatMap(([name, row]) => (condition(row) ? [name] : []));

describe('the table of operations', () => {
  it('the table of operations gives each operation the same name in the audit record, and retention and overrides one of their own', () => {
    const further = ['expireCustomer', 'scheduleByOverride', 'rescheduleByOverride'];
    expect([...namesWhere(({ audited }) => audited !== undefined), ...further]).toEqual(auditedOperations);
  });

  it('the table of operations lets customers with a manage link see, move and cancel, and nothing else (D42)', () => {
    expect(manageActions).toEqual(['get', 'reschedule', 'cancel']);
  });

  it('the table of operations asks access rules wherever the audit record tells of one appointment that is there', () => {
    expect(namesWhere(({ policy, audited }) => (policy === undefined) !== (audited === undefined))).toEqual([
      'schedule',
      'scheduleAsCustomer',
      'exportCustomer',
      'enableEndpoint',
      'disableEndpoint',
      'testEndpoint',
      'replayEndpoint',
      'saveService',
      'archiveService',
      'saveHours',
      'removeHours',
      'saveException',
      'removeException',
    ]);
  });
});
