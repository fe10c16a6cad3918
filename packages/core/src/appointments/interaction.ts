import type { ActorType } from '../caller.js';
import type { Instant } from './instant.js';

/** States of an interaction (D14). */
export const interactionStates = [
  'PENDING',
  'INITIATED',
  'IN_PROGRESS',
  'COMPLETED',
  'NO_SHOW',
  'FAILED',
  'CANCELLED',
] as const;

/** One of {@link interactionStates}. */
export type InteractionState = (typeof interactionStates)[number];

/** Who acted and when (spec: Interaction, "actor"). */
export interface ActorStamp {
  readonly id: string;
  readonly type: ActorType;
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
