import type { Appointment } from '@calends/core';
import {
  type AppointmentChange,
  type AppointmentWalk,
  type Claim,
  compareText,
  type DueAppointment,
  type Instant,
  isLive,
  type Postponement,
  type WalkedAppointment,
} from '@calends/core/store';
import { type AppointmentRow, rowOf } from './appointment-row.js';
import { entry } from './maps.js';
import { OrganizationRows } from './organization-rows.js';
import { SortedList } from './sorted-list.js';

type Place = NonNullable<AppointmentWalk['after']>;

/** Only rows with an instant are kept. */
const instantOf = ({ wakeAt }: AppointmentRow): Instant => wakeAt ?? Infinity;

/** By organization, then id. */
const comparePlaces = (a: Place, b: Place): number =>
  compareText(a.organizationId, b.organizationId) || compareText(a.id, b.id);

const earliestFirst = (a: AppointmentRow, b: AppointmentRow): number =>
  instantOf(a) - instantOf(b) || comparePlaces(a.appointment, b.appointment);

/** The rows of all organizations that the worker must look at, by when. */
class DueAppointments {
  readonly #waiting = new SortedList(earliestFirst);

  /** Sets when the worker must look at the row; null takes it out. */
  set(row: AppointmentRow, wakeAt: Instant | null): void {
    if (row.wakeAt !== null) this.#waiting.remove(row);
    row.wakeAt = wakeAt;
    if (wakeAt !== null) this.#waiting.add(row);
  }

  /** Takes what is due, earliest first, and sets it to the end of the lease. */
  claim({ now, limit, leaseUntil }: Claim): readonly DueAppointment[] {
    const due = this.#waiting.takeWhile((row) => instantOf(row) <= now, limit);
    return due.map((row) => {
      const claimed = { appointment: row.appointment, wakeAt: instantOf(row) };
      this.set(row, leaseUntil);
      return claimed;
    });
  }

  next(): Instant | undefined {
    return this.#waiting.first?.wakeAt ?? undefined;
  }
}

const nothing = new OrganizationRows();

/** The appointments of all organizations, and which of them are due. */
export class Appointments {
  readonly due = new DueAppointments();
  readonly #organizations = new Map<string, OrganizationRows>();

  of(organizationId: string): OrganizationRows {
    return this.#organizations.get(organizationId) ?? nothing;
  }

  /** The next ones of all organizations. */
  walk({ after, limit }: AppointmentWalk): readonly WalkedAppointment[] {
    const ahead = [...this.#organizations.values()]
      .flatMap(({ inOrder }) => inOrder)
      .filter(({ appointment }) => after === undefined || comparePlaces(appointment, after) > 0);
    ahead.sort((one, other) => comparePlaces(one.appointment, other.appointment));
    return ahead.slice(0, limit).map(({ appointment, wakeAt }) => ({ appointment, wakeAt }));
  }

  /** Organizations that have an appointment of this id. */
  organizationsWith(appointmentId: string): readonly string[] {
    const found = [...this.#organizations].filter(([, rows]) => rows.find(appointmentId) !== undefined);
    return found.map(([organizationId]) => organizationId);
  }

  /** Tells whether the appointment is as the change expects it. */
  allows(organizationId: string, change: AppointmentChange): boolean {
    const rows = this.of(organizationId);
    if (change.kind === 'insert') return rows.find(change.next.id) === undefined;
    const found = rows.find(change.kind === 'update' ? change.next.id : change.appointmentId)?.appointment;
    return change.kind === 'keep' ? found !== undefined && isLive(found) : found?.version === change.expectedVersion;
  }

  /** Adds the appointment, or puts it in the place of its former version. */
  put(organizationId: string, appointment: Appointment, wakeAt: Instant | null): void {
    this.remove(organizationId, appointment.id);
    const row = rowOf(appointment);
    entry(this.#organizations, organizationId, () => new OrganizationRows()).add(row);
    this.due.set(row, wakeAt);
  }

  remove(organizationId: string, appointmentId: string): void {
    const rows = this.of(organizationId);
    const row = rows.find(appointmentId);
    if (row === undefined) return;
    rows.remove(row);
    this.due.set(row, null);
    if (rows.size === 0) this.#organizations.delete(organizationId);
  }

  postpone({ organizationId, appointmentId, expectedVersion, wakeAt }: Postponement): void {
    const row = this.of(organizationId).find(appointmentId);
    if (row?.appointment.version === expectedVersion) this.due.set(row, wakeAt);
  }
}
