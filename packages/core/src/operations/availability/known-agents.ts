import type { ChosenActors } from '../../availability/choose-actors.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { assignedAgents } from '../../domain/appointments/participants.js';
import { type AgentDirectory, isAgent, isAgentId } from '../../ports/agent-directory.js';

/** Where somebody is to come. */
interface Place {
  readonly organizationId: string;
  readonly applicationId: string;
  /** What is moved: who takes part in it stays, as without a service. */
  readonly appointment?: Appointment | undefined;
}

/** So many choices are looked at: where most of those who could come together have left, nobody is chosen. */
const maxChoices = 1000;

/**
 * The best choice of which the host's directory knows every agent (D22): who has left may have hours still, and stand in a service.
 * A search does not ask it: it would ask about everybody, each time.
 */
export async function firstKnown(
  directory: AgentDirectory,
  { organizationId, applicationId, appointment }: Place,
  choices: Iterable<ChosenActors>,
): Promise<ChosenActors | undefined> {
  const known = new Map((appointment === undefined ? [] : assignedAgents(appointment)).map((id) => [id, true]));
  let left = maxChoices;
  for (const choice of choices) {
    for (const agentId of choice.agentIds) {
      if (!known.has(agentId)) {
        // What no directory is asked about is an agent because the service says so.
        const isKnown = !isAgentId(agentId) || (await isAgent(directory, { organizationId, applicationId, agentId }));
        known.set(agentId, isKnown);
      }
      if (known.get(agentId) === false) break;
    }
    if (choice.agentIds.every((agentId) => known.get(agentId) === true)) return choice;
    left -= 1;
    if (left === 0) return undefined;
  }
  return undefined;
}
