import { type ActorRelation, blocksTime, maxDuration, type OverlapGuard } from '@calends/core/store';
import { type AppointmentRow, byStart } from './appointment-row.js';
import type { OrganizationRows } from './organization-rows.js';

const relations: readonly ActorRelation[] = ['ORGANIZER', 'AGENT', 'CUSTOMER'];

/** Ids of the appointments that stand in the way, by start, then id (D26). */
export function conflictsWith(
  rows: OrganizationRows,
  { actorIds, window: { from, to } }: OverlapGuard,
  ownId: string | undefined,
): readonly string[] {
  // Found without a look at all that are long over.
  const near = actorIds
    .flatMap((actorId) => relations.map((relation) => rows.ofActor(relation, actorId)))
    .flatMap((ofActor) => {
      const since = ({ appointment }: AppointmentRow) => appointment.schedule.start <= from - maxDuration;
      return ofActor?.between(since, ({ appointment }) => appointment.schedule.start < to) ?? [];
    })
    .filter(
      ({ appointment }) => appointment.id !== ownId && appointment.schedule.end > from && blocksTime(appointment),
    );
  return [...new Set(near)].sort(byStart).map(({ appointment }) => appointment.id);
}
