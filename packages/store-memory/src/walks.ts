import { type AppointmentWalk, isLive, type TicketsOfKey, type WalkedAppointment } from '@calends/core/store';
import type { AppointmentRow } from './appointment-row.js';
import type { Appointments } from './appointments.js';
import { compareText } from './code-point-order.js';
import type { Tickets } from './tickets.js';

type Place = NonNullable<AppointmentWalk['after']>;

const comparePlaces = (one: Place, other: Place): number =>
  compareText(one.organizationId, other.organizationId) || compareText(one.id, other.id);

/** The next appointments of all organizations. */
export function walkAppointments(
  appointments: Appointments,
  { after, limit }: AppointmentWalk,
): readonly WalkedAppointment[] {
  const ahead: AppointmentRow[] = appointments.all.filter(
    ({ appointment }) => after === undefined || comparePlaces(appointment, after) > 0,
  );
  ahead.sort((one, other) => comparePlaces(one.appointment, other.appointment));
  return ahead.slice(0, limit).map(({ appointment, wakeAt }) => ({ appointment, wakeAt }));
}

/** How many tickets may have been made under a key and hold. */
export function ticketsOfKey(
  tickets: Tickets,
  appointments: Appointments,
  { keyId, now, endedBy }: TicketsOfKey,
): number {
  const held = tickets.all.filter(({ organizationId, kind, subjectId, nonce, expiresAt, revokedAt }) => {
    if (nonce.includes('.') && !nonce.startsWith(`${keyId}.`)) return false;
    if (revokedAt !== null || (expiresAt !== null && expiresAt <= now)) return false;
    if (kind === 'CALENDAR_FEED') return true;
    const opened = appointments.of(organizationId).find(subjectId)?.appointment;
    return opened !== undefined && isLive(opened) && opened.schedule.end > endedBy;
  });
  return held.length;
}
