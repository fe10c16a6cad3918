import type { Instant, InteractionState, PartyType } from '@calends/model';
import type { Actor } from '../calls/caller.js';
import { CalendsError } from '../calls/errors.js';

/** Who acted and when (spec: Interaction, "actor"). */
export interface ActorStamp {
  readonly id: string;
  readonly type: PartyType;
  readonly timestamp: Instant;
}

/** What a routing provider reported as the cause of a failure. */
export interface ErrorData {
  readonly systemMessage: string;
  readonly userMessage: string;
}

/** How the customer is routed through a provider's channel. */
export interface Routing {
  readonly type: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** Routing of the customer through a chat or messaging channel (spec: Interaction). */
export interface Interaction {
  readonly state: InteractionState;
  readonly acceptedBy: readonly ActorStamp[];
  readonly initiatedBy?: ActorStamp | undefined;
  readonly customFields: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
  readonly errorData?: ErrorData | undefined;
  readonly routing?: Routing | undefined;
}

/** From which states a move may start (D14). */
const origins: Readonly<Record<InteractionState, readonly InteractionState[]>> = {
  PENDING: ['FAILED'],
  INITIATED: ['PENDING'],
  IN_PROGRESS: ['PENDING', 'INITIATED', 'IN_PROGRESS'],
  COMPLETED: ['IN_PROGRESS', 'NO_SHOW'],
  NO_SHOW: ['PENDING', 'INITIATED'],
  FAILED: ['PENDING', 'INITIATED', 'IN_PROGRESS'],
  CANCELLED: ['PENDING', 'INITIATED', 'IN_PROGRESS'],
};

/** A move of an interaction and what it sets. */
export interface InteractionMove {
  readonly to: InteractionState;
  readonly at: Instant;
  readonly actor: Pick<Actor, 'id' | 'type'>;
  readonly errorData?: ErrorData | undefined;
  readonly properties?: Readonly<Record<string, string>> | undefined;
}

/** Tells whether the table of D14 has a row from one state to the other. */
export function canMove(from: InteractionState, to: InteractionState): boolean {
  return origins[to].includes(from);
}

/**
 * Applies a move, or answers the same interaction when it changes nothing.
 *
 * @throws CalendsError `invalid_state` for a move that D14 does not have
 */
export function moveInteraction(interaction: Interaction, move: InteractionMove): Interaction {
  const { acceptedBy, properties: previous } = interaction;
  const stamp: ActorStamp = { id: move.actor.id, type: move.actor.type, timestamp: move.at };
  const properties = move.properties === undefined ? previous : { ...previous, ...move.properties };
  if (repeats(interaction, move)) return interaction;
  if (!canMove(interaction.state, move.to)) {
    throw new CalendsError('invalid_state', 'The interaction is in a state without this move.');
  }
  const moved: Interaction = { ...interaction, state: move.to, properties };
  switch (move.to) {
    case 'INITIATED':
      return { ...moved, initiatedBy: stamp };
    case 'IN_PROGRESS':
      return { ...moved, acceptedBy: [...acceptedBy, stamp] };
    case 'FAILED':
      return { ...moved, errorData: move.errorData };
    case 'PENDING':
      return { ...moved, errorData: undefined };
    case 'COMPLETED':
    case 'NO_SHOW':
    case 'CANCELLED':
      return moved;
  }
}

/** A state that is reached already, or an agent who accepted already. */
function repeats(interaction: Interaction, { to, actor, properties }: InteractionMove): boolean {
  if (interaction.state !== to || properties !== undefined) return false;
  return to !== 'IN_PROGRESS' || interaction.acceptedBy.some(({ id }) => id === actor.id);
}

/** The interaction of an appointment that ends early: still open ones are cancelled (D14). */
export function endInteraction(interaction: Interaction): Interaction {
  return canMove(interaction.state, 'CANCELLED') ? { ...interaction, state: 'CANCELLED' } : interaction;
}
