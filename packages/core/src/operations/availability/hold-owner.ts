import { lastInstant } from '@calends/model';
import type { Caller } from '../../domain/calls/caller.js';
import { limitedSource } from '../../limiting/request-limiter.js';
import type { LimitGuard } from '../../ports/store/commit.js';
import type { UseCaseContext } from '../context.js';
import type { Asker } from './asker.js';
import type { Visitor } from './commands.js';

/** Whose holds are counted together, and how many they may have at once. */
export interface HoldOwner {
  /** Keyed hash, under the first key. */
  readonly key: string;
  /** The same under the other keys of the process (D67). */
  readonly formerKeys: readonly string[];
  readonly max: number;
}

const maxHolds = { staff: 50, customer: 2 } as const;

/** Who holds: staff by id, a customer by what they proved, a visitor by the address. */
export function holdOwner(
  { holdTokens }: UseCaseContext,
  { organizationId, caller, proof, appointment }: Asker,
  by: Caller | Visitor,
): HoldOwner {
  const ownerOf = (max: number, ...parts: readonly string[]): HoldOwner => {
    const [key = '', ...formerKeys] = holdTokens.ownerKeys(organizationId, ...parts);
    return { key, formerKeys, max };
  };
  if (proof !== undefined) {
    return ownerOf(maxHolds.customer, 'customer', appointment?.id ?? '', proof.participantId ?? '');
  }
  if (caller !== undefined) return ownerOf(maxHolds.staff, 'caller', caller.id);
  // One of the public, with a token of whatever organization: an id is of one person in its own only.
  if (!('clientAddress' in by)) return ownerOf(maxHolds.customer, 'login', by.organizationId, by.id);
  const source = limitedSource(by.clientAddress);
  // Behind an address of nobody in particular, such as that of a proxy, there are many.
  return ownerOf(source === undefined ? maxHolds.staff : maxHolds.customer, 'address', source ?? '');
}

/** Counts all that one holds, whatever its time. */
export const ownerLimit = ({ key, max }: HoldOwner): LimitGuard => ({
  actorId: key,
  window: { from: 0, to: lastInstant + 1 },
  max,
});
