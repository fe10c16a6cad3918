import type { Appointment, Scheduling } from '@calends/core';
import { formatDuration, formatInstant, type OfferedService } from '@calends/core/operations';
import { contactOf, type Entered } from './entered.js';
import type { Held } from './held-time.js';
import { idIn } from './holding.js';
import { mayBeBookedOtherwise } from './problems.js';
import { whenAnswered } from './when-answered.js';

/** A booking that somebody has sent. */
export interface SentBooking {
  readonly applicationId: string;
  readonly service: OfferedService;
  readonly time: Held;
  /** Whether the time is held, as far as is known. */
  readonly isHeld: boolean;
  readonly entered: Entered;
  /** Where the one-time password went. */
  readonly username: string;
  readonly code: string;
  /** Language of the customer. */
  readonly locale: string;
  readonly source: string | undefined;
}

/**
 * Books; a time that is held no more is booked as long as it is free.
 *
 * Both ways have one key: whoever sends the form once more, also at once and also when the hold is over by then, is answered by the
 * one that has booked, before the code is looked at, which is used up.
 */
export async function bookOnce(scheduling: Scheduling, sent: SentBooking): Promise<Appointment> {
  try {
    return await book(scheduling, sent, sent.isHeld);
  } catch (error) {
    if (!mayBeBookedOtherwise(error)) throw error;
    return book(scheduling, sent, !sent.isHeld);
  }
}

async function book(scheduling: Scheduling, sent: SentBooking, withHold: boolean): Promise<Appointment> {
  const { service, entered, username, code, source } = sent;
  const { token, start, end } = sent.time;
  const command = {
    applicationId: sent.applicationId,
    serviceId: service.id,
    title: service.title,
    start: formatInstant(start),
    duration: formatDuration(end - start),
    timezone: service.timezone,
    locale: sent.locale,
    customers: [
      {
        name: { firstName: entered.firstName, lastName: entered.lastName },
        contact: contactOf(entered),
      },
    ],
    ...(withHold ? { holdToken: token } : {}),
  };
  const idempotency = { operation: 'booking-page', key: idIn(token) };
  return whenAnswered(() =>
    scheduling.appointments.scheduleAsCustomer({ username, code }, command, { idempotency, source }),
  );
}
