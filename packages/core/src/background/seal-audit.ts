import { seconds } from '@calends/model';
import type { UseCaseContext } from '../operations/context.js';
import { sealHash } from '../domain/audit/audit-chain.js';

/** Entries under one seal. */
const maxUnderOneSeal = 500;
/** Fewer entries wait this long for company, so that a quiet organization has few seals. */
const waitFor = seconds(5);
const maxRounds = 100;

/**
 * Seals what the audit record has gained; several processes may do so at once. One that loses the race for a number finds
 * the rest in its next round.
 *
 * @param after the organization behind which it begins
 * @returns where the next call is to begin when this one came not through all organizations
 */
export async function sealAudit({ store, clock, keys }: UseCaseContext, after?: string): Promise<string | undefined> {
  const { id: keyId } = keys.current;
  for (let round = 0; round < maxRounds; round += 1) {
    const unsealed = await store.audit.unsealed(maxUnderOneSeal, after);
    if (unsealed === undefined) return undefined;
    const { organizationId, entries, lastSeal } = unsealed;
    const now = clock.now();
    const oldest = entries.reduce((earliest, { at }) => Math.min(earliest, at), Infinity);
    const isFull = entries.length === maxUnderOneSeal;
    // The next organization has its turn, however busy this one is.
    if (!isFull) after = organizationId;
    if (!isFull && oldest > now - waitFor) continue;
    const number = (lastSeal?.number ?? 0) + 1;
    await store.audit.seal({
      organizationId,
      number,
      entryIds: entries.map(({ id }) => id),
      hash: sealHash(keys.current.derive('audit-chain'), lastSeal, number, entries),
      keyId,
      sealedAt: now,
    });
  }
  return after;
}
