import { signedAccess } from '../access/signed-access.js';
import { signingKeysOf } from '../access/signing-keys.js';
import { checkOptions } from './check-options.js';
import type { SchedulingOptions } from './options.js';
import { givenPorts, type Ports } from '../ports/ports.js';
import type { Scheduling } from '../scheduling.js';
import { agentLists, everyAgent } from '../ports/agent-directory.js';
import { fixedSettings, isSettingsSource } from '../ports/settings-source.js';
import { plainCopy } from '../support/plain-copy.js';
import { type Configuration, wireScheduling } from './wire-scheduling.js';

/**
 * Makes the library over a store.
 *
 * Does no I/O, starts no timer and no worker: call `workers.start()` where background work is to run, and
 * `close()` before the process ends. The store stays the host's.
 *
 * @example
 * ```ts
 * import { createScheduling } from '@calends/core';
 * import { memoryStore } from '@calends/store-memory';
 *
 * const scheduling = createScheduling({
 *   store: memoryStore(),
 *   secret: 'at least thirty-two bytes, the same everywhere',
 * });
 * const agent = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;
 * const appointment = await scheduling.appointments.schedule(agent, {
 *   applicationId: 'app-1',
 *   start: '2999-05-04T09:00:00Z',
 *   duration: 'PT30M',
 *   timezone: 'Europe/Athens',
 *   customers: [{ contact: { primaryEmail: 'customer@example.org' } }],
 * });
 * ```
 *
 * @throws TypeError that lists every fault of the options; an unknown name comes with the nearest known one
 */
export function createScheduling(options: SchedulingOptions): Scheduling {
  checkOptions(options);
  return wireScheduling(portsOf(options), configurationOf(options));
}

/** The ports that options give, defaults for the rest; fixed settings of applications are copied, as they were when they were checked. */
export function portsOf(options: SchedulingOptions): Ports {
  const { applications: given = {}, secret, signingKeys, roomBaseUrl = 'http://localhost:3000/rooms' } = options;
  const accessProvider = signedAccess({ secret, roomBaseUrl, signingKeys });
  if (isSettingsSource(given)) {
    return givenPorts(options, { settingsSource: given, accessProvider, agentDirectory: everyAgent });
  }
  const applications = plainCopy(given);
  return givenPorts(options, {
    settingsSource: fixedSettings(applications),
    accessProvider,
    agentDirectory: agentLists(applications),
  });
}

/** What options set that is not a port; copied, as it was when it was checked. */
export function configurationOf(options: SchedulingOptions): Configuration {
  return {
    secret: options.secret,
    signingKeys: signingKeysOf(options.secret, options.signingKeys),
    managePageUrl: options.managePageUrl,
    routingProviders: plainCopy(options.routingProviders ?? []),
    worker: plainCopy(options.worker ?? {}),
    retention: plainCopy(options.retention ?? {}),
    templates: plainCopy(options.templates ?? {}),
    availability: plainCopy(options.availability),
  };
}
