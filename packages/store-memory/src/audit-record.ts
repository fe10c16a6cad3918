import {
  type AuditEntry,
  type AuditQuery,
  type AuditRefusal,
  type AuditSeal,
  type AuditTrim,
  compareText,
  type Listed,
  type SealedAudit,
  StoreError,
  type UnsealedAudit,
} from '@calends/core/store';
import type { Appointments } from './appointments.js';
import { compositeKey, entry } from './maps.js';
import { OrganizationAudit } from './organization-audit.js';
import { sealedCopy } from './sealed-copy.js';
import { SortedList } from './sorted-list.js';

const nothing = new OrganizationAudit();

/** The lines that a refused call leaves: one for each appointment of its id that it can mean. */
function linesOf(appointments: Appointments, refusal: AuditRefusal): readonly AuditEntry[] {
  const { organizationId: named, applicationId: tried, appointmentId, ...rest } = refusal;
  if (appointmentId === undefined) {
    if (named === undefined || tried === undefined) return [];
    const on = { organizationId: named, applicationId: tried };
    return [sealedCopy<AuditEntry>({ ...rest, ...on, from: null, to: null, version: null })];
  }
  const call = { ...rest, appointmentId };
  const organizations = named === undefined ? appointments.organizationsWith(appointmentId) : [named];
  return organizations.flatMap((organizationId) => {
    const found = appointments.of(organizationId).find(appointmentId)?.appointment;
    if (found === undefined) return [];
    const { applicationId } = found;
    return [sealedCopy<AuditEntry>({ ...call, organizationId, applicationId, from: null, to: null, version: null })];
  });
}

/** The audit record of all organizations. */
export class AuditRecord {
  readonly #organizations = new Map<string, OrganizationAudit>();
  /** Organizations with lines that no seal covers. */
  readonly #unsealed = new SortedList(compareText);

  /** Throws when one of the lines stands already, or twice among them. */
  check(entries: readonly AuditEntry[]): void {
    const keys = entries.map(({ organizationId, id }) => compositeKey(organizationId, id));
    const stands = ({ organizationId, id }: AuditEntry): boolean => this.#of(organizationId).has(id);
    if (new Set(keys).size < keys.length || entries.some(stands)) {
      throw new StoreError('unexpected', 'An audit entry with the id of one of these is stored already.');
    }
  }

  /** Adds lines that {@link check} has let through. */
  add(entries: readonly AuditEntry[]): void {
    for (const line of entries) {
      const { organizationId } = line;
      const record = entry(this.#organizations, organizationId, () => new OrganizationAudit());
      if (record.unsealedCount === 0) this.#unsealed.add(organizationId);
      record.add(line);
    }
  }

  addRefusals(appointments: Appointments, refusals: readonly AuditRefusal[]): void {
    const entries = refusals.flatMap((refusal) => linesOf(appointments, refusal));
    this.check(entries);
    this.add(entries);
  }

  list(query: AuditQuery): Listed<AuditEntry> {
    return this.#of(query.organizationId).list(query);
  }

  unsealed(limit: number, after = ''): UnsealedAudit | undefined {
    const before = this.#unsealed.countWhile((organizationId) => compareText(organizationId, after) <= 0);
    const [organizationId] = this.#unsealed.slice(before, before + 1);
    if (organizationId === undefined) return undefined;
    const record = this.#of(organizationId);
    return { organizationId, entries: record.unsealed(limit), lastSeal: record.lastSeal };
  }

  seal(given: AuditSeal): boolean {
    const seal = sealedCopy(given);
    const record = this.#organizations.get(seal.organizationId);
    if (record?.seal(seal) !== true) return false;
    if (record.unsealedCount === 0) this.#unsealed.remove(seal.organizationId);
    return true;
  }

  seals(organizationId: string, fromNumber: number, limit: number): readonly SealedAudit[] {
    return this.#of(organizationId).seals(fromNumber, limit);
  }

  nextSealed(after: string): AuditSeal | undefined {
    const later = [...this.#organizations.keys()].filter((each) => compareText(each, after) > 0).sort(compareText);
    return later.map((each) => this.#of(each).firstSealed).find((seal) => seal !== undefined);
  }

  trim({ organizationId, upTo, anchor }: AuditTrim): boolean {
    return this.#of(organizationId).trim(upTo, anchor);
  }

  countUnsealed(organizationId: string): number {
    return this.#of(organizationId).unsealedCount;
  }

  #of(organizationId: string): OrganizationAudit {
    return this.#organizations.get(organizationId) ?? nothing;
  }
}
