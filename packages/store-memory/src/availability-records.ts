import {
  type AvailabilityKey,
  type AvailabilityRecord,
  type AvailabilityRecordChange,
  type AvailabilityRecordQuery,
  compareText,
} from '@calends/core/store';
import { entry } from './maps.js';
import { SortedList } from './sorted-list.js';

const byKey = (a: AvailabilityKey, b: AvailabilityKey): number =>
  compareText(a.kind, b.kind) || compareText(a.scopeId, b.scopeId) || compareText(a.id, b.id);

/** Services, hours and exceptions of all organizations. */
export class AvailabilityRecords {
  readonly #organizations = new Map<string, SortedList<AvailabilityRecord>>();

  list({ organizationId, kinds, scopeIds, fromId, untilId }: AvailabilityRecordQuery): readonly AvailabilityRecord[] {
    const all = this.#organizations.get(organizationId)?.items ?? [];
    return all.filter(
      ({ kind, scopeId, id }) =>
        kinds.includes(kind) &&
        (scopeIds?.includes(scopeId) ?? true) &&
        (fromId === undefined || compareText(id, fromId) >= 0) &&
        (untilId === undefined || compareText(id, untilId) <= 0),
    );
  }

  /** Tells whether the record is as the change expects it. */
  allows(organizationId: string, change: AvailabilityRecordChange): boolean {
    return (this.#find(organizationId, change)?.version ?? 0) === change.expectedVersion;
  }

  put(organizationId: string, change: AvailabilityRecordChange): void {
    const records = entry(this.#organizations, organizationId, () => new SortedList<AvailabilityRecord>(byKey));
    const present = this.#find(organizationId, change);
    if (present !== undefined) records.remove(present);
    if (change.next !== undefined) records.add(change.next);
  }

  #find(organizationId: string, key: AvailabilityKey): AvailabilityRecord | undefined {
    const [found] =
      this.#organizations.get(organizationId)?.between(
        (each) => byKey(each, key) < 0,
        (each) => byKey(each, key) <= 0,
      ) ?? [];
    return found;
  }
}
