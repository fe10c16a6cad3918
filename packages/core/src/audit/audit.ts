import { parseInstant } from '../appointments/instant.js';
import { type Caller, hasRole } from '../caller.js';
import { CalendsError } from '../errors.js';
import { keptAuditKey } from '../keys/kept-audit.js';
import { InputIssues } from '../input.js';
import { pageOf, readPage } from '../page.js';
import type { UseCaseContext } from '../use-case/context.js';
import { holds } from './audit-chain.js';
import type { AuditSeal } from './audit-entry.js';
import type { AuditOperations } from './audit-operations.js';

/** Seals that are checked at a time. */
const sealsAtATime = 50;

/** The operations on the audit record. */
export function auditOperations(context: UseCaseContext): AuditOperations {
  const { store, keys, audit, observer } = context;
  return {
    refused: (call) => {
      audit.refused(call);
    },
    noticed: (event) => {
      observer.observe({ type: 'security', ...event });
    },
    list: async (caller, query = {}) => {
      requireSupervisor(caller);
      const issues = new InputIssues();
      const page = readPage(query, ['at'], { field: 'at', order: 'desc' }, issues);
      const from = readBound('/from', query.from, issues);
      const to = readBound('/to', query.to, issues);
      if (from !== undefined && to !== undefined && from >= to)
        issues.add('/to', 'invalid_value', 'Must be after from.');
      issues.throwIfAny();
      const { appointmentId } = query;
      const { organizationId } = caller;
      const { pageNumber, pageSize } = page;
      const listed = await store.listAudit({ organizationId, appointmentId, from, to, pageNumber, pageSize });
      return pageOf(listed.items, listed.total, page);
    },
    verify: async (caller) => {
      requireSupervisor(caller);
      const { organizationId } = caller;
      const retired = (await store.listKeys()).filter(({ keptAudit }) => keptAudit !== undefined);
      const chainKeysOf = (keyId: string | undefined): readonly Uint8Array[] => {
        const kept = retired.filter(({ id }) => keyId === undefined || id === keyId);
        const listed = kept.length > 0 && keyId !== undefined ? [] : keys.candidates(keyId);
        return [
          ...listed.map((key) => key.derive('audit-chain')),
          ...kept.flatMap((key) => keptAuditKey(key, keys) ?? []),
        ];
      };
      let last: AuditSeal | undefined;
      let entries = 0;
      for (;;) {
        const next = await store.listSeals(organizationId, (last?.number ?? 0) + 1, sealsAtATime);
        for (const { seal, entries: covered } of next) {
          if (!chainKeysOf(seal.keyId).some((key) => holds(key, last, seal, covered))) {
            const unsealed = await store.countUnsealedAudit(organizationId);
            const found = { seals: last?.number ?? 0, entries, unsealed, head: last?.hash };
            return { intact: false, brokenSeal: (last?.number ?? 0) + 1, ...found };
          }
          last = seal;
          entries += covered.length;
        }
        if (next.length < sealsAtATime) break;
      }
      const unsealed = await store.countUnsealedAudit(organizationId);
      return { intact: true, seals: last?.number ?? 0, entries, unsealed, head: last?.hash };
    },
  };
}

function requireSupervisor(caller: Caller): void {
  if (!hasRole(caller, 'ROLE_SUPERVISOR')) {
    throw new CalendsError('forbidden', 'The audit record is for supervisors.');
  }
}

function readBound(pointer: string, text: string | undefined, issues: InputIssues): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) issues.add(pointer, 'invalid_format', 'Must be ISO 8601 with a zone.');
  return instant;
}
