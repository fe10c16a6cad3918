import type { Appointment } from '../domain/appointments/appointment.js';
import { denialOf } from '../domain/appointments/access-policy.js';
import type { Caller } from '../domain/calls/caller.js';
import type { UseCaseContext } from './context.js';

/** Those of some appointments of the caller's organization that they may get (D23). */
export async function seenBy(
  { applications, clock }: Pick<UseCaseContext, 'applications' | 'clock'>,
  caller: Caller,
  appointments: readonly Appointment[],
): Promise<readonly Appointment[]> {
  const now = clock.now();
  const seen: Appointment[] = [];
  for (const appointment of appointments) {
    const settings = await applications.settingsOf(appointment.applicationId);
    if (denialOf('get', { caller, appointment, settings, now }) === undefined) seen.push(appointment);
  }
  return seen;
}
