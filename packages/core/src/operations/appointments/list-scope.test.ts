import { describe, expect, it } from 'vitest';
import type { Role } from '@calends/model';
import { codeOrValue } from '../../../test/error-of.js';
import { caller } from '../../../test/sample-appointments.js';
import { type ListScope, listScope } from './read-appointments.js';

const agents = ['agent-8', 'agent-9'];
const organizers = ['agent-7'];
const own: ListScope = { agentIds: ['agent-1'] };
const all: ListScope = {};

interface Row {
  readonly roles: readonly Role[];
  readonly asked: ListScope;
  readonly on: ListScope;
  readonly off: ListScope;
}

const nothingAsked = {};
const agentsAsked = { agentIds: agents };
const organizersAsked = { organizerIds: organizers };
const bothAsked = { agentIds: agents, organizerIds: organizers };
const emptyAsked = { agentIds: [], organizerIds: [] };

// By hand from the interface (spec: Endpoints, rule 1; D34): `on` is "agents see only their own appointments".
const rows: readonly Row[] = [
  { roles: ['ROLE_AGENT'], asked: nothingAsked, on: own, off: all },
  { roles: ['ROLE_AGENT'], asked: agentsAsked, on: own, off: agentsAsked },
  { roles: ['ROLE_AGENT'], asked: organizersAsked, on: own, off: all },
  { roles: ['ROLE_AGENT'], asked: bothAsked, on: own, off: agentsAsked },
  { roles: ['ROLE_CLIENT_SERVICE'], asked: nothingAsked, on: own, off: all },
  { roles: ['ROLE_CLIENT_SERVICE'], asked: agentsAsked, on: own, off: agentsAsked },
  { roles: ['ROLE_CLIENT_SERVICE'], asked: organizersAsked, on: own, off: all },
  { roles: ['ROLE_SUPERVISOR'], asked: nothingAsked, on: all, off: all },
  { roles: ['ROLE_SUPERVISOR'], asked: agentsAsked, on: agentsAsked, off: agentsAsked },
  { roles: ['ROLE_SUPERVISOR'], asked: organizersAsked, on: organizersAsked, off: organizersAsked },
  { roles: ['ROLE_SUPERVISOR'], asked: bothAsked, on: agentsAsked, off: agentsAsked },
  { roles: ['ROLE_SUPERVISOR'], asked: emptyAsked, on: all, off: all },
  { roles: ['ROLE_AGENT', 'ROLE_SUPERVISOR'], asked: organizersAsked, on: organizersAsked, off: organizersAsked },
  { roles: [], asked: nothingAsked, on: own, off: all },
];

describe('Whose appointments a caller lists (spec: Endpoints, rule 1; D34)', () => {
  it.each(rows)('a caller with $roles asking for $asked lists what they may see', ({ roles, asked, on, off }) => {
    expect(listScope(caller(roles), asked, true)).toEqual(on);
    expect(listScope(caller(roles), asked, false)).toEqual(off);
  });
});

describe('A customer (D34)', () => {
  it.each([true, false])('a customer lists nothing, with "own only" %s', (ownOnly) => {
    expect(codeOrValue(() => listScope(caller('ROLE_CUSTOMER'), {}, ownOnly))).toBe('forbidden');
  });
});
