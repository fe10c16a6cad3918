import { defaultOrganization, isIdText, limits } from '@calends/model';
import type * as z from 'zod';
import { CalendsError } from '../domain/calls/errors.js';
import { dropRejectionsIn } from '../support/host-answers.js';
import {
  type ApplicationSettings,
  type AutoActivationSettings,
  configuredApplicationSchema,
  type CustomerCreateSettings,
  defaultApplicationSettings,
  type OverlapSettings,
} from '../settings/application-settings.js';
import {
  type ConfiguredNotifications,
  defaultNotificationSettings,
  type NotificationSettings,
} from '../settings/notification-settings.js';
import { schemaFaults } from '../support/schema-faults.js';
import type { Some } from '../support/some.js';

/** Settings of one application as a source keeps them: what is absent takes the documented default. */
export type ConfiguredApplication = Some<
  Omit<ApplicationSettings, 'autoActivation' | 'duration' | 'customerCreate' | 'overlap' | 'notifications'>
> & {
  readonly autoActivation?: Some<AutoActivationSettings> | undefined;
  readonly duration?: Some<ApplicationSettings['duration']> | undefined;
  readonly customerCreate?: Some<CustomerCreateSettings> | undefined;
  readonly overlap?: (Pick<OverlapSettings, 'mode'> & Some<OverlapSettings>) | undefined;
  readonly notifications?: ConfiguredNotifications | undefined;
};

/**
 * Where the settings of applications come from.
 *
 * Asked for every operation, and once for the messages that a worker claims together, so a slow source should cache.
 * An application that it does not know gets the defaults and belongs to the organization of the caller who uses it.
 *
 * What it answers is checked as what `applications` holds is at start, once for each object. Where it is no settings, nothing of it is
 * used: operations reject with a `CalendsError` `internal` whose `cause` lists the faults, and messages wait.
 */
export interface SettingsSource {
  find(applicationId: string): Promise<ConfiguredApplication | undefined> | ConfiguredApplication | undefined;
  /** Organizations that its applications name, for what `check()` looks through. Absent = only `default` is looked through. */
  organizationIds?(): Promise<readonly string[]> | readonly string[];
}

/** Answers the whole settings of an application: what it configures, and the defaults for the rest. */
export class Applications {
  readonly #source: SettingsSource;
  readonly #resolved = new WeakMap<object, ApplicationSettings>();

  constructor(source: SettingsSource) {
    this.#source = source;
  }

  /**
   * Whether the host configured an application: ids of others are what a client made up.
   *
   * @throws CalendsError `internal` when the source answers no settings
   */
  async knows(applicationId: string): Promise<boolean> {
    return (await this.#find(applicationId)) !== undefined;
  }

  /**
   * Every organization that is known by name: that of callers without one, and those of configured applications.
   *
   * @throws CalendsError `internal` when the source answers no list of ids
   */
  async organizationIds(): Promise<readonly string[]> {
    const named: unknown = (await this.#source.organizationIds?.()) ?? [];
    const isId = (id: unknown): id is string => isIdText(id, limits.organizationId);
    if (!Array.isArray(named) || !named.every(isId)) {
      dropRejectionsIn(named);
      throw unreadable(['organizationIds: must answer a list of ids of organizations']);
    }
    return [...new Set([defaultOrganization, ...named])];
  }

  /**
   * Settings of an application; one that is not configured gets the defaults.
   *
   * @throws CalendsError `internal` when the source answers no settings
   */
  async settingsOf(applicationId: string): Promise<ApplicationSettings> {
    return (await this.#find(applicationId)) ?? defaultApplicationSettings;
  }

  async #find(applicationId: string): Promise<ApplicationSettings | undefined> {
    const answer: unknown = await this.#source.find(applicationId);
    // Sources that ask a database often say null for what is not there.
    if (answer === undefined || answer === null) return undefined;
    const isObject = typeof answer === 'object';
    const known = isObject ? this.#resolved.get(answer) : undefined;
    if (known !== undefined) return known;
    const settings = readSettings(applicationId, answer);
    if (isObject) this.#resolved.set(answer, settings);
    return settings;
  }
}

/** What a source has answered, with the defaults for what is absent. */
function readSettings(applicationId: string, answer: unknown): ApplicationSettings {
  const { data: configured, error } = configuredApplicationSchema.safeParse(answer);
  if (error !== undefined) {
    dropRejectionsIn(answer);
    throw unreadable(schemaFaults(`applications.${applicationId}`, configuredApplicationSchema, error));
  }
  const { autoActivation, duration, customerCreate, overlap } = defaultApplicationSettings;
  return {
    ...withDefaults(defaultApplicationSettings, configured),
    autoActivation: withDefaults(autoActivation, configured.autoActivation ?? {}),
    duration: withDefaults(duration, configured.duration ?? {}),
    customerCreate: withDefaults(customerCreate, configured.customerCreate ?? {}),
    overlap: withDefaults(overlap, configured.overlap ?? {}),
    notifications: notificationSettingsOf(configured.notifications ?? {}),
  };
}

/** An answer of a source that cannot be read: what is wrong is only for the host. */
function unreadable(faults: readonly string[]): CalendsError {
  return new CalendsError('internal', 'The settings of applications cannot be read.', {
    cause: new TypeError(
      `The settings source answered what are no settings:${faults.map((fault) => `\n  - ${fault}`).join('')}`,
    ),
  });
}

type ReadNotifications = NonNullable<z.output<typeof configuredApplicationSchema>['notifications']>;

function notificationSettingsOf(configured: ReadNotifications): NotificationSettings {
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
