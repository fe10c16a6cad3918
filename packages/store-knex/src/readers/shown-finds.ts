import type { Appointment } from '@calends/core';
import type { ShownRead } from '@calends/core/store';
import { Coalescer, type QueueParts } from '../database/coalescer.js';
import { type AppointmentKey, appointmentsOf, type FindDialect, type FindQueue } from '../queries/find-queue.js';
import { isMark } from './marks.js';
import type { Readers } from './readers.js';

/** Finds an appointment, to decide on it or only to show it. */
export type ShownFinds = (key: AppointmentKey, shown?: ShownRead) => Promise<Appointment | undefined>;

interface ShownFind {
  readonly key: AppointmentKey;
  readonly after: string | undefined;
}

/**
 * Finds at the primary, and at the readers what is only shown; there, too, together with others when they are busy.
 *
 * What a reader answers serves those of a batch whose marks it has reached. The others ask the primary: one who has just
 * written sends nobody else there.
 */
export function shownFinds(
  finds: FindQueue,
  { dialect, tracer }: Pick<QueueParts<FindDialect>, 'dialect' | 'tracer'>,
  readers: Readers | undefined,
): ShownFinds {
  if (readers === undefined) return (key) => finds(key);
  const find = async (
    jobs: readonly ShownFind[],
  ): Promise<readonly (Appointment | undefined | Promise<Appointment | undefined>)[]> => {
    const keys = jobs.map(({ key }) => key);
    const [first, ...others] = jobs.map(({ after }) => after).sort();
    const read = await readers.read(others.length === 0 ? first : undefined, () => dialect.findAppointments(keys));
    const found = typeof read === 'object' ? appointmentsOf(keys, read.result) : [];
    return jobs.map(({ key, after = '' }, index) => {
      if (typeof read === 'object' && after <= read.seen) {
        readers.count('reader');
        return found[index];
      }
      readers.count('primary', typeof read === 'object' ? 'unseen' : read);
      return finds(key);
    });
  };
  const shown = new Coalescer<ShownFind, Appointment | undefined>({
    ...dialect.finds,
    perform: find,
    traced: tracer && { tracer, name: 'find' },
  });
  return (key, asked) => {
    if (asked === undefined) return finds(key);
    const { after } = asked;
    if (after === undefined || isMark(after)) return shown.submit({ key, after });
    readers.count('primary', 'unseen');
    return finds(key);
  };
}
