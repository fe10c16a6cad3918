import {
  type AuditEntry,
  type AuditQuery,
  type AuditSeal,
  compareText,
  type Listed,
  type SealedAudit,
} from '@calends/core/store';
import { entry } from './maps.js';
import { sealedCopy } from './sealed-copy.js';
import { SortedList } from './sorted-list.js';

const byId = (a: AuditEntry, b: AuditEntry): number => compareText(a.id, b.id);
const latestFirst = (a: AuditEntry, b: AuditEntry): number => b.at - a.at || byId(b, a);

/** The audit record of one organization; lines are added and never changed, and go only from the beginning. */
export class OrganizationAudit {
  readonly #byId = new Map<string, AuditEntry>();
  readonly #latestFirst = new SortedList(latestFirst);
  readonly #byAppointment = new Map<string, SortedList<AuditEntry>>();
  readonly #unsealed = new SortedList(byId);
  readonly #sealedIds = new Set<string>();
  /** By number, without a gap. */
  #seals: AuditSeal[] = [];

  get unsealedCount(): number {
    return this.#byId.size - this.#sealedIds.size;
  }

  get lastSeal(): AuditSeal | undefined {
    return this.#seals.at(-1);
  }

  /** The first seal whose entries are kept. */
  get firstSealed(): AuditSeal | undefined {
    return this.#seals.find(({ anchor }) => anchor === undefined);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  add(line: AuditEntry): void {
    this.#byId.set(line.id, line);
    this.#latestFirst.add(line);
    // What is about none stands together, as in the column of a table.
    entry(this.#byAppointment, line.appointmentId ?? '', () => new SortedList(latestFirst)).add(line);
    this.#unsealed.add(line);
  }

  list({ appointmentId, from = -Infinity, to = Infinity, pageNumber, pageSize }: AuditQuery): Listed<AuditEntry> {
    const entries = appointmentId === undefined ? this.#latestFirst : this.#byAppointment.get(appointmentId);
    if (entries === undefined) return { items: [], total: 0 };
    const start = entries.countWhile(({ at }) => at >= to);
    const end = entries.countWhile(({ at }) => at >= from);
    const first = start + (pageNumber - 1) * pageSize;
    return { items: entries.slice(first, Math.min(first + pageSize, end)), total: Math.max(end - start, 0) };
  }

  /** The first lines by id that no seal covers. */
  unsealed(limit: number): readonly AuditEntry[] {
    return this.#unsealed.slice(0, limit);
  }

  /** Appends the next seal of the chain over lines that are there, unsealed and named once; tells whether it did. */
  seal(seal: AuditSeal): boolean {
    const entries = seal.entryIds.flatMap((id) => (this.#sealedIds.has(id) ? [] : (this.#byId.get(id) ?? [])));
    const isWhole = entries.length === seal.entryIds.length && new Set(entries).size === entries.length;
    if (seal.number !== (this.lastSeal?.number ?? 0) + 1 || !isWhole) return false;
    this.#seals.push(seal);
    for (const line of entries) {
      this.#sealedIds.add(line.id);
      this.#unsealed.remove(line);
    }
    return true;
  }

  seals(fromNumber: number, limit: number): readonly SealedAudit[] {
    const found = this.#seals.filter(({ number }) => number >= fromNumber).slice(0, limit);
    return found.map((seal) => ({
      seal,
      entries: seal.entryIds.flatMap((id) => this.#byId.get(id) ?? []).toSorted(byId),
    }));
  }

  /** Removes the lines under the seals up to this one, and the seals before it, which stays as the anchor. */
  trim(upTo: number, anchor: string): boolean {
    const last = this.#seals.find(({ number }) => number === upTo);
    if (last === undefined || last.anchor !== undefined) return false;
    const ids = this.#seals.flatMap(({ number, entryIds }) => (number <= upTo ? entryIds : []));
    for (const line of ids.flatMap((id) => this.#byId.get(id) ?? [])) this.#remove(line);
    this.#seals = [sealedCopy({ ...last, entryIds: [], anchor }), ...this.#seals.filter(({ number }) => number > upTo)];
    return true;
  }

  #remove(line: AuditEntry): void {
    this.#byId.delete(line.id);
    this.#sealedIds.delete(line.id);
    this.#latestFirst.remove(line);
    const key = line.appointmentId ?? '';
    const others = this.#byAppointment.get(key);
    others?.remove(line);
    if (others?.isEmpty === true) this.#byAppointment.delete(key);
  }
}
