import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { booking, fixture } from '../../../test/fixtures.js';
import { answerOrCode, codeOrValue } from '../../../test/error-of.js';
import { requireCaller } from './check-caller.js';

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
