import type { Appointment } from '@calends/core';
import { Coalescer, type Pressure, type QueueParts } from '../database/coalescer.js';
import { type Row, text } from '../sql/rows.js';
import type { Steps } from '../sql/steps.js';
import { readAppointment } from '../tables/appointments.js';

/** Which appointment is asked for. */
export interface AppointmentKey {
  readonly organizationId: string;
  readonly appointmentId: string;
}

/** How a database finds appointments. */
export interface FindDialect {
  readonly finds: Pressure;
  /** Rows of the appointments asked for, in any order. */
  readonly findAppointments: (keys: readonly AppointmentKey[]) => Steps<readonly Row[]>;
}

/** Finds an appointment, together with others when the database is busy. */
export type FindQueue = (key: AppointmentKey) => Promise<Appointment | undefined>;

const nameOf = (organizationId: string, id: string): string => `${organizationId}\u0000${id}`;

/** The appointments of the keys, in their order, from rows in any order. */
export function appointmentsOf(
  keys: readonly AppointmentKey[],
  rows: readonly Row[],
): readonly (Appointment | undefined)[] {
  const [row, ...others] = rows;
  // Most are asked for alone.
  if (keys.length === 1 && others.length === 0) return [row && readAppointment(row)];
  const byName = new Map<string, Row>(rows.map((row) => [nameOf(text(row, 'organization_id'), text(row, 'id')), row]));
  return keys.map(({ organizationId, appointmentId }) => {
    const row = byName.get(nameOf(organizationId, appointmentId));
    // Each caller gets an object of its own, also of the same row.
    return row === undefined ? undefined : readAppointment(row);
  });
}

/** The queue of a store's finds. */
export function findQueue({ dialect, connections, attempt, tracer }: QueueParts<FindDialect>): FindQueue {
  const find = async (keys: readonly AppointmentKey[]): Promise<readonly (Appointment | undefined)[]> =>
    appointmentsOf(keys, await attempt(() => connections.read(() => dialect.findAppointments(keys))));
  const finds = new Coalescer<AppointmentKey, Appointment | undefined>({
    ...dialect.finds,
    perform: find,
    traced: tracer && { tracer, name: 'find' },
  });
  return (key) => finds.submit(key);
}
