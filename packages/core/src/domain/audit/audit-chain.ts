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
  previous: Pick<AuditSeal, 'number' | 'hash'> | undefined,
  seal: AuditSeal,
  entries: readonly AuditEntry[],
): boolean {
  if (seal.number !== (previous?.number ?? 0) + 1 || seal.entryIds.length !== entries.length) return false;
  if (entries.some(({ id }, index) => id !== seal.entryIds[index])) return false;
  return isSame(sealHash(key, previous, seal.number, entries), seal.hash);
}

/**
 * What a seal says once retention has removed its entries and everything before it: keyed like a seal, so that anyone who can
 * write to the database only cannot cut off the beginning of the record.
 */
export function anchorHash(key: Uint8Array, { organizationId, number, hash }: Anchored): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['anchor', organizationId, number, hash]))
    .digest('base64url');
}

/** Tells whether the record may begin behind this seal. */
export function anchors(key: Uint8Array, seal: AuditSeal, anchor: string): boolean {
  return isSame(anchorHash(key, seal), anchor) && seal.entryIds.length === 0;
}

type Anchored = Pick<AuditSeal, 'organizationId' | 'number' | 'hash'>;

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
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
