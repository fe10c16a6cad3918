import type { Claim, DueAppointment, Instant } from '@calends/core/store';
import type { AppointmentRow } from './appointment-row.js';
import { compareText } from './code-point-order.js';
import { SortedList } from './sorted-list.js';

/** Only rows with an instant are kept. */
const instantOf = ({ wakeAt }: AppointmentRow): Instant => wakeAt ?? Infinity;

function earliestFirst(left: AppointmentRow, right: AppointmentRow): number {
  const [a, b] = [left.appointment, right.appointment];
  return (
    instantOf(left) - instantOf(right) || compareText(a.organizationId, b.organizationId) || compareText(a.id, b.id)
  );
}

/** The rows of all organizations that the worker must look at, by when. */
export class DueAppointments {
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
