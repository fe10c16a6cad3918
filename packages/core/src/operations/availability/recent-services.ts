import type { ServiceQuery } from '../../ports/availability-source.js';
import type { AvailabilityRecord } from '../../ports/store/availability.js';

/** So many are remembered, and then it begins again. */
const maxServices = 200;

/** Records of services as they were read last: a search is made by them, and asks with its only statement whether they still stand. */
export class RecentServices {
  readonly #records = new Map<string, AvailabilityRecord>();

  note(record: AvailabilityRecord): void {
    if (this.#records.size >= maxServices) this.#records.clear();
    this.#records.set(keyOf(record.organizationId, record.scopeId, record.id), record);
  }

  of({ organizationId, applicationId, serviceId }: ServiceQuery): AvailabilityRecord | undefined {
    return this.#records.get(keyOf(organizationId, applicationId, serviceId));
  }
}

const keyOf = (...ids: readonly string[]): string => JSON.stringify(ids);
