import type { Appointment } from '@calends/core';
import { type AppointmentChange, type Instant, isLive, type Postponement } from '@calends/core/store';
import { type AppointmentRow, rowOf } from './appointment-row.js';
import { DueAppointments } from './due-appointments.js';
import { OrganizationRows } from './organization-rows.js';

const nothing = new OrganizationRows();

/** The appointments of all organizations, and which of them are due. */
export class Appointments {
  readonly due = new DueAppointments();
  readonly #organizations = new Map<string, OrganizationRows>();

  of(organizationId: string): OrganizationRows {
    return this.#organizations.get(organizationId) ?? nothing;
  }

  /** The rows of all organizations. */
  get all(): readonly AppointmentRow[] {
    return [...this.#organizations.values()].flatMap(({ inOrder }) => inOrder);
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
    const rows = this.#organizations.get(organizationId) ?? new OrganizationRows();
    this.#organizations.set(organizationId, rows);
    const row = rowOf(appointment);
    rows.add(row);
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
