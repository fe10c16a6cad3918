import type { Appointment, Participant } from '../domain/appointments/appointment.js';
import type { CustomerProfile } from '../domain/customers/profile.js';
import type { WalkedAppointment } from '../ports/store/appointments.js';
import type { UseCaseContext } from '../operations/context.js';

type RewriteContext = Pick<UseCaseContext, 'store' | 'identityVariants'>;

/**
 * Puts customers' identities of one appointment under the first key (D67), with a version of its own, so that no change that
 * read the former ones writes them back. No event, no message, no line of the audit record: nothing happened to it.
 *
 * Answers false when somebody else changed the appointment meanwhile.
 */
export async function rewriteIdentities(
  { store, identityVariants }: RewriteContext,
  { appointment, wakeAt }: WalkedAppointment,
): Promise<boolean> {
  const { organizationId, id, participants } = appointment;
  if (participants.every(({ identity }) => identity === undefined)) return true;
  const profiles = await store.customers.list(organizationId, id);
  const next = participants.map((each) => rewritten(organizationId, each, profiles, identityVariants));
  if (next.every((each, index) => each === participants[index])) return true;
  const result = await store.commit({
    organizationId,
    appointment: {
      kind: 'update',
      next: { ...appointment, participants: next, version: appointment.version + 1 } satisfies Appointment,
      expectedVersion: appointment.version,
      wakeAt,
    },
    events: [],
  });
  return result.status === 'committed';
}

/** The same participant where the identity is under the first key, or none of the profile's names makes it. */
function rewritten(
  organizationId: string,
  participant: Participant,
  profiles: readonly CustomerProfile[],
  identityVariants: UseCaseContext['identityVariants'],
): Participant {
  const { id, identity } = participant;
  const profile = profiles.find(({ participantId }) => participantId === id);
  if (identity === undefined || profile === undefined) return participant;
  const [first = identity] = identityVariants(organizationId, identity, profile);
  return first === identity ? participant : { ...participant, identity: first };
}
