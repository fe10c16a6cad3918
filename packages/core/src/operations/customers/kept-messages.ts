import { payloadOf } from '../../delivery/step.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { type Caller, mayUseApplication } from '../../domain/calls/caller.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { UseCaseContext } from '../context.js';
import type { CustomerSelection } from './commands.js';
import { readSelection, selectedAtATime } from './selection.js';

/** A customer of whom only a message is left: the record was removed, and that it was is still to be told. */
export interface KeptCustomer {
  readonly profile: CustomerProfile;
  /** The last state of the record. */
  readonly appointment: Appointment;
}

/** The customers of a selection of whom only messages are left, each once, as far as the caller's token covers them; without those whose messages were taken back while they were sent. */
export async function keptCustomers(
  { store }: UseCaseContext,
  caller: Caller,
  selection: CustomerSelection,
): Promise<readonly KeptCustomer[]> {
  const { organizationId } = caller;
  const { appointmentId, isSelected } = readSelection(selection);
  const found = new Map<string, KeptCustomer>();
  let after: string | undefined;
  for (;;) {
    const search = { organizationId, appointmentId, after, limit: selectedAtATime };
    const page = await store.notifications.listKept(search);
    for (const notification of page) {
      const { customer: profile, appointment } = payloadOf(notification);
      if (profile === undefined || appointment === undefined || !isSelected(profile)) continue;
      if (notification.cancelRequestedAt !== undefined || !mayUseApplication(caller, notification.applicationId))
        continue;
      found.set(JSON.stringify([profile.appointmentId, profile.participantId]), { profile, appointment });
    }
    if (page.length < selectedAtATime) return [...found.values()];
    after = page.at(-1)?.id;
  }
}
