import {
  type ApplicationSettings,
  type AutoActivationSettings,
  type CustomerCreateSettings,
  defaultApplicationSettings,
  type OverlapSettings,
} from '../settings/application-settings.js';
import {
  type ConfiguredNotifications,
  defaultNotificationSettings,
  type NotificationSettings,
} from '../settings/notification-settings.js';

/** Settings of one application as a source keeps them: what is absent takes the documented default. */
export type ConfiguredApplication = Partial<
  Omit<ApplicationSettings, 'autoActivation' | 'duration' | 'customerCreate' | 'overlap' | 'notifications'>
> & {
  readonly autoActivation?: Partial<AutoActivationSettings> | undefined;
  readonly duration?: Partial<ApplicationSettings['duration']> | undefined;
  readonly customerCreate?: Partial<CustomerCreateSettings> | undefined;
  readonly overlap?: (Pick<OverlapSettings, 'mode'> & Partial<OverlapSettings>) | undefined;
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
  /** Organizations that its applications name, for what `check()` looks through. Absent = `default` alone is looked through. */
  organizationIds?(): Promise<readonly string[]> | readonly string[];
}

/** Answers the whole settings of an application: what it configures, and the defaults for the rest. */
export class Applications {
  readonly #source: SettingsSource;
  readonly #resolved = new WeakMap<ConfiguredApplication, ApplicationSettings>();

  constructor(source: SettingsSource) {
    this.#source = source;
  }

  /** Whether the host configured an application: ids of others are what a client made up. */
  async knows(applicationId: string): Promise<boolean> {
    return (await this.#find(applicationId)) !== undefined;
  }

  /** Every organization that is known by name: that of callers without one, and those of configured applications. */
  async organizationIds(): Promise<readonly string[]> {
    const named = (await this.#source.organizationIds?.()) ?? [];
    return [...new Set(['default', ...named])];
  }

  /** Settings of an application; one that is not configured gets the defaults. */
  async settingsOf(applicationId: string): Promise<ApplicationSettings> {
    const configured = await this.#find(applicationId);
    if (configured === undefined) return defaultApplicationSettings;
    const known = this.#resolved.get(configured);
    if (known !== undefined) return known;
    const { autoActivation, duration, customerCreate, overlap } = defaultApplicationSettings;
    const settings: ApplicationSettings = {
      ...withDefaults(defaultApplicationSettings, configured),
      autoActivation: withDefaults(autoActivation, configured.autoActivation ?? {}),
      duration: withDefaults(duration, configured.duration ?? {}),
      customerCreate: withDefaults(customerCreate, configured.customerCreate ?? {}),
      overlap: withDefaults(overlap, configured.overlap ?? {}),
      notifications: notificationSettingsOf(configured.notifications ?? {}),
    };
    this.#resolved.set(configured, settings);
    return settings;
  }

  /** Sources that ask a database often say null for what is not there. */
  async #find(applicationId: string): Promise<ConfiguredApplication | undefined> {
    return (await this.#source.find(applicationId)) ?? undefined;
  }
}

function notificationSettingsOf(configured: ConfiguredNotifications): NotificationSettings {
  const { retry, lateness } = defaultNotificationSettings;
  return {
    ...withDefaults(defaultNotificationSettings, configured),
    retry: withDefaults(retry, configured.retry ?? {}),
    lateness: withDefaults(lateness, configured.lateness ?? {}),
  };
}

/** What is set, and the defaults for what is absent or `undefined`. */
export function withDefaults<Settings extends object>(defaults: Settings, set: object): Settings {
  const given = Object.entries(set).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

/** A source over a fixed set of applications. */
export function fixedSettings(applications: Readonly<Record<string, ConfiguredApplication>>): SettingsSource {
  const known = new Map(Object.entries(applications));
  return {
    find: (applicationId) => known.get(applicationId),
    organizationIds: () => [...known.values()].flatMap(({ organizationId }) => organizationId ?? []),
  };
}

/** Tells whether settings come from a source rather than from a fixed set. */
export function isSettingsSource(
  applications: Readonly<Record<string, ConfiguredApplication>> | SettingsSource,
): applications is SettingsSource {
  return typeof applications.find === 'function';
}
