import type { PollProperty } from './notification.js';

/** Polling of providers where an application sets nothing (D58). */
const systemDefaults: Readonly<Record<string, string>> = {
  enabled: 'true',
  initialDelay: 'PT15S',
  interval: 'PT1M',
  backoffFactor: '2',
  maxInterval: 'PT15M',
  maxAttempts: '10',
  timeout: 'PT24H',
};

/** The polling settings that hold when an application overrides none (D58). */
export function defaultPollProperties(): Readonly<Record<string, PollProperty>> {
  return Object.fromEntries(
    Object.entries(systemDefaults).map(([name, value]) => [name, { source: 'SYSTEM_DEFAULT', value }]),
  );
}
