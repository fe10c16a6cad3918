import { type OverridableReason, seconds, type TimeWindow } from '@calends/model';
import { compileQuestion, type Question } from '../../availability/question.js';
import { type NeededFacts, windowOf } from '../../availability/window-of.js';
import { callProvider } from '../../delivery/call-provider.js';
import type { ActorHours, KnownService } from '../../ports/availability-source.js';
import type { BusyElsewhere } from '../../ports/busy-source.js';
import { holdsAt } from '../../ports/clock.js';
import type { BusyEntry } from '../../ports/store/availability.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { UseCaseContext } from '../context.js';
import type { AvailabilityRoom } from './room.js';

/** What is to be known. */
export interface Wanted {
  readonly room: AvailabilityRoom;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly settings: ApplicationSettings;
  readonly service: KnownService;
  /** From the first start to the end of the longest booking. */
  readonly window: TimeWindow;
  readonly agentIds?: readonly string[] | undefined;
  /** True = somebody will be chosen. */
  readonly isChoosing: boolean;
  /** The appointment that is moved, and the hold that is replaced: in nobody's way. */
  readonly exceptAppointmentId?: string | undefined;
  readonly exceptHoldId?: string | undefined;
  readonly overrides?: readonly OverridableReason[] | undefined;
}

/** How long one source of busy times gets. */
const sourceTime = seconds(1);

/**
 * Everything that answers a question, from the store and the host's ports, read once: makes the question, for all agents that
 * were asked for or only for some of them.
 */
export async function factsOf(
  context: UseCaseContext,
  wanted: Wanted,
): Promise<(agentIds?: readonly string[]) => Question> {
  const { room, organizationId, applicationId, settings, service, window, exceptHoldId, overrides } = wanted;
  const leastBuffer = settings.overlap.buffer;
  const needed = windowOf(service, { ...wanted, serviceId: service.id, leastBuffer });
  const [hours, entries, elsewhere] = await Promise.all([
    hoursOf(room, organizationId, needed),
    busyOf(context, wanted, needed),
    busyElsewhere(context, wanted, needed),
  ]);
  const busy = exceptHoldId === undefined ? entries : entries.filter(({ holdId }) => holdId !== exceptHoldId);
  const now = context.clock.now();
  return (agentIds = wanted.agentIds) =>
    compileQuestion({
      ...{ service, applicationId, leastBuffer, now, window, hours, busy, agentIds, overrides },
      ...elsewhere,
    });
}

async function hoursOf(
  { source }: AvailabilityRoom,
  organizationId: string,
  { actorIds, days }: NeededFacts,
): Promise<readonly ActorHours[]> {
  return actorIds.length === 0 ? [] : source.hoursOf({ organizationId, actorIds, days });
}

async function busyOf(
  { clock }: UseCaseContext,
  { room, organizationId, exceptAppointmentId }: Wanted,
  { busyActorIds: actorIds, busy: window }: NeededFacts,
): Promise<readonly BusyEntry[]> {
  if (actorIds.length === 0) return [];
  return room.store.listBusy({ organizationId, actorIds, window, exceptAppointmentId, now: holdsAt(clock) });
}

/** What else takes the actors' time; where a source fails, nobody knows, unless the host says that they are free then. */
async function busyElsewhere(
  { busySources, observer }: UseCaseContext,
  { room, organizationId }: Wanted,
  { actorIds, elsewhere: window }: NeededFacts,
): Promise<{ readonly elsewhere: readonly BusyElsewhere[]; readonly staleActorIds: ReadonlySet<string> }> {
  if (actorIds.length === 0) return { elsewhere: [], staleActorIds: new Set() };
  const answers = await Promise.all(
    busySources.map(async (source) => {
      try {
        return await callProvider(sourceTime, async () => source.busy({ organizationId, actorIds, window }));
      } catch (error) {
        observer.observe({ type: 'busySourceFailed', error });
        return undefined;
      }
    }),
  );
  const isStale = answers.includes(undefined) && room.options.whenBusySourceFails !== 'open';
  return { elsewhere: answers.flatMap((answer) => answer ?? []), staleActorIds: new Set(isStale ? actorIds : []) };
}
