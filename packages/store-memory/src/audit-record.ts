import {
  type AuditEntry,
  type AuditQuery,
  type AuditRefusal,
  type AuditSeal,
  type Listed,
  type SealedAudit,
  StoreError,
  type UnsealedAudit,
} from '@calends/core';
import type { Appointments } from './appointments.js';
import { compareText } from './code-point-order.js';
import { sealedCopy } from './sealed-copy.js';

/** The audit record of one organization. */
interface Record {
  readonly entries: Map<string, AuditEntry>;
  readonly unsealed: Map<string, AuditEntry>;
  readonly seals: AuditSeal[];
}

const byId = (one: AuditEntry, other: AuditEntry): number => compareText(one.id, other.id);

/** The audit record of every organization; entries are added and never changed. */
export class AuditRecord {
  readonly #byOrganization = new Map<string, Record>();

  /** Tells whether an entry with this id is there. */
  has(organizationId: string, id: string): boolean {
    return this.#byOrganization.get(organizationId)?.entries.has(id) ?? false;
  }

  add(entry: AuditEntry): void {
    const record = this.#recordOf(entry.organizationId);
    record.entries.set(entry.id, entry);
    record.unsealed.set(entry.id, entry);
  }

  addRefusals(appointments: Appointments, refusals: readonly AuditRefusal[]): void {
    for (const refusal of sealedCopy(refusals)) {
      const { organizationId: named, ...call } = refusal;
      const organizations = named === undefined ? appointments.organizationsWith(refusal.appointmentId) : [named];
      for (const organizationId of organizations) {
        const found = appointments.of(organizationId).find(refusal.appointmentId)?.appointment;
        if (found === undefined) continue;
        if (this.has(organizationId, call.id)) {
          throw new StoreError('unexpected', 'An audit entry with the id of one of these is stored already.');
        }
        const { applicationId } = found;
        this.add(sealedCopy({ ...call, organizationId, applicationId, from: null, to: null, version: null }));
      }
    }
  }

  list({ organizationId, appointmentId, from, to, pageNumber, pageSize }: AuditQuery): Listed<AuditEntry> {
    const all = [...(this.#byOrganization.get(organizationId)?.entries.values() ?? [])]
      .filter((entry) => appointmentId === undefined || entry.appointmentId === appointmentId)
      .filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at < to))
      .sort((one, other) => other.at - one.at || byId(other, one));
    return { items: all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize), total: all.length };
  }

  unsealed(limit: number, after = ''): UnsealedAudit | undefined {
    const inOrder = [...this.#byOrganization].sort(([one], [other]) => compareText(one, other));
    for (const [organizationId, { unsealed, seals }] of inOrder) {
      if (unsealed.size === 0 || compareText(organizationId, after) <= 0) continue;
      const entries = [...unsealed.values()].sort(byId).slice(0, limit);
      return { organizationId, entries, lastSeal: seals.at(-1) };
    }
    return undefined;
  }

  seal(given: AuditSeal): boolean {
    const seal = sealedCopy(given);
    const { seals, unsealed } = this.#recordOf(seal.organizationId);
    if (seal.number !== seals.length + 1 || !seal.entryIds.every((id) => unsealed.has(id))) return false;
    seals.push(seal);
    for (const id of seal.entryIds) unsealed.delete(id);
    return true;
  }

  seals(organizationId: string, fromNumber: number, limit: number): readonly SealedAudit[] {
    const record = this.#byOrganization.get(organizationId);
    if (record === undefined) return [];
    return record.seals
      .filter(({ number }) => number >= fromNumber)
      .slice(0, limit)
      .map((seal) => ({ seal, entries: seal.entryIds.flatMap((id) => record.entries.get(id) ?? []) }));
  }

  countUnsealed(organizationId: string): number {
    return this.#byOrganization.get(organizationId)?.unsealed.size ?? 0;
  }

  #recordOf(organizationId: string): Record {
    const found = this.#byOrganization.get(organizationId);
    if (found !== undefined) return found;
    const made: Record = { entries: new Map(), unsealed: new Map(), seals: [] };
    this.#byOrganization.set(organizationId, made);
    return made;
  }
}
