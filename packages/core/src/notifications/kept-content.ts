import type { Appointment } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import { days } from '../appointments/time-units.js';
import type { CustomerProfile } from '../customers/profile.js';
import type { Notification } from './notification.js';

/** What a notification keeps for its next attempt because it stands nowhere else. */
export interface KeptContent {
  /** Body of a web hook, the same for every attempt after the one whose outcome kept it (D59). */
  readonly body?: string | undefined;
  /** Last state of a record that was removed (v1 DELETE). */
  readonly appointment?: Appointment | undefined;
  readonly customer?: CustomerProfile | undefined;
  /** How often the message could not be made; counted anew once it was DONE. */
  readonly faults?: number | undefined;
  /** True from a retry by hand until an attempt is made (D68). */
  readonly byHand?: boolean | undefined;
  readonly asked?: AskedByHand | undefined;
  /** Until when it waits for older messages to the same recipient (D71). */
  readonly waitsUntil?: Instant | undefined;
}

/** Retries by hand of a message that its provider has: it is asked (D68). */
export interface AskedByHand {
  /** When the last one came. */
  readonly at: Instant;
  /** How many there were in all. */
  readonly times: number;
  /** How many of the questions about the present message were asked for; with any of them its failure has another attempt. */
  readonly polls: number;
}

/** Reads what a notification keeps. */
export function keptContentOf({ kept }: Notification): KeptContent {
  return kept === undefined ? {} : readKept(kept);
}

/** Reads what was kept. */
export function readKept(kept: string): KeptContent {
  return JSON.parse(kept) as KeptContent;
}

/**
 * What stays of it once the message is handed over or over: a retry by hand signs the same bytes, and questions are counted on.
 * A profile is not kept for that.
 */
export function lasting(kept: string | undefined): string | undefined {
  const { body, asked }: KeptContent = kept === undefined ? {} : readKept(kept);
  if (body === undefined && asked === undefined) return undefined;
  return JSON.stringify({ body, asked: asked && { ...asked, polls: 0 } });
}

/** What stays of it once an attempt was made. */
export function afterAttemptMade(kept: string | undefined): string | undefined {
  if (kept === undefined) return undefined;
  const { byHand, ...content } = readKept(kept);
  if (byHand === undefined) return kept;
  return Object.keys(content).length === 0 ? undefined : JSON.stringify(content);
}

/** How long what is kept of a removed record waits for its attempts: it holds personal data (ADR 0022). */
const longestAfterRemoval = { CUSTOMER: days(1), SYSTEM: days(7) } as const;

/** Tells whether a notification has kept the last state of a removed record for so long that it is not sent any more. */
export function keepsTooLong(notification: Notification, now: Instant): boolean {
  const { addressee, createdAt } = notification;
  return now - createdAt > longestAfterRemoval[addressee.type] && keptContentOf(notification).appointment !== undefined;
}
