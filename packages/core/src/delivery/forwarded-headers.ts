import { mayBeForwarded } from '@calends/model';
import type { Appointment } from '../domain/appointments/appointment.js';
import type { ApplicationSettings } from '../settings/application-settings.js';

/**
 * The headers of an appointment that calls of web hooks carry (D63).
 *
 * Of customers only what the application names; of staff whatever it does not leave out; never a name that proxies,
 * identity layers, signatures or caches read, be it kept from before.
 */
export function forwardedHeaders(
  { notificationHeaders, notificationHeadersBy }: Pick<Appointment, 'notificationHeaders' | 'notificationHeadersBy'>,
  settings: Pick<ApplicationSettings, 'customerNotificationHeaders' | 'staffNotificationHeaders'>,
): Readonly<Record<string, string>> {
  const named =
    notificationHeadersBy === 'CUSTOMER' ? settings.customerNotificationHeaders : settings.staffNotificationHeaders;
  const allowed = named && new Set(named.map((name) => name.toLowerCase()));
  const goes = (name: string): boolean => mayBeForwarded(name) && (allowed?.has(name.toLowerCase()) ?? true);
  return Object.fromEntries(Object.entries(notificationHeaders).filter(([name]) => goes(name)));
}
