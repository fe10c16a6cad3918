import type { TimeReason } from '../errors.js';
import type { OverlapGuard } from '../ports/commit.js';
import { actorsOf } from './actor-index.js';
import type { Appointment } from './appointment.js';

/** What stands in the way of a time, as far as its reader may know. */
export interface TakenTime {
  readonly guard: Pick<OverlapGuard, 'actorIds'>;
  /** The appointments in the way that the reader may see. */
  readonly visible: readonly Appointment[];
  /** True = there are others, which the reader may not see or which are gone by now. */
  readonly hasOthers: boolean;
}

/**
 * Why a time is taken, never empty for a time that is (D75): one reason for each visible appointment and agent in the way; then, once, the bare code
 * for everything else.
 *
 * A customer is not named: the guard knows customers by a hash of who they are. A reason without `actorId` also stands for
 * an appointment that changed since and is in nobody's way any more.
 */
export function busyReasons({ guard, visible, hasOthers }: TakenTime): readonly TimeReason[] {
  const guarded = new Set(guard.actorIds);
  const reasons = visible.flatMap((appointment): readonly TimeReason[] => {
    const inTheWay = actorsOf(appointment).filter(({ actorId }) => guarded.has(actorId));
    const agents = new Set(inTheWay.flatMap(({ actorId, relation }) => (relation === 'CUSTOMER' ? [] : actorId)));
    const unnamed = agents.size === 0 || inTheWay.some(({ relation }) => relation === 'CUSTOMER');
    const busy = { code: 'BUSY', appointmentId: appointment.id } as const;
    return [...Array.from(agents, (actorId) => ({ ...busy, actorId })), ...(unnamed ? [busy] : [])];
  });
  return hasOthers ? [...reasons, { code: 'BUSY' }] : reasons;
}
