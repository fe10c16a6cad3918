import { timeReasonCodes } from '@calends/model';
import type { NoChoice } from '../../availability/choose-actors.js';
import type { Caller } from '../../domain/calls/caller.js';
import { CalendsError, type TimeReason } from '../../domain/calls/errors.js';
import type { UseCaseContext } from '../context.js';
import { visibleOf } from '../overlap.js';

/** What a customer may know of: rules of the service. Whatever else it is, the time is taken. */
const toldToCustomers: readonly TimeReason['code'][] = ['OUTSIDE_HOURS', 'LEAD_TIME', 'HORIZON', 'OFF_GRID', 'LIMIT'];

/**
 * The reasons as far as the reader may know: staff with ids, of appointments those that they may see; customers and visitors
 * without.
 *
 * @param staff absent for everybody else
 */
export async function shownReasons(
  context: UseCaseContext,
  reasons: readonly TimeReason[],
  staff: Caller | undefined,
): Promise<readonly TimeReason[]> {
  if (staff === undefined) {
    const codes = new Set(reasons.map(({ code }) => (toldToCustomers.includes(code) ? code : 'BUSY')));
    return timeReasonCodes.filter((code) => codes.has(code)).map((code) => ({ code }));
  }
  const ids = new Set(reasons.flatMap(({ appointmentId }) => appointmentId ?? []));
  const visible = new Set((await visibleOf(context, [...ids], staff)).map(({ id }) => id));
  const shown = reasons.map(({ appointmentId, ...rest }): TimeReason =>
    appointmentId !== undefined && visible.has(appointmentId) ? { ...rest, appointmentId } : rest,
  );
  const distinct = new Map(
    shown.map((reason) => [JSON.stringify([reason.code, reason.actorId, reason.appointmentId]), reason]),
  );
  return [...distinct.values()];
}

/** Where the library would choose somebody, whom the host does not know. */
export const noActor: NoChoice = { free: false, reasons: [{ code: 'NO_ACTOR' }], isForLimits: false };

/** The refusal of a time that cannot be had: `limit_reached` where it could be, were it not for limits. */
export async function refusal(
  context: UseCaseContext,
  { reasons, isForLimits }: NoChoice,
  staff: Caller | undefined,
): Promise<CalendsError> {
  const shown = await shownReasons(context, reasons, staff);
  if (isForLimits) {
    return new CalendsError('limit_reached', 'A limit of bookings is reached.', { reasons: shown });
  }
  return new CalendsError('slot_conflict', 'The time cannot be had.', {
    appointmentIds: [...new Set(shown.flatMap(({ appointmentId }) => appointmentId ?? []))],
    reasons: shown,
  });
}
