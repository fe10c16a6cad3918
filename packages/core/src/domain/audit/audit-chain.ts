import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditEntry, AuditSeal } from './audit-entry.js';

/**
 * Hash of a seal: keyed by the host's secret, so that anyone who can write to the database only cannot make one, over the
 * seal before it and everything that its entries say.
 */
export function sealHash(
  key: Uint8Array,
  previous: Pick<AuditSeal, 'hash'> | undefined,
  number: number,
  entries: readonly AuditEntry[],
): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([previous?.hash ?? '', number, entries.map(canonical)]))
    .digest('base64url');
}

/** Tells whether a seal follows from the one before it and covers just these entries. */
export function holds(
  key: Uint8Array,
  previous: AuditSeal | undefined,
  seal: AuditSeal,
  entries: readonly AuditEntry[],
): boolean {
  if (seal.number !== (previous?.number ?? 0) + 1 || seal.entryIds.length !== entries.length) return false;
  if (entries.some(({ id }, index) => id !== seal.entryIds[index])) return false;
  const expected = Buffer.from(sealHash(key, previous, seal.number, entries));
  const found = Buffer.from(seal.hash);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** Every field in a fixed order: two entries that differ give different strings. */
function canonical(entry: AuditEntry): readonly unknown[] {
  const { actor } = entry;
  return [
    entry.id,
    entry.organizationId,
    entry.applicationId,
    // Programs that know no entries without an appointment read them like this, and seal them.
    entry.appointmentId ?? '',
    entry.at,
    actor === null ? null : [actor.id, actor.type, actor.role],
    entry.proof,
    entry.operation,
    entry.from,
    entry.to,
    entry.version,
    entry.requestId,
    entry.outcome,
  ];
}
