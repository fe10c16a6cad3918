import type { Caller } from '../../domain/calls/caller.js';
import { defaultNotificationSettings, type NotificationSettings } from '../../settings/notification-settings.js';
import type { UseCaseContext } from '../context.js';
import { requireApplication } from './list-notifications.js';

/** What an application sets; one of another organization is as unknown as one that nobody has (D58). */
export async function settingsFor(
  { applications }: UseCaseContext,
  caller: Caller,
  applicationId: string,
): Promise<NotificationSettings> {
  requireApplication(caller, applicationId);
  const { organizationId = caller.organizationId, notifications } = await applications.settingsOf(applicationId);
  return organizationId === caller.organizationId ? notifications : defaultNotificationSettings;
}
