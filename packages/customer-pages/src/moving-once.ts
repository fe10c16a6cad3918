import { type Appointment, CalendsError, type Caller, type RescheduleCommand, type Scheduling } from '@calends/core';
import { createHash } from 'node:crypto';
import { whenAnswered } from './when-answered.js';

/** A form for another time that somebody has sent. */
export interface SentMove {
  readonly caller: Caller;
  readonly command: RescheduleCommand;
  /** The appointment as it is now. */
  readonly present: Appointment;
  /** Version of the appointment that the form was filled for. */
  readonly version: number;
}

/** Moves; whoever sends the same form again, also at once, hears of what it has done before, and moves nothing more. */
export async function moveOnce({ appointments }: Pick<Scheduling, 'appointments'>, sent: SentMove) {
  const { caller, command, present, version } = sent;
  const form = createHash('sha256')
    .update(JSON.stringify([command, version]))
    .digest('base64url');
  const options = { expectedVersions: [version], idempotency: { operation: 'manage-page', key: form } };
  const moved = await whenAnswered(() => appointments.reschedule(caller, command, options));
  // What was moved once more since is not where this form has moved it.
  if (moved.version < present.version) throw new CalendsError('version_mismatch', 'It was changed since.');
  return moved.version === version ? 'unmoved' : 'moved';
}
