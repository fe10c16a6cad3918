import { CalendsError } from '../domain/calls/errors.js';
import type { AgentQuery, AgentStanding } from '../ports/agent-directory.js';
import type { UseCaseContext } from './context.js';

const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._:@|+-]{0,127}$/;

/**
 * Makes sure that an id is an agent's (D22).
 *
 * @throws CalendsError `invalid_agent` when it is malformed or not an agent's, `unknown` when nobody has it
 */
export async function requireAgent(
  context: UseCaseContext,
  query: AgentQuery,
  pointer: string,
  unknown: 'not_found' | 'invalid_agent',
): Promise<void> {
  const standing = await standingOf(context, query);
  if (standing === 'agent') return;
  if (standing === 'unknown' && unknown === 'not_found') {
    throw new CalendsError('not_found', 'There is no such agent.');
  }
  throw new CalendsError('invalid_agent', 'The agent id is not valid.', {
    issues: [{ pointer, code: 'invalid_value', detail: "Must be the id of one of the organization's agents." }],
  });
}

async function standingOf({ agentDirectory }: UseCaseContext, query: AgentQuery): Promise<AgentStanding> {
  return wellFormed.test(query.agentId) ? agentDirectory.standingOf(query) : 'not-an-agent';
}

/** Tells whether an id is an agent's. */
export async function isAgent(context: UseCaseContext, query: AgentQuery): Promise<boolean> {
  return (await standingOf(context, query)) === 'agent';
}
