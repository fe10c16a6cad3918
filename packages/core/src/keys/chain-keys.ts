import type { AuditSeal } from '../domain/audit/audit-entry.js';
import { anchorHash, anchors, holds } from '../domain/audit/audit-chain.js';
import type { SealedAudit } from '../ports/store/audit.js';
import type { NamedKey } from '../ports/store/keys.js';
import type { KeyRing } from './key-ring.js';
import { keptAuditKey } from './kept-audit.js';

/** The keys that a seal or an anchor may have been made with, by the id of the secret; absent = made before keys had ids. */
export type ChainKeys = (keyId: string | undefined) => readonly Uint8Array[];

/** The keys of the audit chain: of the secrets that are listed, and of those that are retired. */
export function chainKeys(keys: KeyRing, named: readonly NamedKey[]): ChainKeys {
  const retired = named.filter(({ keptAudit }) => keptAudit !== undefined);
  return (keyId) => {
    const kept = retired.filter(({ id }) => keyId === undefined || id === keyId);
    const listed = kept.length > 0 && keyId !== undefined ? [] : keys.candidates(keyId);
    return [...listed.map((key) => key.derive('audit-chain')), ...kept.flatMap((key) => keptAuditKey(key, keys) ?? [])];
  };
}

/** Makes a seal the beginning of the record, under the key that signs now. */
export function anchorOf({ current }: KeyRing, seal: AuditSeal): string {
  return `${current.id}.${anchorHash(current.derive('audit-chain'), seal)}`;
}

/** Tells whether a seal holds behind the one before it, or as the beginning that retention has left. */
export function follows(
  keysOf: ChainKeys,
  previous: Pick<AuditSeal, 'number' | 'hash'> | undefined,
  { seal, entries }: SealedAudit,
): boolean {
  const { anchor, keyId } = seal;
  if (anchor === undefined) return keysOf(keyId).some((key) => holds(key, previous, seal, entries));
  // Keys have short ids of base64url, which has no dot.
  const [anchorKeyId = '', hash = ''] = anchor.split('.', 2);
  return entries.length === 0 && keysOf(anchorKeyId).some((key) => anchors(key, seal, hash));
}
