import type { Instant } from '@calends/model';
import type { UseCaseContext } from '../operations/context.js';
import { anchorOf, chainKeys, follows } from '../keys/chain-keys.js';
import type { SealedAudit } from '../ports/store/audit.js';
import type { RetentionStep, RetentionStore } from '../ports/store/retention.js';

type TrimContext = Pick<UseCaseContext, 'store' | 'keys' | 'observer'>;

/** A step, and whether it left something behind that is old enough to go. */
export interface TrimStep extends RetentionStep {
  readonly leftBehind?: boolean | undefined;
}

/** Seals that are read in one step; a full one has 500 entries. */
const sealsAtATime = 20;

/**
 * Removes the beginning of the audit record of one organization, as far as it was sealed before a time: one step of a round
 * over all of them. The last seal that goes stays as the anchor of those behind it.
 *
 * What does not hold is never removed, nor what follows it: it is what somebody will want to look at.
 */
export async function trimAudit(
  { store, keys, observer }: TrimContext,
  retention: RetentionStore,
  { before, limit, after }: { readonly before: Instant; readonly limit: number; readonly after?: string | undefined },
): Promise<TrimStep> {
  const first = await retention.nextSealed(after);
  if (first === undefined) return { removed: 0 };
  const { organizationId } = first;
  const nextOrganization = { removed: 0, next: [organizationId] };
  if (first.sealedAt >= before) return nextOrganization;
  const keysOf = chainKeys(keys, await store.keys.list());
  const found = await store.audit.listSeals(organizationId, 1, sealsAtATime);
  let previous: SealedAudit | undefined;
  let removed = 0;
  let leftBehind = false;
  for (const sealed of found) {
    const { seal, entries } = sealed;
    if (seal.sealedAt >= before || (removed > 0 && removed + entries.length > limit)) break;
    if (!follows(keysOf, previous?.seal, sealed)) {
      // A process that hung longer than its turn lasted finds seals whose entries another one has removed meanwhile.
      if ((await retention.nextSealed(after))?.hash !== first.hash) return nextOrganization;
      const error = new Error(
        `Seal ${String(seal.number)} of an audit record does not hold: nothing from there on is removed.`,
      );
      observer.observe({ type: 'workerFailed', job: 'retention', error });
      leftBehind = true;
      break;
    }
    previous = sealed;
    removed += entries.length;
  }
  if (previous === undefined || previous.seal.anchor !== undefined) return { ...nextOrganization, leftBehind };
  const upTo = previous.seal.number;
  const trimmed = await retention.trimAudit({ organizationId, upTo, anchor: anchorOf(keys, previous.seal) });
  // The same organization again, until nothing of it is old.
  return trimmed ? { removed, next: after === undefined ? [] : [after] } : nextOrganization;
}
