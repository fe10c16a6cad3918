import { type ActorRelation, blocksTime, maxDuration, type OverlapGuard, type TimeWindow } from '@calends/core/store';
import { type AppointmentRow, byStart } from './appointment-row.js';
import type { OrganizationRows } from './organization-rows.js';
import type { SortedList } from './sorted-list.js';

const relations: readonly ActorRelation[] = ['ORGANIZER', 'AGENT', 'CUSTOMER'];

/** The rows of an actor that may intersect the window, found without a look at all that are long over. */
function near(rows: SortedList<AppointmentRow>, { from, to }: TimeWindow): readonly AppointmentRow[] {
  return rows.between(
    ({ appointment }) => appointment.schedule.start <= from - maxDuration,
    ({ appointment }) => appointment.schedule.start < to,
  );
}

/** Ids of the appointments that stand in the way, by start, then id (D26). */
export function conflictsWith(
  rows: OrganizationRows,
  { actorIds, window }: OverlapGuard,
  ownId: string | undefined,
): readonly string[] {
  const conflicts = new Set<AppointmentRow>();
  for (const actorId of actorIds) {
    for (const relation of relations) {
      const ofActor = rows.ofActor(relation, actorId);
      for (const row of ofActor === undefined ? [] : near(ofActor, window)) {
        const { appointment } = row;
        if (appointment.id !== ownId && appointment.schedule.end > window.from && blocksTime(appointment)) {
          conflicts.add(row);
        }
      }
    }
  }
  return [...conflicts].sort(byStart).map(({ appointment }) => appointment.id);
}
