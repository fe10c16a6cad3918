import type { Appointment } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import { revise } from '../appointments/lifecycle.js';
import type { Decision } from '../use-case/change-appointment.js';
import type { CustomerProfile, RemovalReason } from './profile.js';

/** Whose data goes, when and why. */
export interface Removal {
  readonly appointment: Appointment;
  /** Profiles of its customers whose data is to go; those whose data is gone are passed over. */
  readonly profiles: readonly CustomerProfile[];
  readonly reason: RemovalReason;
  readonly at: Instant;
}

/**
 * Takes customers' personal data out of an appointment, in any state: the profiles become empty and say why, nothing
 * recognises the customers any more, their links end, and what waits to be sent to them is taken back.
 *
 * `undefined` when all of it has gone before.
 */
export function withoutPersonalData({ appointment, profiles, reason, at }: Removal): Decision | undefined {
  const held = profiles.filter(({ removal }) => removal === undefined);
  const ids = new Set(held.map(({ participantId }) => participantId));
  if (ids.size === 0) return undefined;
  const participants = appointment.participants.map((participant) =>
    ids.has(participant.id) ? { id: participant.id, type: participant.type } : participant,
  );
  const [only, ...more] = ids;
  return {
    next: revise(appointment, { participants }, at),
    event: {
      type: 'APParticipantUpdatedEvent',
      data: { participantId: more.length === 0 ? only : undefined, reason },
    },
    customers: held.map(({ organizationId, appointmentId, participantId }) => ({
      organizationId,
      appointmentId,
      participantId,
      metadata: {},
      removal: { reason, at },
    })),
    tickets: { ended: [...ids] },
    messages: { silenced: [...ids] },
  };
}
