import type { Appointment, Scheduling } from '@calends/core';
import { formatDuration, formatInstant, type OfferedService } from '@calends/core/operations';
import { contactOf, type Entered } from './entered.js';
import type { Held } from './held-time.js';
import { idIn } from './holding.js';
import { isHoldLost } from './problems.js';
import { whenAnswered } from './when-answered.js';

/** A booking that somebody has sent. */
export interface SentBooking {
  readonly applicationId: string;
  readonly service: OfferedService;
  readonly time: Held;
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
 * The hold is asked for also when it is over: what was booked with it is found again by whoever sends the form once more.
 */
export async function bookOnce(scheduling: Scheduling, sent: SentBooking): Promise<Appointment> {
  try {
    return await book(scheduling, sent, true);
  } catch (error) {
    if (!isHoldLost(error)) throw error;
    return book(scheduling, sent, false);
  }
}

async function book(scheduling: Scheduling, sent: SentBooking, isHeld: boolean): Promise<Appointment> {
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
    ...(isHeld ? { holdToken: token } : {}),
  };
  // Whoever sends the form again sees what it has booked, also where it is sent several times at once.
  const idempotency = { operation: 'booking-page', key: `${idIn(token)}${isHeld ? '' : '-late'}` };
  return whenAnswered(() =>
    scheduling.appointments.scheduleAsCustomer({ username, code }, command, { idempotency, source }),
  );
}
