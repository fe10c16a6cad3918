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
  /** Only these; absent = all of the service. */
  readonly agentIds?: readonly string[] | undefined;
}

/** What a time is asked of: makes the question, for all agents that were asked for or only for some of them. */
type Questions = (agentIds?: readonly string[]) => Question;

/** Who comes, and among whom they were chosen; or why nobody can. */
export type KnownChoice =
  | { readonly free: true; readonly chosen: ChosenActors; readonly question: Question }
  | NoChoice;

/**
 * Chooses who comes among those that the host knows: whom the appointment that is moved has, where they are free, else the best.
 * Holding and booking ask it alike.
 */
export async function chooseKnown(
  directory: AgentDirectory,
  place: Place,
  { makeQuestion, slot }: { readonly makeQuestion: Questions; readonly slot: Slot },
): Promise<KnownChoice> {
  const { appointment, agentIds } = place;
  const question = makeQuestion();
  if (appointment !== undefined) {
    const present = assignedAgents(appointment).filter((id) => agentIds?.includes(id) !== false);
    const kept = chooseActors(makeQuestion(present), slot);
    const chosen = kept.free ? await firstKnown(directory, place, kept.choices) : undefined;
    if (chosen !== undefined) return { free: true, chosen, question };
  }
  const choice = chooseActors(question, slot);
  if (!choice.free) return choice;
  const chosen = await firstKnown(directory, place, choice.choices);
  return chosen === undefined ? noActor : { free: true, chosen, question };
}

/** So many choices are looked at: where most of those who could come together have left, nobody is chosen. */
const maxChoices = 1000;

/**
 * The best choice of which the host's directory knows every agent (D22): who has left may have hours still, and stand in a service.
 * A search does not ask it: it would ask about everybody, each time.
 */
async function firstKnown(
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
