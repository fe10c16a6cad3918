import type { MaybePromise } from '../../maybe-promise.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { UseCaseContext } from '../../use-case/context.js';
import { callProvider } from './call-provider.js';

/** Answers the settings of an application. */
export type SettingsOfClaim = (applicationId: string) => MaybePromise<ApplicationSettings>;

/**
 * The settings for what was claimed together, which begins together: each application is asked for once, within the
 * channel's time-out. A fault holds for all of this claim and for nothing after it.
 */
export function settingsOfClaim({ applications }: UseCaseContext, timeout: number): SettingsOfClaim {
  const asked = new Map<string, MaybePromise<ApplicationSettings>>();
  return (applicationId) => {
    const known = asked.get(applicationId);
    if (known !== undefined) return known;
    const settings = callProvider(timeout, () => applications.settingsOf(applicationId));
    asked.set(applicationId, settings);
    return settings;
  };
}
