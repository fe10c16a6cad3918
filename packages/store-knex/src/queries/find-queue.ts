import type { Appointment, Tracer } from '@calends/core';
import { Coalescer } from '../database/coalescer.js';
import type { Row } from '../database/outcome.js';
import type { Connections } from '../database/connections.js';
import type { AppointmentKey, Dialect } from '../dialects/dialect.js';
import { readAppointment } from '../tables/appointments.js';
import { text } from '../tables/fields.js';

/** Finds an appointment, together with others when the database is busy. */
export type FindQueue = (key: AppointmentKey) => Promise<Appointment | undefined>;

/** What finds run on. */
export interface FindQueueParts {
  readonly dialect: Dialect;
  readonly connections: Connections;
  readonly attempt: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Makes spans; absent = none. */
  readonly tracer?: Tracer | undefined;
}

const nameOf = (organizationId: string, id: string): string => `${organizationId}\u0000${id}`;

/** The queue of a store's finds. */
export function findQueue({ dialect, connections, attempt, tracer }: FindQueueParts): FindQueue {
  const find = async (keys: readonly AppointmentKey[]): Promise<readonly (Appointment | undefined)[]> => {
    const rows = await attempt(() => connections.read(() => dialect.findAppointments(keys)));
    const byName = new Map<string, Row>(
      rows.map((row) => [nameOf(text(row, 'organization_id'), text(row, 'id')), row]),
    );
    return keys.map(({ organizationId, appointmentId }) => {
      const row = byName.get(nameOf(organizationId, appointmentId));
      // Each caller gets an object of its own, also of the same row.
      return row === undefined ? undefined : readAppointment(row);
    });
  };
  const finds = new Coalescer<AppointmentKey, Appointment | undefined>({
    ...dialect.finds,
    perform: find,
    traced: tracer && { tracer, name: 'find' },
  });
  return (key) => finds.submit(key);
}
