import type { CallOptions } from '../appointments/commands.js';
import type { Caller } from '../caller.js';
import { CalendsError } from '../errors.js';
import { changeAppointment } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import type { CustomerOperations } from './customer-operations.js';
import { requireDataRights, selectedProfiles } from './customer-selection.js';
import { withoutPersonalData } from './personal-data.js';
import type { CustomerProfile } from './profile.js';

/** Removes the personal data of customers (decisions, section 9; D57). */
export function eraseCustomer(context: UseCaseContext): CustomerOperations['erase'] {
  return async (caller, selection, options) => {
    requireDataRights(caller);
    let erased = 0;
    for (;;) {
      const held = (await selectedProfiles(context, caller, selection)).filter(({ removal }) => removal === undefined);
      if (held.length === 0) return erased;
      let now = 0;
      for (const [appointmentId, profiles] of byAppointment(held)) {
        now += await eraseIn(context, caller, appointmentId, profiles, options);
      }
      erased += now;
      // Whatever another call does meanwhile, this one must not look at the same profiles for ever.
      if (now === 0) return erased;
    }
  };
}

/** Erases in one appointment, which may be in any state; answers for how many customers. */
async function eraseIn(
  context: UseCaseContext,
  caller: Caller,
  appointmentId: string,
  selected: readonly CustomerProfile[],
  options: CallOptions | undefined,
): Promise<number> {
  const { organizationId } = caller;
  const ids = new Set(selected.map(({ participantId }) => participantId));
  let erased = 0;
  try {
    await changeAppointment(context, {
      organizationId,
      id: appointmentId,
      caller,
      operation: 'eraseCustomer',
      options: { correlationId: options?.correlationId },
      decide: async ({ appointment, now }) => {
        const present = await context.store.listCustomers(organizationId, appointmentId);
        const profiles = present.filter(({ participantId }) => ids.has(participantId));
        const decision = withoutPersonalData({ appointment, profiles, reason: 'PDM_ERASED', at: now });
        erased = decision?.customers?.length ?? 0;
        return decision;
      },
    });
  } catch (error) {
    // The record was removed meanwhile, and the profiles with it.
    if (CalendsError.is(error) && error.code === 'not_found') return 0;
    throw error;
  }
  return erased;
}

function byAppointment(profiles: readonly CustomerProfile[]): ReadonlyMap<string, readonly CustomerProfile[]> {
  const groups = new Map<string, CustomerProfile[]>();
  for (const profile of profiles) {
    const group = groups.get(profile.appointmentId);
    if (group === undefined) groups.set(profile.appointmentId, [profile]);
    else group.push(profile);
  }
  return groups;
}
