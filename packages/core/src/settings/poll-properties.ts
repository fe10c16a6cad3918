import { type NotificationChannel, parseDuration } from '@calends/model';
import { channelFacts, type ChannelKey, channelKeys } from './channels.js';

/** A polling setting and where its value comes from (D58). */
export interface PollProperty {
  readonly source: 'APPLICATION' | 'SYSTEM_DEFAULT';
  readonly value: string;
}

/** Polling of providers where an application sets nothing (D58). */
const systemDefaults = {
  enabled: 'true',
  initialDelay: 'PT15S',
  interval: 'PT1M',
  backoffFactor: '2',
  maxInterval: 'PT15M',
  maxAttempts: '10',
  timeout: 'PT24H',
} as const;

type BaseName = keyof typeof systemDefaults;

/** A polling property of an application, or of one of its channels (D58). */
export type PollPropertyName = BaseName | `${ChannelKey}.${BaseName}`;

/** What an application sets. */
export type PollOverrides = Readonly<Partial<Record<PollPropertyName, string>>>;

const baseNames = Object.keys(systemDefaults) as BaseName[];

/** Every name that an application may set. */
export const pollPropertyNames: readonly PollPropertyName[] = [
  ...baseNames,
  ...channelKeys.flatMap((prefix) => baseNames.map((name) => `${prefix}.${name}` as const)),
];

interface Form {
  readonly fits: (text: string) => boolean;
  readonly rule: string;
}

const duration: Form = {
  fits: (text) => (parseDuration(text, 'iso8601') ?? 0) > 0,
  rule: 'must be an ISO 8601 duration longer than PT0S',
};
const forms: Readonly<Record<BaseName, Form>> = {
  enabled: { fits: (text) => text === 'true' || text === 'false', rule: 'must be true or false' },
  initialDelay: duration,
  interval: duration,
  backoffFactor: {
    fits: (text) => /^\d{1,2}(\.\d{1,3})?$/.test(text) && Number(text) >= 1,
    rule: 'must be a number from 1 on',
  },
  maxInterval: duration,
  maxAttempts: {
    fits: (text) => /^[1-9]\d{0,3}$/.test(text),
    rule: 'must be a whole number from 1 to 9999',
  },
  timeout: duration,
};

/** What is wrong with a value, or `undefined`. */
export function pollPropertyFault(name: PollPropertyName, value: string): string | undefined {
  const { fits, rule } = forms[name.split('.').at(-1) as BaseName];
  return fits(value) ? undefined : rule;
}

/**
 * The polling settings of an application and where each comes from (D58).
 *
 * A property of one channel is listed only where the application sets it; without it the general one holds.
 */
export function pollProperties(overrides: PollOverrides): Readonly<Record<string, PollProperty>> {
  const properties: Record<string, PollProperty> = {};
  for (const name of baseNames) properties[name] = { source: 'SYSTEM_DEFAULT', value: systemDefaults[name] };
  for (const name of pollPropertyNames) {
    const value = overrides[name];
    if (value !== undefined) properties[name] = { source: 'APPLICATION', value };
  }
  return properties;
}

/** What holds for a channel, in milliseconds: its own property, else the application's, else the default (D58). */
export function pollPlan(overrides: PollOverrides, channel: NotificationChannel) {
  const value = (name: BaseName): string =>
    overrides[`${channelFacts[channel].key}.${name}`] ?? overrides[name] ?? systemDefaults[name];
  const length = (name: BaseName): number => parseDuration(value(name), 'iso8601') ?? 0;
  return {
    enabled: value('enabled') === 'true',
    initialDelay: length('initialDelay'),
    interval: length('interval'),
    backoffFactor: Number(value('backoffFactor')),
    maxInterval: length('maxInterval'),
    maxAttempts: Number(value('maxAttempts')),
    timeout: length('timeout'),
  };
}
