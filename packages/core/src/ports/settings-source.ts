import type { ApplicationSettings } from '../settings/application-settings.js';
import type { ConfiguredNotifications } from '../settings/notification-settings.js';

/** Settings of one application as a source keeps them: what is absent takes the documented default. */
export type ConfiguredApplication = Partial<Omit<ApplicationSettings, 'notifications'>> & {
  readonly notifications?: ConfiguredNotifications | undefined;
};

/**
 * Where the settings of applications come from.
 *
 * Asked for every operation, and once for the messages that a worker claims together, so a slow source should cache.
 * An application that it does not know gets the defaults and belongs to the organization of the caller who uses it.
 */
export interface SettingsSource {
  find(applicationId: string): Promise<ConfiguredApplication | undefined> | ConfiguredApplication | undefined;
}
