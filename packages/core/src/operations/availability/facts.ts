import { type OverridableReason, seconds, type TimeWindow } from '@calends/model';
import { compileQuestion, type Question, type QuestionParts } from '../../availability/question.js';
import { callProvider } from '../../delivery/call-provider.js';
import { hoursBeside, type KnownService } from '../../ports/availability-source.js';
import type { AvailabilityRecord } from '../../ports/store/availability.js';
import type { BusyElsewhere } from '../../ports/busy-source.js';
import { holdsAt } from '../../ports/clock.js';
import { buffersOf } from '../../availability/service-rules.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { UseCaseContext } from '../context.js';
import { type NeededFacts, neededFacts } from './needed-facts.js';
import type { AvailabilityRoom } from './room.js';
import { dropRejectionsIn, fieldsOf } from '../../support/host-answers.js';

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
  /** True = the answer is shown, and nothing is booked or held by it. */
  readonly isShown?: boolean | undefined;
  /** True = nobody will ask why. */
  readonly isSearch?: boolean | undefined;
  /** The record that the service was remembered by. */
  readonly remembered?: AvailabilityRecord | undefined;
  /** The appointment that is moved, and the hold that is replaced: in nobody's way. */
  readonly exceptAppointmentId?: string | undefined;
  readonly exceptHoldId?: string | undefined;
  readonly overrides?: readonly OverridableReason[] | undefined;
}

/** A service that was remembered is another now. */
export class ServiceChanged extends Error {}

/** How long one source of busy times gets. */
const sourceTime = seconds(1);

/**
 * Everything that answers a question, from the store and the host's ports, read once.
 *
 * @throws ServiceChanged where the service was remembered
 */
export async function factsOf(context: UseCaseContext, wanted: Wanted): Promise<Question> {
  const { applicationId, settings, service, window, agentIds, exceptHoldId, overrides } = wanted;
  const minBuffer = settings.overlap.buffer;
  const needed = neededFacts(service, { ...wanted, serviceId: service.id, minBuffer });
  const [{ busy: entries, ...known }, elsewhere] = await Promise.all([
    ofActors(context, wanted, needed),
    busyElsewhere(context, wanted, needed),
  ]);
  const busy = exceptHoldId === undefined ? entries : entries.filter(({ holdId }) => holdId !== exceptHoldId);
  const now = context.clock.now();
  return compileQuestion({
    service,
    applicationId,
    minBuffer,
    now,
    window,
    ...known,
    busy,
    agentIds,
    overrides,
    ...elsewhere,
  });
}

/** Hours, and what actors have: in a search no more of it than when, and all from one statement where the store has both. */
async function ofActors(
  { clock, shown: askShown }: UseCaseContext,
  { room, organizationId, exceptAppointmentId, isShown, isSearch, service, remembered, settings }: Wanted,
  { actorIds, busyActorIds, busy: window, days }: NeededFacts,
): Promise<Pick<QuestionParts, 'hours' | 'busy' | 'taken'>> {
  const { store, source, tables, options } = room;
  const isOfTimes = isSearch === true && (service.limits ?? []).length === 0;
  // Only the statement about times says whether the service still stands.
  if (remembered !== undefined && (busyActorIds.length === 0 || !isOfTimes)) throw new ServiceChanged();
  if (busyActorIds.length === 0) return { hours: [], busy: [] };
  const query = { organizationId, actorIds: busyActorIds, window, exceptAppointmentId, now: holdsAt(clock) };
  const shown = isShown === true ? askShown() : [];
  const hoursOf = async () => (actorIds.length === 0 ? [] : source.hoursOf({ organizationId, actorIds, days }));
  if (!isOfTimes) {
    const [hours, busy] = await Promise.all([hoursOf(), store.listBusy(query, ...shown)]);
    return { hours, busy };
  }
  const timesQuery = { ...query, buffers: buffersOf(service, settings.overlap.buffer) };
  if (tables !== undefined) {
    const taken = await tables.listTimes({ ...timesQuery, days, service: remembered }, ...shown);
    if (taken === undefined) throw new ServiceChanged();
    return { hours: hoursBeside(options, query, taken), busy: [], taken };
  }
  const [hours, taken] = await Promise.all([hoursOf(), store.listTimes(timesQuery, ...shown)]);
  return { hours, busy: [], taken: taken ?? [] };
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
        // Each gets a question of its own: one that takes the list apart must make nobody free.
        const question = { organizationId, actorIds: [...actorIds], window: { ...window } };
        return readBusy(await callProvider(sourceTime, async () => source.busy(question)));
      } catch (error) {
        observer.observe({ type: 'busySourceFailed', error });
        return undefined;
      }
    }),
  );
  const isStale = answers.includes(undefined) && room.options.whenBusySourceFails !== 'open';
  return { elsewhere: answers.flatMap((answer) => answer ?? []), staleActorIds: new Set(isStale ? actorIds : []) };
}

/**
 * What a source has answered, which a host in plain JavaScript may have made of texts or dates: taken as it is, it would be in
 * nobody's way.
 *
 * @throws TypeError for anything but a list of busy times
 */
function readBusy(answer: unknown): readonly BusyElsewhere[] {
  // Ends are not part of a time: one that begins where it ends takes none.
  if (Array.isArray(answer) && answer.every(isBusy)) return answer.filter(({ from, to }) => from < to);
  dropRejectionsIn(answer);
  throw new TypeError('A busy source must answer a list of { actorId, from, to }, in milliseconds since 1970.');
}

function isBusy(given: unknown): given is BusyElsewhere {
  const { actorId, from, to } = fieldsOf(given);
  return typeof actorId === 'string' && typeof from === 'number' && typeof to === 'number' && from <= to;
}
