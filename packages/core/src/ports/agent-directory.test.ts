import { describe, expect, it } from 'vitest';
import { agentLists, everyAgent } from './agent-directory.js';

const directory = agentLists({
  'app-1': { organizationId: 'org-1', agents: ['agent-1', 'agent-2'] },
  'app-2': { organizationId: 'org-1', agents: ['agent-3'] },
  'app-3': { organizationId: 'org-2', agents: ['agent-4'] },
  'app-4': { organizationId: 'org-1' },
  'app-5': { agents: ['agent-5'] },
  'app-6': { organizationId: 'org-1', agents: [] },
});
const standing = (organizationId: string, applicationId: string, agentId: string): unknown =>
  directory.standingOf({ organizationId, applicationId, agentId });

describe('Agents of the applications (D22)', () => {
  it.each([
    ['an agent of the list', 'org-1', 'app-1', 'agent-2', 'agent'],
    ['an agent of another list of the organization', 'org-1', 'app-1', 'agent-3', 'agent'],
    ['an agent of another organization', 'org-1', 'app-1', 'agent-4', 'unknown'],
    ['an agent of a list without an organization', 'org-1', 'app-1', 'agent-5', 'agent'],
    ['nobody', 'org-1', 'app-1', 'agent-9', 'unknown'],
    ['an agent in other letter case', 'org-1', 'app-1', 'Agent-1', 'unknown'],
    ['anybody where the list is empty', 'org-1', 'app-6', 'agent-9', 'unknown'],
    ['anybody where there is no list', 'org-1', 'app-4', 'agent-9', 'agent'],
    ['anybody where the application is not configured', 'org-1', 'app-9', 'agent-9', 'agent'],
    ['a name of objects', 'org-1', 'app-1', '__proto__', 'unknown'],
  ])(
    '%s has a standing, or is unknown, by the lists of the applications',
    (_who, organizationId, applicationId, agentId, expected) => {
      expect(standing(organizationId, applicationId, agentId)).toBe(expected);
    },
  );

  it('every well-formed id is known without any directory', () => {
    expect(everyAgent.standingOf({ organizationId: 'org-1', applicationId: 'app-1', agentId: 'x' })).toBe('agent');
  });
});
