import type { ConfiguredApplication, SettingsSource } from '../ports/settings-source.js';
import { type ApplicationSettings, defaultApplicationSettings } from './application-settings.js';

/** Answers the whole settings of an application: what it configures, and the defaults for the rest. */
export class Applications {
  readonly #source: SettingsSource;
  readonly #resolved = new WeakMap<ConfiguredApplication, ApplicationSettings>();

  constructor(source: SettingsSource) {
    this.#source = source;
  }

  /** Settings of an application; one that is not configured gets the defaults. */
  async settingsOf(applicationId: string): Promise<ApplicationSettings> {
    const configured = await this.#source.find(applicationId);
    if (configured === undefined) return defaultApplicationSettings;
    const known = this.#resolved.get(configured);
    if (known !== undefined) return known;
    const set = Object.entries(configured).filter(([, value]) => value !== undefined);
    const settings = { ...defaultApplicationSettings, ...Object.fromEntries(set) };
    this.#resolved.set(configured, settings);
    return settings;
  }
}

/** A source over a fixed set of applications. */
export function fixedSettings(applications: Readonly<Record<string, ConfiguredApplication>>): SettingsSource {
  const known = new Map(Object.entries(applications));
  return { find: (applicationId) => known.get(applicationId) };
}
