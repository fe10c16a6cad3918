import type { Instant } from '@calends/core/store';
import { run, type Steps } from '../database/steps.js';
import type { NotificationQueue } from '../dialects/dialect.js';

/** Whose reminders are released, and when. */
export interface ReminderRelease {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly at: Instant;
}

const release = `update calends_notifications
  set wake_at = case when scheduled_for > ? then scheduled_for else ? end, revision = revision + 1
  where organization_id = ? and appointment_id = ? and type = 'REMINDER' and phase = 'READY'
    and wake_at > scheduled_for and wake_at > ?`;

/** Makes due the reminders of an appointment that wait for its room, with one statement. */
export function* releaseReminders(
  { inStep }: NotificationQueue,
  { organizationId, appointmentId, at }: ReminderRelease,
): Steps<void> {
  yield* run(inStep?.(release) ?? release, [at, at, organizationId, appointmentId, at]);
}
