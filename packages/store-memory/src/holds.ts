import {
  compareText,
  type Hold,
  type HoldChanges,
  type Instant,
  serviceActorId,
  StoreError,
} from '@calends/core/store';
import { compositeKey, entry } from './maps.js';
import { SortedList } from './sorted-list.js';

const byStart = (a: Hold, b: Hold): number => a.start - b.start || compareText(a.id, b.id);

const byUntil = (a: Hold, b: Hold): number =>
  a.until - b.until || compareText(a.organizationId, b.organizationId) || compareText(a.id, b.id);

/** Ids of those whose time a hold takes. */
export const heldActors = ({ agentIds, resourceIds }: Hold): readonly string[] => [...agentIds, ...resourceIds];

/** Ids under which a hold is found: besides those, its service and its owner. */
function rowsOf(hold: Hold): ReadonlySet<string> {
  return new Set([...heldActors(hold), serviceActorId(hold.applicationId, hold.serviceId), hold.ownerKey]);
}

/** The holds of all organizations, alive or not. */
export class Holds {
  readonly #byId = new Map<string, Hold>();
  readonly #byActor = new Map<string, SortedList<Hold>>();
  readonly #byUntil = new SortedList(byUntil);

  find(organizationId: string, holdId: string): Hold | undefined {
    return this.#byId.get(compositeKey(organizationId, holdId));
  }

  /** Those of an actor, by start, then id. */
  ofActor(organizationId: string, actorId: string): SortedList<Hold> | undefined {
    return this.#byActor.get(compositeKey(organizationId, actorId));
  }

  /** Tells whether a commit may use the hold up. */
  allows(organizationId: string, { consume }: HoldChanges, at: Instant): boolean {
    return consume === undefined || (this.find(organizationId, consume)?.until ?? -Infinity) > at;
  }

  /** Throws when a hold with the id of the added one is there already. */
  check(organizationId: string, { add }: HoldChanges): void {
    if (add !== undefined && this.find(organizationId, add.id) !== undefined) {
      throw new StoreError('unexpected', 'A hold with this id is stored already.');
    }
  }

  /** Does what {@link check} has let through. */
  apply(organizationId: string, { add, consume, release = [] }: HoldChanges): void {
    for (const holdId of [...(consume === undefined ? [] : [consume]), ...release])
      this.#remove(organizationId, holdId);
    if (add === undefined) return;
    this.#byId.set(compositeKey(organizationId, add.id), add);
    this.#byUntil.add(add);
    for (const actorId of rowsOf(add)) {
      entry(this.#byActor, compositeKey(organizationId, actorId), () => new SortedList(byStart)).add(add);
    }
  }

  purge(before: Instant, limit: number): number {
    const ended = this.#byUntil.takeWhile(({ until }) => until < before, limit);
    for (const { organizationId, id } of ended) this.#remove(organizationId, id);
    return ended.length;
  }

  #remove(organizationId: string, holdId: string): void {
    const hold = this.find(organizationId, holdId);
    if (hold === undefined) return;
    this.#byId.delete(compositeKey(organizationId, holdId));
    this.#byUntil.remove(hold);
    for (const actorId of rowsOf(hold)) {
      const key = compositeKey(organizationId, actorId);
      const rows = this.#byActor.get(key);
      rows?.remove(hold);
      if (rows?.isEmpty === true) this.#byActor.delete(key);
    }
  }
}
