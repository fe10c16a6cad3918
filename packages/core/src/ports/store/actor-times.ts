import type { Instant, TimeWindow } from '@calends/model';
import type {
  ActorTimes,
  AvailabilityKey,
  AvailabilityRecord,
  AvailabilityRecordQuery,
  BusyEntry,
  TimesQuery,
} from './availability.js';

interface Draft {
  readonly actorId: string;
  readonly spans: Instant[];
  hours?: ActorTimes['hours'];
  exceptions?: ActorTimes['exceptions'];
}

type Buffers = TimesQuery['buffers'];

/** The time that a booking must not meet, so that its buffers do not meet the span. */
export const widened = ({ from, to }: TimeWindow, { before, after }: Buffers): TimeWindow => ({
  from: from - after,
  to: to + before,
});

/** The time that a booking must not meet. The larger of two buffers, not their sum: one's busy span meets the other's appointment. */
export function keptFrom({ start, end, busy }: Omit<BusyEntry, 'actorId' | 'blocks'>, buffers: Buffers): TimeWindow {
  const { from, to } = widened({ from: start, to: end }, buffers);
  return { from: Math.min(from, busy.from), to: Math.max(to, busy.to) };
}

/** Asks for one record. */
export const recordWith = (
  organizationId: string,
  { kind, scopeId, id }: AvailabilityKey,
): AvailabilityRecordQuery => ({ organizationId, kinds: [kind], scopeIds: [scopeId], fromId: id, untilId: id });

/** The records that `listTimes` looks at. */
export const recordsOfTimes = ({
  organizationId,
  actorIds: scopeIds,
  days,
  service,
}: Pick<TimesQuery, 'organizationId' | 'actorIds' | 'days' | 'service'>): readonly AvailabilityRecordQuery[] => [
  ...(days === undefined
    ? []
    : [
        { organizationId, kinds: ['hours'] as const, scopeIds },
        { organizationId, kinds: ['exception'] as const, scopeIds, fromId: days.from, untilId: days.until },
      ]),
  ...(service === undefined ? [] : [recordWith(organizationId, { kind: 'service', ...service })]),
];

/** What `listTimes` answers, made of what `listBusy` and `listRecords` answer: for stores that have no quicker way. */
export function actorTimes(
  { buffers, service }: Pick<TimesQuery, 'buffers' | 'service'>,
  entries: readonly BusyEntry[],
  records: readonly AvailabilityRecord[],
): readonly ActorTimes[] | undefined {
  const told = records.find(({ kind }) => kind === 'service');
  if (service !== undefined && (told?.version !== service.version || told.updatedAt !== service.updatedAt))
    return undefined;
  const byActor = new Map<string, Draft>();
  const of = (actorId: string): Draft => {
    const known = byActor.get(actorId) ?? { actorId, spans: [] };
    byActor.set(actorId, known);
    return known;
  };
  for (const entry of entries) {
    if (!entry.blocks) continue;
    const { from, to } = keptFrom(entry, buffers);
    of(entry.actorId).spans.push(from, to);
  }
  for (const { kind, scopeId, id, document } of records) {
    if (kind === 'service') continue;
    const times = of(scopeId);
    if (kind === 'hours') times.hours = document;
    else times.exceptions = { ...times.exceptions, [id]: document };
  }
  return [...byActor.values()];
}
