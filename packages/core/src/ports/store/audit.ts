import type { Instant } from '@calends/model';
import type { AuditEntry, AuditRefusal, AuditSeal } from '../../domain/audit/audit-entry.js';
import type { Listed, PageRequest } from './appointments.js';

/** Which part of the audit record to read. */
export interface AuditQuery extends Omit<PageRequest<never>, 'sortField' | 'sortOrder'> {
  readonly organizationId: string;
  readonly appointmentId?: string | undefined;
  /** `from ≤ at < to`. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

/** Entries of one organization that no seal covers, and the last seal. */
export interface UnsealedAudit {
  readonly organizationId: string;
  /** By id, ascending. */
  readonly entries: readonly AuditEntry[];
  readonly lastSeal: AuditSeal | undefined;
}

/** A seal with what it covers, as it is found now. */
export interface SealedAudit {
  readonly seal: AuditSeal;
  /** By id, ascending; shorter than `seal.entryIds` when entries are missing. */
  readonly entries: readonly AuditEntry[];
}

/** The audit record of a store; no method changes or removes an entry, but for {@link RetentionStore.trimAudit}. */
export interface AuditStore {
  /**
   * Appends refused calls, each only for an appointment that exists (in that organization, where one is named); those on no
   * appointment as they are, in the organization and application that they name. Writes none, and rejects with a `StoreError`, when a line
   * with the id and the `at` of one of them stands in its organization already.
   */
  recordRefusals(refusals: readonly AuditRefusal[]): Promise<void>;

  /** A page of the record, latest first (`at`, then `id`), and how many entries there are in all. */
  list(query: AuditQuery): Promise<Listed<AuditEntry>>;

  /**
   * Unsealed entries of the first organization, by id, that comes after `after` and has any; at most `limit` of them.
   * `undefined` = there is none.
   */
  unsealed(limit: number, after?: string): Promise<UnsealedAudit | undefined>;

  /**
   * Appends a seal in one atomic step; answers false, and writes nothing, when it is not the next of its organization, or
   * one of its entries is unknown, sealed, or named twice.
   */
  seal(seal: AuditSeal): Promise<boolean>;

  /** Seals in order with their entries, from `fromNumber` on, at most `limit`. */
  listSeals(organizationId: string, fromNumber: number, limit: number): Promise<readonly SealedAudit[]>;

  /** How many entries of the organization no seal covers. */
  countUnsealed(organizationId: string): Promise<number>;
}
