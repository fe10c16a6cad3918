import { type ChosenActors, chooseActors, type NoChoice } from '../../availability/choose-actors.js';
import type { Question } from '../../availability/question.js';
import type { Slot } from '../../availability/slot-rules.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { assignedAgents } from '../../domain/appointments/participants.js';
import { type AgentDirectory, isAgent, isAgentId } from '../../ports/agent-directory.js';
import { noActor } from './reasons.js';

/** Where somebody is to come. */
interface Place {
  readonly organizationId: string;
  readonly applicationId: string;
  /** What is moved: who takes part in it stays, as without a service. */
  readonly appointment?: Appointment | undefined;
}

/** Who comes, or why nobody can. */
type KnownChoice = { readonly free: true; readonly chosen: ChosenActors } | NoChoice;

/**
 * Chooses who comes among those that the host knows: whom the appointment that is moved has, as far as they are free, then the best.
 * Holding and booking ask it alike.
 */
export async function chooseKnown(
  directory: AgentDirectory,
  place: Place,
  { question, slot }: { readonly question: Question; readonly slot: Slot },
): Promise<KnownChoice> {
  const choice = chooseActors(question, slot, presentAt(place));
  if (!choice.free) return choice;
  const chosen = await firstKnown(directory, place, choice.choices);
  return chosen === undefined ? noActor : { free: true, chosen };
}

const presentAt = ({ appointment }: Place): readonly string[] =>
  appointment === undefined ? [] : assignedAgents(appointment);

/** So many choices are looked at: where most of those who could come together have left, nobody is chosen. */
const maxChoices = 1000;

/**
 * The best choice of which the host's directory knows every agent (D22): who has left may have hours still, and stand in a service.
 * A search does not ask it: it would ask about everybody, each time.
 */
async function firstKnown(
  directory: AgentDirectory,
  place: Place,
  choices: Iterable<ChosenActors>,
): Promise<ChosenActors | undefined> {
  const { organizationId, applicationId } = place;
  const known = new Map(presentAt(place).map((id) => [id, true]));
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
