import { describe, expect, it } from 'vitest';
import { type Role, roles } from '@calends/model';
import { caller } from '../../../test/sample-appointments.js';
import { actorOf, hasRole, mayUseApplication, widestRole } from './caller.js';

describe('A caller with several roles gets the widest (D34)', () => {
  it.each<[readonly Role[], Role | undefined]>([
    [roles, 'ROLE_SUPERVISOR'],
    [['ROLE_CUSTOMER', 'ROLE_AGENT'], 'ROLE_AGENT'],
    [['ROLE_AGENT', 'ROLE_CLIENT_SERVICE'], 'ROLE_CLIENT_SERVICE'],
    [['ROLE_ADMIN', 'ROLE_CUSTOMER'], 'ROLE_CUSTOMER'],
    [[], undefined],
  ])('%j: %s', (held, widest) => {
    expect(widestRole(caller(held))).toBe(widest);
    expect(held.every((role) => hasRole(caller(held), role))).toBe(true);
  });
});

describe('The actor of events (D47)', () => {
  it.each([
    ['ROLE_SUPERVISOR', 'AGENT'],
    ['ROLE_AGENT', 'AGENT'],
    ['ROLE_CLIENT_SERVICE', 'SYSTEM'],
    ['ROLE_CUSTOMER', 'CUSTOMER'],
    ['ROLE_ADMIN', 'SYSTEM'],
  ] as const)('the actor of events of a caller with %s is of type %s', (role, type) => {
    expect(actorOf(caller(role, { id: 'someone' }))).toEqual({ id: 'someone', type, role });
  });

  it('the actor of events of a caller without a role has the narrowest', () => {
    expect(actorOf(caller([]))).toMatchObject({ type: 'CUSTOMER', role: 'ROLE_CUSTOMER' });
  });
});

describe('The applications of a token (D40)', () => {
  it('the applications of a token are all of the organization when the claim is absent', () => {
    expect(mayUseApplication(caller('ROLE_AGENT'), 'any')).toBe(true);
    const limited = caller('ROLE_AGENT', { applicationIds: ['app-1'] });
    expect(['app-1', 'APP-1', 'app-1 ', 'app-2'].map((id) => mayUseApplication(limited, id))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
