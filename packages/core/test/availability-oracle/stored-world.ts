import { memoryStore } from '@calends/store-memory';
import { hoursSchema, serviceSchema } from '@calends/model';
import { createScheduling, type Scheduling } from '../../src/index.js';
import { maxDuration, type SchedulingStore } from '../../src/store.js';
import { agent, caller, interaction, scheduled } from '../sample-appointments.js';
import type { Taken, World } from './world.js';

const organizationId = 'org-1';
const applicationId = 'app-1';
const staff = caller('ROLE_SUPERVISOR');

const isAgent = (actorId: string): boolean => !actorId.startsWith('r');

/** The world as far as the library can be brought into it: a source of busy times fails for all or for nobody, and agents whom the service does not name are refused. */
export function storable(world: World): World {
  const named = new Set(world.rules.requirements.flatMap(({ anyOf }) => anyOf));
  return {
    ...world,
    agentIds: world.agentIds?.filter((actorId) => isAgent(actorId) && named.has(actorId)),
    stale: world.stale.length === 0 ? [] : [...named],
    elsewhere: world.stale.length === 0 ? world.elsewhere : [],
  };
}

/** Whether services and hours are such as the library takes: the oracle answers for others as well. */
export const isTaken = ({ rules, hours }: World): boolean =>
  serviceSchema.safeParse(rules).success &&
  hours.every(({ timezone, weekly }) => hoursSchema.safeParse({ timezone, weekly }).success);

async function keep(
  store: SchedulingStore,
  { id, start, end, before, after, actorIds, ...more }: Taken,
): Promise<void> {
  const [agentIds, resourceIds] = [actorIds.filter(isAgent), actorIds.filter((actorId) => !isAgent(actorId))];
  if (more.until !== undefined) {
    const hold = { id, organizationId, applicationId, serviceId: more.serviceId!, start, end, agentIds, resourceIds };
    const add = { ...hold, busy: { from: start - before, to: end + after }, ownerKey: 'owner-1', until: more.until };
    await store.commit({ organizationId, events: [], holds: { add } });
    return;
  }
  const service = { id: more.serviceId!, resources: resourceIds, buffers: { before, after } };
  const appointment = scheduled({
    id,
    organizationId,
    applicationId,
    version: 1,
    schedule: { start, end, timezone: 'UTC' },
    organizer: agent('nobody'),
    participants: agentIds.map(agent),
    targetAssignment: undefined,
    service: more.serviceId === undefined ? undefined : service,
    interaction: interaction(more.blocks ? 'PENDING' : 'COMPLETED'),
  });
  await store.commit({ organizationId, events: [], appointment: { kind: 'insert', next: appointment, wakeAt: null } });
}

/** The library over a store in which a world is kept. */
function libraryIn(
  { now, rules, serviceId, buffer, hours, elsewhere, stale }: World,
  store: SchedulingStore,
): Scheduling {
  return createScheduling({
    store,
    clock: { now: () => now },
    secret: 'a secret of at least thirty-two bytes',
    applications: {
      [applicationId]: { overlap: { mode: 'agent', buffer }, duration: { min: 60_000, max: maxDuration } },
    },
    availability: {},
    availabilitySource: {
      serviceOf: () => ({ ...rules, id: serviceId }),
      servicesOf: () => [{ ...rules, id: serviceId }],
      hoursOf: ({ actorIds, days }) =>
        hours
          .filter(({ actorId }) => actorIds.includes(actorId))
          .map((one) => {
            const asked = Object.entries(one.exceptions).filter(([date]) => date >= days.from && date <= days.until);
            return { ...one, exceptions: Object.fromEntries(asked) };
          }),
    },
    busySources: [
      {
        busy({ actorIds, window: { from, to } }) {
          if (stale.length > 0) throw new Error('It fails.');
          return elsewhere.filter((one) => actorIds.includes(one.actorId) && one.from < to && one.to > from);
        },
      },
    ],
  });
}

/** Asks the library, over a memory store in which a world is kept, as a supervisor. */
export async function askedIn(world: World) {
  const store = memoryStore();
  for (const taken of world.taken) await keep(store, taken);
  const { availability, appointments } = libraryIn(world, store);
  const { serviceId, agentIds, movedId: appointmentId } = world;
  const named = { applicationId, serviceId, agentIds, appointmentId };
  const text = (instant: number): string => new Date(instant).toISOString();
  const [duration = ''] = world.rules.durations;
  return {
    async find() {
      const { durations } = await availability.find(staff, { ...named, from: text(world.from), to: text(world.to) });
      return durations.flatMap(({ offers }) => offers.map(({ start, actorIds }) => ({ start, actorIds })));
    },
    book: (start: number) =>
      appointments.schedule(staff, {
        applicationId,
        serviceId,
        start: text(start),
        duration,
        timezone: 'UTC',
        customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
      }),
    cancel: (id: string) => appointments.cancel(staff, { id }),
    explain: (start: number) => availability.explain(staff, { ...named, start: text(start), duration }),
  };
}
