import type { Caller } from '../caller.js';
import type { ErrorCode } from '../errors.js';
import type { Page } from '../page.js';
import type { SecurityEvent } from './security-event.js';
import type { AuditEntry, AuditOperation, AuditProof } from './audit-entry.js';

/** Which part of the audit record to list. */
export interface ListAuditQuery {
  readonly appointmentId?: string | undefined;
  /** ISO 8601; `from ≤ at < to`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** 1-based, default 1. */
  readonly pageNumber?: number | undefined;
  /** 1 to 100, default 20. */
  readonly pageSize?: number | undefined;
}

/** What checking the hash chain found. */
export interface AuditVerification {
  /** False when a sealed entry was changed, removed or slipped in, or a seal does not follow from the one before. */
  readonly intact: boolean;
  /** Number of the first seal that does not hold. */
  readonly brokenSeal?: number | undefined;
  readonly seals: number;
  /** Entries under the seals that hold. */
  readonly entries: number;
  /** Entries that wait for their seal. */
  readonly unsealed: number;
  /** Hash of the last seal that holds; kept elsewhere, it tells later whether the end of the record was cut off. */
  readonly head?: string | undefined;
}

/** A call that an adapter refused before it reached an operation. */
export interface RefusedCall {
  /** Absent where the call was on no appointment; then `organizationId` and `applicationId` say whose record it is. */
  readonly appointmentId?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly operation: AuditOperation;
  /** Why it was refused. */
  readonly outcome: ErrorCode;
  /** Absent where the credentials told nobody. */
  readonly caller?: Caller | undefined;
  readonly proof: AuditProof;
  readonly requestId: string;
}

/** The audit record: who did or tried what, when, with which proof. */
export interface AuditOperations {
  /** A page of the record of the caller's organization, latest first; supervisors only, else `forbidden`. */
  list(caller: Caller, query?: ListAuditQuery): Promise<Page<AuditEntry, 'at'>>;
  /** Checks the hash chain of the caller's organization; supervisors only, else `forbidden`. */
  verify(caller: Caller): Promise<AuditVerification>;
  /**
   * Notes a call that was refused, if its appointment is known, or else its application. Returns at once; the entries of a short while are
   * written together, a flood of them is cut off and counted.
   */
  refused(call: RefusedCall): void;
  /** Tells observers of an event that an adapter noticed; returns at once, never throws. */
  noticed(event: SecurityEvent): void;
}
