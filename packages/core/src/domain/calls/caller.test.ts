import { describe, expect, it } from 'vitest';
import { type Role, roles } from '@calends/model';
import { memoryStore } from '@calends/store-memory';
import { answerOrCode, codeOrValue } from '../../../test/error-of.js';
import { booking, fixture } from '../../../test/fixtures.js';
import { caller } from '../../../test/sample-appointments.js';
import { actorOf, hasRole, mayUseApplication, requireCaller, widestRole } from './caller.js';

describe('A caller with several roles gets the widest (D34)', () => {
  it.each<[readonly Role[], Role | undefined]>([
    [roles, 'ROLE_SUPERVISOR'],
    [['ROLE_CUSTOMER', 'ROLE_AGENT'], 'ROLE_AGENT'],
    [['ROLE_AGENT', 'ROLE_CLIENT_SERVICE'], 'ROLE_CLIENT_SERVICE'],
    [['ROLE_ADMIN', 'ROLE_CUSTOMER'], 'ROLE_CUSTOMER'],
    [[], undefined],
  ])('a caller with %j gets %s', (held, widest) => {
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

const agent = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };

describe('A caller', () => {
  it.each([
    [agent],
    [{ ...agent, roles: [] }],
    [{ ...agent, roles: ['ROLE_OF_THE_HOST'] }],
    [{ ...agent, applicationIds: ['app-1'], conferenceId: 'c', manage: { ticketId: 't', token: 'x' } }],
    [{ ...agent, applicationIds: undefined, manage: undefined }],
    [{ ...agent, id: 'x'.repeat(128), organizationId: 'x'.repeat(128) }],
  ])('a caller is taken: %j', (given) => {
    expect(codeOrValue(() => requireCaller(given))).toBeUndefined();
  });

  it.each([
    [undefined],
    [null],
    ['agent-1'],
    [{}],
    [{ ...agent, id: undefined }],
    [{ ...agent, id: '' }],
    [{ ...agent, id: 'a\u0000b' }],
    [{ ...agent, id: 'x'.repeat(129) }],
    [{ ...agent, organizationId: undefined }],
    [{ ...agent, organizationId: 7 }],
    [{ ...agent, roles: undefined }],
    [{ ...agent, roles: 'NOT_A_ROLE_SUPERVISOR_AT_ALL' }],
    [{ ...agent, roles: [7] }],
    [{ ...agent, applicationIds: 'app-1' }],
    [{ ...agent, conferenceId: 7 }],
    [{ ...agent, manage: 'token' }],
    [{ ...agent, manage: { ticketId: 't' } }],
  ])('a caller is none: %j', (given) => {
    expect(codeOrValue(() => requireCaller(given))).toBe('unauthenticated');
  });

  it('a caller that is none books nothing', async () => {
    const store = memoryStore();
    const { appointments } = fixture({ store });
    const nobody = { id: 'agent-1', roles: ['ROLE_AGENT'] } as never;
    expect(await answerOrCode(() => appointments.schedule(nobody, booking()))).toBe('unauthenticated');
    expect(await answerOrCode(() => appointments.listEligible(nobody)[Symbol.asyncIterator]().next())).toBe(
      'unauthenticated',
    );
  });
});
