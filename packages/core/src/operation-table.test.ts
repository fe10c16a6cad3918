import { describe, expect, it } from 'vitest';
import { auditOperations } from './audit/audit-entry.js';
import { manageActions, operationTable } from './operation-table.js';

const namesWhere = (condition: (row: (typeof operationTable)[keyof typeof operationTable]) => boolean) =>
  Object.entries(operationTable).flatMap(([name, row]) => (condition(row) ? [name] : []));

describe('the table of operations', () => {
  it('names everything that the audit record can tell of, once, but for retention, which one of them carries out', () => {
    const audited = Object.values(operationTable).flatMap(({ audited: name }) => (name === undefined ? [] : [name]));
    expect([...audited].sort()).toEqual(auditOperations.filter((name) => name !== 'expireCustomer').sort());
  });

  it('lets customers with a manage link see, move and cancel, and nothing else (D42)', () => {
    expect(manageActions).toEqual(['get', 'reschedule', 'cancel']);
  });

  it('asks access rules wherever the audit record tells of one appointment that is there', () => {
    expect(namesWhere(({ policy, audited }) => (policy === undefined) !== (audited === undefined))).toEqual([
      'schedule',
      'scheduleAsCustomer',
      'exportCustomer',
      'enableEndpoint',
      'disableEndpoint',
      'testEndpoint',
      'replayEndpoint',
    ]);
  });
});
