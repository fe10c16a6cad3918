import type { AvailabilityOptions } from '../settings/availability-options.js';
import type { ActorTimes, AvailabilityRecord, AvailabilityStore } from './store/availability.js';
import { recordsOfTimes, recordWith } from './store/actor-times.js';
import type { HoursException, HoursRules, ServiceRules } from '@calends/model';

/** The hours of one actor in a span of days. */
export interface ActorHours extends HoursRules {
  readonly actorId: string;
  /** By date, `YYYY-MM-DD`. */
  readonly exceptions: Readonly<Record<string, HoursException>>;
}

/** Whose hours are asked for. */
export interface HoursQuery {
  readonly organizationId: string;
  readonly actorIds: readonly string[];
  /** First and last day for which exceptions are needed, `YYYY-MM-DD`. */
  readonly days: { readonly from: string; readonly until: string };
}

/** Which service is asked for. */
export interface ServiceQuery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly serviceId: string;
}

/** A service that an application has or had. */
export interface KnownService extends ServiceRules {
  readonly id: string;
  /** True = it is not offered any more; its appointments stay and move by its rules. */
  readonly archived?: boolean | undefined;
}

/**
 * Where services and hours come from; a host with a personnel system puts in its own. Asked for every question, so a slow
 * source should cache.
 */
export interface AvailabilitySource {
  /** One service, archived ones too. */
  serviceOf(query: ServiceQuery): Promise<KnownService | undefined> | KnownService | undefined;
  /** All services that an application offers, archived ones not. */
  servicesOf(query: Omit<ServiceQuery, 'serviceId'>): Promise<readonly KnownService[]> | readonly KnownService[];
  /** Hours of those actors that have any. An agent without hours is never offered; a resource without hours is always open. */
  hoursOf(query: HoursQuery): Promise<readonly ActorHours[]> | readonly ActorHours[];
}

/** Services of an application that settings hold. */
export function configuredServices(
  { services = {} }: Pick<AvailabilityOptions, 'services'>,
  applicationId: string,
): readonly KnownService[] {
  const known = Object.hasOwn(services, applicationId) ? services[applicationId] : undefined;
  return Object.entries(known ?? {}).map(([id, rules]) => ({ ...rules, id }));
}

/** Hours of an organization's actors that settings hold. */
export function configuredHours(
  { hours = {} }: Pick<AvailabilityOptions, 'hours'>,
  organizationId: string,
): readonly ActorHours[] {
  return Object.entries(hours).flatMap(([actorId, { organizationId: owner, timezone, weekly, exceptions = {} }]) =>
    (owner ?? organizationId) === organizationId ? [{ actorId, timezone, weekly, exceptions }] : [],
  );
}

/** The built-in source: what settings hold, then what stands in the tables of the store. `heard` gets each service that was read there. */
export function storedAvailability(
  store: AvailabilityStore,
  configured: Pick<AvailabilityOptions, 'services' | 'hours'>,
  heard: (record: AvailabilityRecord) => void,
): AvailabilitySource {
  return {
    serviceOf: async ({ organizationId, applicationId, serviceId }) => {
      const set = configuredServices(configured, applicationId).find(({ id }) => id === serviceId);
      if (set !== undefined) return set;
      const key = { kind: 'service', scopeId: applicationId, id: serviceId } as const;
      const [record] = await store.listRecords(recordWith(organizationId, key));
      if (record === undefined) return undefined;
      heard(record);
      return serviceIn(record);
    },
    servicesOf: async ({ organizationId, applicationId }) => {
      const set = configuredServices(configured, applicationId);
      const records = await store.listRecords({ organizationId, kinds: ['service'], scopeIds: [applicationId] });
      const ids = new Set(set.map(({ id }) => id));
      const stored = records.map(serviceIn).filter(({ id, archived }) => archived !== true && !ids.has(id));
      return [...set, ...stored];
    },
    hoursOf: async (query) => {
      const { organizationId, actorIds, days } = query;
      const set = configuredHours(configured, organizationId).filter(({ actorId }) => actorIds.includes(actorId));
      const known = new Set(set.map(({ actorId }) => actorId));
      const scopeIds = actorIds.filter((id) => !known.has(id));
      if (scopeIds.length === 0) return set;
      const asked = recordsOfTimes({ organizationId, actorIds: scopeIds, days });
      const [stored = [], exceptions = []] = await Promise.all(asked.map((each) => store.listRecords(each)));
      return [...set, ...stored.map((record) => hoursIn(record, exceptions))];
    },
  };
}

/** The same hours as the built-in source's, where the store told its part with the times of the actors. */
export function hoursBeside(
  configured: Pick<AvailabilityOptions, 'hours'>,
  { organizationId, actorIds }: Pick<HoursQuery, 'organizationId' | 'actorIds'>,
  times: readonly ActorTimes[],
): readonly ActorHours[] {
  const set = configuredHours(configured, organizationId).filter(({ actorId }) => actorIds.includes(actorId));
  const known = new Set(set.map(({ actorId }) => actorId));
  const stored = times.flatMap(({ actorId, hours, exceptions = {} }): readonly ActorHours[] => {
    if (hours === undefined || known.has(actorId)) return [];
    return [{ ...(hours as unknown as HoursRules), actorId, exceptions: exceptions as ActorHours['exceptions'] }];
  });
  return [...set, ...stored];
}

/** The service that a record holds. */
export function serviceIn({ id, document }: AvailabilityRecord): KnownService {
  return { ...(document as unknown as Omit<KnownService, 'id'>), id };
}

function hoursIn({ scopeId, document }: AvailabilityRecord, exceptions: readonly AvailabilityRecord[]): ActorHours {
  const own = exceptions.filter((exception) => exception.scopeId === scopeId);
  return {
    ...(document as unknown as HoursRules),
    actorId: scopeId,
    exceptions: Object.fromEntries(own.map(({ id, document }) => [id, document as unknown as HoursException])),
  };
}
