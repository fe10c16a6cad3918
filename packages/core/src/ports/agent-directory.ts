import { limits } from '@calends/model';
import { CalendsError } from '../domain/calls/errors.js';
import { dropRejectionsIn } from '../support/host-answers.js';
import type { ConfiguredApplication } from './settings-source.js';

/** What a directory knows of an agent id (D22). */
export type AgentStanding = 'agent' | 'not-an-agent' | 'unknown';

const standings: readonly AgentStanding[] = ['agent', 'not-an-agent', 'unknown'];

/** Which agent to look up, and for which application of which organization. */
export interface AgentQuery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly agentId: string;
}

/** Knows the organization's agents. Without one, the settings' agent lists decide (D22). */
export interface AgentDirectory {
  /** Looks one agent up; a rejection fails the operation without any effect. `null` and `undefined` count as `unknown`. */
  standingOf(query: AgentQuery): Promise<AgentStanding> | AgentStanding;
}

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

/**
 * Ids of those applications whose `defaultAgent` no list names for them: {@link agentLists} would not know the organizer of what
 * they book, and nobody could be given it back (D10, D22).
 *
 * Of an application without an organization of its own every list counts: whose it is, the caller says.
 */
export function unlistedDefaultAgents(
  applications: Readonly<Record<string, ConfiguredApplication>>,
): readonly string[] {
  const all = Object.entries(applications);
  return all.flatMap(([id, { agents, defaultAgent, organizationId }]) => {
    if (agents === undefined || defaultAgent === undefined) return [];
    const isListed = all.some(([, other]) => {
      const { organizationId: owner = organizationId } = other;
      const isOfSame = organizationId === undefined || owner === organizationId;
      return isOfSame && other.agents?.includes(defaultAgent) === true;
    });
    return isListed ? [] : [id];
  });
}

/** What is said of such an agent. */
export const unlistedAgent = 'must be one of the agents that its organization lists';

/** The directory of a host that has none: every well-formed id is an agent (D22). */
export const everyAgent: AgentDirectory = { standingOf: () => 'agent' };

const wellFormed = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._:@|+-]{0,${String(limits.agentId - 1)}}$`);

/** Whether a value can be the id of an agent; no directory is asked about others. What is no string would match as its text. */
export const isAgentId = (value: unknown): value is string => typeof value === 'string' && wellFormed.test(value);

/**
 * Makes sure that an id is an agent's (D22).
 *
 * @throws CalendsError `invalid_agent` when it is malformed or not an agent's, `unknown` when nobody has it
 */
export async function requireAgent(
  directory: AgentDirectory,
  query: AgentQuery,
  pointer: string,
  unknown: 'not_found' | 'invalid_agent',
): Promise<void> {
  const standing = await standingIn(directory, query);
  if (standing === 'agent') return;
  if (standing === 'unknown' && unknown === 'not_found') {
    throw new CalendsError('not_found', 'There is no such agent.');
  }
  throw invalidAgent(pointer);
}

/** An id that is malformed or not an agent's (D22). */
export function invalidAgent(pointer: string): CalendsError {
  return new CalendsError('invalid_agent', 'The agent id is not valid.', {
    issues: [{ pointer, code: 'invalid_value', detail: "Must be the id of one of the organization's agents." }],
  });
}

async function standingIn(directory: AgentDirectory, query: AgentQuery): Promise<AgentStanding> {
  if (!isAgentId(query.agentId)) return 'not-an-agent';
  // A look-up of the host finds nobody; what else is wrong must not become a fault of the client.
  const answer: unknown = await directory.standingOf(query);
  const standing = standings.find((each) => each === (answer ?? 'unknown'));
  if (standing !== undefined) return standing;
  dropRejectionsIn(answer);
  const cause = new TypeError('agentDirectory: standingOf must answer "agent", "not-an-agent" or "unknown"');
  throw new CalendsError('internal', 'The agent could not be looked up.', { cause });
}

/** Tells whether an id is an agent's. */
export async function isAgent(directory: AgentDirectory, query: AgentQuery): Promise<boolean> {
  return (await standingIn(directory, query)) === 'agent';
}
