import { type AvailabilitySource, storedAvailability } from '../../ports/availability-source.js';
import type { Ports } from '../../ports/ports.js';
import type { AvailabilityStore } from '../../ports/store/availability.js';
import type { AvailabilityOptions } from '../../settings/availability-options.js';
import { RecentServices } from './recent-services.js';
import { readSource } from './source-answers.js';

/** What questions about free times work with, where the host turned them on. */
export interface AvailabilityRoom {
  readonly options: AvailabilityOptions;
  readonly store: AvailabilityStore;
  readonly source: AvailabilitySource;
  /** Where services and hours are kept; absent where the host has a source of its own. */
  readonly tables?: AvailabilityStore | undefined;
  /** Services of those tables, as they were read last. */
  readonly recent?: RecentServices | undefined;
}

/** The room over a store; `undefined` where availability is off. */
export function availabilityRoom(
  options: AvailabilityOptions | undefined,
  { store: { availability: store }, availabilitySource: source }: Pick<Ports, 'store' | 'availabilitySource'>,
): AvailabilityRoom | undefined {
  if (options === undefined || store === undefined) return undefined;
  if (source !== undefined) {
    // What settings say of services and hours is the built-in source's.
    const { services: _services, hours: _hours, ...rest } = options;
    return { options: rest, store, source: readSource(source) };
  }
  const recent = new RecentServices();
  const stored = storedAvailability(store, options, (record) => {
    recent.note(record);
  });
  return { options, store, source: stored, tables: store, recent };
}
