import type { AgentDirectory } from '../ports/agent-directory.js';
import type { ConfiguredApplication } from '../ports/settings-source.js';

/**
 * The directory that the applications' agent lists make (D22).
 *
 * An application without a list knows every well-formed id. One with a list knows its own agents and those of
 * the other lists of its organization.
 */
export function agentLists(applications: Readonly<Record<string, ConfiguredApplication>>): AgentDirectory {
  const lists = new Map(
    Object.entries(applications).map(([id, { agents, organizationId }]) => [
      id,
      { agents: agents === undefined ? undefined : new Set(agents), organizationId },
    ]),
  );
  return {
    standingOf: ({ organizationId, applicationId, agentId }) => {
      const own = lists.get(applicationId)?.agents;
      if (own === undefined || own.has(agentId)) return 'agent';
      for (const { agents, organizationId: owner } of lists.values()) {
        if ((owner ?? organizationId) === organizationId && agents?.has(agentId)) return 'agent';
      }
      return 'unknown';
    },
  };
}

/** The directory of a host that has none: every well-formed id is an agent (D22). */
export const everyAgent: AgentDirectory = { standingOf: () => 'agent' };
