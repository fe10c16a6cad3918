import { describe, expect, it } from 'vitest';
import { callerFromClaims } from './claims.js';

const caller = { id: 'u', organizationId: 'default', roles: [] };

describe('claims become a caller (D40)', () => {
  it.each([
    ['organizationId absent is default', {}, {}],
    ['organizationId', { organizationId: 'org-1' }, { organizationId: 'org-1' }],
    ['roles', { roles: ['ROLE_AGENT', 'ROLE_ADMIN'] }, { roles: ['ROLE_AGENT', 'ROLE_ADMIN'] }],
    ['a role given twice', { roles: ['ROLE_AGENT', 'ROLE_AGENT'] }, { roles: ['ROLE_AGENT'] }],
    ['unknown strings are no role', { roles: ['ROLE_GOD', 'role_agent', ' ROLE_AGENT', 'AGENT'] }, {}],
    ['a text with all names is no role', { roles: 'ROLE_AGENT ROLE_ADMIN' }, {}],
    ['a map of roles is no role', { roles: { 0: 'ROLE_AGENT', length: 1 } }, {}],
    ['entries of other types are no role', { roles: [1, null, ['ROLE_AGENT'], true] }, {}],
    ['authorities as texts', { authorities: ['ROLE_CUSTOMER'] }, { roles: ['ROLE_CUSTOMER'] }],
    ['authorities as objects', { authorities: [{ authority: 'ROLE_SUPERVISOR' }] }, { roles: ['ROLE_SUPERVISOR'] }],
    ['roles go before authorities', { roles: ['ROLE_AGENT'], authorities: ['ROLE_ADMIN'] }, { roles: ['ROLE_AGENT'] }],
    ['an empty list of roles is no roles', { roles: [], authorities: ['ROLE_ADMIN'] }, {}],
    ['applicationIds', { applicationIds: ['app-1'] }, { applicationIds: ['app-1'] }],
    ['no applications at all', { applicationIds: [] }, { applicationIds: [] }],
    ['conferenceId', { conferenceId: 'c' }, { conferenceId: 'c' }],
    ['manage claims', { ticket_id: 't', customer_manage_token: 'm' }, { manage: { ticketId: 't', token: 'm' } }],
    [
      'half of the manage claims is a proof that cannot hold',
      { ticket_id: 't' },
      { manage: { ticketId: 't', token: '' } },
    ],
    ['claims that nobody asked for', { email: 'x@example.org', admin: true }, {}],
  ])('claims become a caller: %s', (_, claims, expected) => {
    expect(callerFromClaims({ sub: 'u', ...claims })).toEqual({ ...caller, ...expected });
  });

  it.each([
    { sub: undefined },
    { sub: '' },
    { sub: 7 },
    { sub: ['u'] },
    { sub: 'a\u0000b' },
    { sub: 'x'.repeat(129) },
    { organizationId: 7 },
    { organizationId: '' },
    { organizationId: ['org-1'] },
    { applicationIds: 'app-1' },
    { applicationIds: ['app-1', 7] },
    { applicationIds: null },
    { conferenceId: 7 },
    { conferenceId: null },
    { ticket_id: 7, customer_manage_token: 'm' },
    { ticket_id: 't', customer_manage_token: {} },
  ])('a claim of the wrong type refuses the token: %j', (claims) => {
    expect(callerFromClaims({ sub: 'u', roles: ['ROLE_AGENT'], ...claims })).toBeUndefined();
  });
});
