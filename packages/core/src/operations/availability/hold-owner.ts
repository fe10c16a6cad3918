import { lastInstant } from '@calends/model';
import type { Caller } from '../../domain/calls/caller.js';
import { limitedSource } from '../../limiting/request-limiter.js';
import type { LimitGuard } from '../../ports/store/commit.js';
import type { UseCaseContext } from '../context.js';
import type { Asker } from './asker.js';
import type { Visitor } from './commands.js';

/** Whose holds are counted together, and how many they may have at once. */
export interface HoldOwner {
  /** Keyed hash. */
  readonly key: string;
  readonly max: number;
}

const maxHolds = { staff: 50, customer: 2 } as const;

/** Who holds: staff by id, a customer by what they proved, a visitor by the address. */
export function holdOwner(
  { holdTokens }: UseCaseContext,
  { organizationId, caller, proof, appointment }: Asker,
  by: Caller | Visitor,
): HoldOwner {
  const keyOf = (...parts: readonly string[]): string => holdTokens.ownerKey(organizationId, ...parts);
  if (proof !== undefined) {
    return { key: keyOf('customer', appointment?.id ?? '', proof.participantId ?? ''), max: maxHolds.customer };
  }
  if (caller !== undefined) return { key: keyOf('caller', caller.id), max: maxHolds.staff };
  if (!('clientAddress' in by)) return { key: keyOf('customer', by.id), max: maxHolds.customer };
  const source = limitedSource(by.clientAddress);
  // Behind an address of nobody in particular, such as that of a proxy, there are many.
  return { key: keyOf('address', source ?? ''), max: source === undefined ? maxHolds.staff : maxHolds.customer };
}

/** Counts all that one holds, whatever its time. */
export const ownerLimit = ({ key, max }: HoldOwner): LimitGuard => ({
  actorId: key,
  window: { from: 0, to: lastInstant + 1 },
  max,
});
