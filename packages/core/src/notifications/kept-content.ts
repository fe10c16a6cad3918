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
}

/** Reads what a notification keeps. */
export function keptContentOf({ kept }: Notification): KeptContent {
  return kept === undefined ? {} : readKept(kept);
}

/** Reads what was kept. */
export function readKept(kept: string): KeptContent {
  return JSON.parse(kept) as KeptContent;
}

/** How long what is kept of a removed record waits for its attempts: it holds personal data (ADR 0022). */
const longestAfterRemoval = { CUSTOMER: days(1), SYSTEM: days(7) } as const;

/** Tells whether a notification has kept the last state of a removed record for so long that it is not sent any more. */
export function keepsTooLong(notification: Notification, now: Instant): boolean {
  const { addressee, createdAt } = notification;
  return now - createdAt > longestAfterRemoval[addressee.type] && keptContentOf(notification).appointment !== undefined;
}
