import { errorCodes, isIdText, isSafeText, isWellFormedId, limits } from '@calends/model';
import { type Caller, callerFault, hasRole, requireWholeOrganization } from '../../domain/calls/caller.js';
import { type AskedPage, type Page, pageOf, readPage, readWindow, storedPage } from '../page.js';
import type { SecurityEvent } from '../../domain/audit/security-event.js';
import { type AuditEntry, auditProofs, type AuditSeal } from '../../domain/audit/audit-entry.js';
import { auditedOperations } from '../../domain/operation-table.js';
import type { RefusedCall } from '../refusal-log.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { chainKeys, follows } from '../../keys/chain-keys.js';
import { readInput } from '../../domain/calls/input.js';
import { fieldsOf } from '../../support/host-answers.js';
import type { UseCaseContext } from '../context.js';

/** Which part of the audit record to list. */
export interface ListAuditQuery extends Omit<AskedPage<never>, 'sortField' | 'sortOrder'> {
  readonly appointmentId?: string | undefined;
  /** ISO 8601; `from ≤ at < to`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What checking the hash chain found. */
export interface AuditVerification {
  /** False when a sealed entry was changed, removed or slipped in, or a seal does not follow from the one before. */
  readonly intact: boolean;
  /** Number of the first seal that does not hold. */
  readonly brokenSeal?: number | undefined;
  /** Number of the last seal that holds. */
  readonly seals: number;
  /** How many of the first seals retention has removed with their entries; absent = none. */
  readonly removedSeals?: number | undefined;
  /** Entries under the seals that hold, as far as they are kept. */
  readonly entries: number;
  /** Entries that wait for their seal. */
  readonly unsealed: number;
  /** Hash of the last seal that holds; kept elsewhere, it tells later whether the end of the record was cut off. */
  readonly head?: string | undefined;
}

/** The audit record: who did or tried what, when, with which proof. */
export interface AuditOperations {
  /**
   * A page of the record of the caller's organization, latest first; supervisors whose token covers every application only,
   * else `forbidden`.
   */
  list(caller: Caller, query?: ListAuditQuery): Promise<Page<AuditEntry, 'at'>>;
  /** Checks the hash chain of the caller's organization; for whom `list` is, else `forbidden`. */
  verify(caller: Caller): Promise<AuditVerification>;
  /**
   * Notes a call that was refused, if its appointment is known, or else its application. Returns at once; the entries of a short while are
   * written together, a flood of them is cut off and counted; what says less or other than it must is told (`auditRefusalsDropped`).
   */
  refused(call: RefusedCall): void;
  /** Tells observers of an event that an adapter noticed; returns at once, never throws. */
  noticed(event: SecurityEvent): void;
}

/** Seals that are checked at a time. */
const sealsAtATime = 50;

const isOneOf = (all: readonly string[]) => (value: unknown) => all.some((one) => one === value);
const orAbsent = (rule: (value: unknown) => boolean) => (value: unknown) => value === undefined || rule(value);

/** What an adapter must say of a refused call: lines are written together, and one that no table takes would take the others with it. */
const refusalRules = Object.entries({
  appointmentId: orAbsent((value) => typeof value === 'string'),
  organizationId: orAbsent((value) => isIdText(value, limits.organizationId)),
  applicationId: orAbsent((value) => isIdText(value, limits.id)),
  operation: isOneOf(auditedOperations),
  outcome: isOneOf(errorCodes),
  caller: orAbsent((value) => callerFault(value) === undefined),
  proof: isOneOf(auditProofs),
  requestId: (value) => typeof value === 'string' && isSafeText(value),
} satisfies Readonly<Record<keyof RefusedCall, (value: unknown) => boolean>>);

/** The operations on the audit record. */
export function auditOperations(context: UseCaseContext): AuditOperations {
  const { store, keys, audit, observer } = context;
  return {
    refused: (call) => {
      const fields = fieldsOf(call);
      const [wrong] = refusalRules.find(([name, isRight]) => !isRight(fields[name])) ?? [];
      if (wrong === undefined) {
        audit.refused(call);
        return;
      }
      const error = new TypeError(`audit.refused: ${wrong} is not what it must be`);
      observer.observe({ type: 'auditRefusalsDropped', count: 1, error });
    },
    noticed: (event) => {
      observer.observe({ type: 'security', ...event });
    },
    list: async (caller, query = {}) => {
      requireSupervisor(caller);
      const { page, window } = readInput((issues) => ({
        page: readPage(query, ['at'], { field: 'at', order: 'desc' }, issues),
        window: readWindow(query, issues),
      }));
      const { appointmentId } = query;
      const { organizationId } = caller;
      // What can be no id of an appointment has no entries, and is nothing that each store could look for.
      if (appointmentId !== undefined && !isWellFormedId(appointmentId)) return pageOf({ items: [], total: 0 }, page);
      const { pageNumber, pageSize } = storedPage(page);
      const listed = await store.audit.list({ organizationId, appointmentId, ...window, pageNumber, pageSize });
      return pageOf(listed, page);
    },
    verify: async (caller) => {
      requireSupervisor(caller);
      const { organizationId } = caller;
      const keysOf = chainKeys(keys, await store.keys.list());
      let last: AuditSeal | undefined;
      let [entries, removedSeals] = [0, 0];
      let [intact, isLast, isSecondLook] = [true, false, false];
      while (!isLast) {
        const next = await store.audit.listSeals(organizationId, (last?.number ?? 0) + 1, sealsAtATime);
        isLast = next.length < sealsAtATime;
        for (const sealed of next) {
          intact = follows(keysOf, last, sealed);
          if (!intact) break;
          isSecondLook = false;
          last = sealed.seal;
          if (last.anchor !== undefined) removedSeals = last.number;
          entries += sealed.entries.length;
        }
        if (intact) continue;
        // What retention removes between two statements looks like a fault, once.
        isLast = isSecondLook;
        isSecondLook = true;
      }
      const unsealed = await store.audit.countUnsealed(organizationId);
      const seals = last?.number ?? 0;
      const removed = removedSeals === 0 ? undefined : { removedSeals };
      const found = { intact, seals, entries, unsealed, head: last?.hash, ...removed };
      return intact ? found : { ...found, brokenSeal: seals + 1 };
    },
  };
}

function requireSupervisor(caller: Caller): void {
  if (!hasRole(caller, 'ROLE_SUPERVISOR')) {
    throw new CalendsError('forbidden', 'The audit record is for supervisors.');
  }
  requireWholeOrganization(caller);
}
