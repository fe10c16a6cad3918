import { days, type Instant } from '@calends/model';
import type { Appointment } from '../domain/appointments/appointment.js';
import type { CustomerProfile } from '../domain/customers/profile.js';
import type { Notification } from '../domain/notifications/notification.js';

/** What a notification keeps for its next attempt because it stands nowhere else. */
export interface Payload {
  /** Body of a web hook, the same for every attempt after the one whose outcome kept it (D59). */
  readonly body?: string | undefined;
  /** Last state of a record that was removed (v1 DELETE). */
  readonly appointment?: Appointment | undefined;
  readonly customer?: CustomerProfile | undefined;
  /** How often the message could not be made; counted from 0 again once it was DONE. */
  readonly faults?: number | undefined;
  /** True from a retry by hand until an attempt is made (D68). */
  readonly byHand?: boolean | undefined;
  readonly asked?: AskedByHand | undefined;
  /** Span of the operation that it follows from. */
  readonly traceParent?: string | undefined;
  /** Until when it waits for older messages to the same recipient (D71). */
  readonly waitsUntil?: Instant | undefined;
}

/** Retries by hand of a message that its provider has: it is asked (D68). */
interface AskedByHand {
  /** When the last one came. */
  readonly at: Instant;
  /** How many there were in all. */
  readonly times: number;
  /** How many of the questions about the present message were asked for; with any of them its failure has another attempt. */
  readonly polls: number;
}

/** Reads what a notification keeps. */
export function payloadOf({ kept }: Pick<Notification, 'kept'>): Payload {
  return kept === undefined ? {} : (JSON.parse(kept) as Payload);
}

/**
 * What stays of it once the message is handed over or over: a retry by hand signs the same bytes, and questions are counted on.
 * A profile is not kept for that.
 */
export function withBodyOnly(kept: string | undefined): string | undefined {
  const { body, asked, traceParent } = payloadOf({ kept });
  if (body === undefined && asked === undefined && traceParent === undefined) return undefined;
  return JSON.stringify({ body, asked: asked && { ...asked, polls: 0 }, traceParent });
}

/** What stays of it once an attempt was made. */
export function withoutHandMark(kept: string | undefined): string | undefined {
  const { byHand, ...payload } = payloadOf({ kept });
  if (byHand === undefined) return kept;
  return Object.keys(payload).length === 0 ? undefined : JSON.stringify(payload);
}

/** How long what is kept of a removed record waits for its attempts: it holds personal data (ADR 0022). */
const maxAfterRemoval = { CUSTOMER: days(1), SYSTEM: days(7) } as const;

/** Tells whether a notification has kept the last state of a removed record for so long that it is not sent any more. */
export function isPayloadExpired(notification: Notification, now: Instant): boolean {
  const { addressee, createdAt } = notification;
  return now - createdAt > maxAfterRemoval[addressee.type] && payloadOf(notification).appointment !== undefined;
}
