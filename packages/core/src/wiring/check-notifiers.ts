import { hours } from '@calends/model';
import type { SchedulingOptions } from './options.js';
import { isSettingsSource } from '../ports/settings-source.js';
import { leaseMargins } from '../background/delivery-loop.js';
import { templateFaults } from '../messages/template-faults.js';
import { channelFacts, type ChannelKey, channelKeys, contactChannels } from '../settings/channels.js';
import type { Ports } from '../ports/ports.js';
import { dropRejectionsIn, fieldsOf } from '../support/host-answers.js';

/** Its claim lasts as long, and nobody else may send the message meanwhile. */
const maxTimeout = hours(1);
const capabilities: readonly unknown[] = ['idempotent', 'lookup', 'none'];
/** What a notifier may have; what is there and cannot be called would be found out by the first message that needs it. */
const optionalMethods = ['lookUp', 'fetchStatus', 'endpointFault'] as const;

/** What is wrong with notifiers, their leases, endpoints and templates. */
export function notificationFaults(options: SchedulingOptions): readonly string[] {
  return [
    ...channelKeys.flatMap((channel) => notifierFaults(options, channel)),
    ...unknownChannels(options.notifiers),
    ...endpointFaults(options),
    ...templateFaults(options.templates === undefined ? {} : options.templates).map((fault) => `templates: ${fault}`),
  ];
}

function notifierFaults({ notifiers, worker }: SchedulingOptions, channel: ChannelKey): readonly string[] {
  const notifier: unknown = notifiers?.[channel];
  if (notifier === undefined) return [];
  const at = `notifiers.${channel}`;
  if (typeof notifier !== 'object' || notifier === null) return [`${at}: must have send`];
  const fields = fieldsOf(notifier);
  const { send, timeout, capability, lookUp } = fields;
  const faults: string[] = [];
  if (typeof send !== 'function') faults.push(`${at}: must have send`);
  if (!capabilities.includes(capability)) faults.push(`${at}.capability: must be idempotent, lookup or none`);
  if (capability === 'lookup' && lookUp === undefined) faults.push(`${at}: must have lookUp`);
  for (const name of optionalMethods) {
    if (fields[name] !== undefined && typeof fields[name] !== 'function')
      faults.push(`${at}.${name}: must be a function`);
  }
  if (typeof timeout !== 'number' || !Number.isInteger(timeout) || timeout < 1 || timeout > maxTimeout) {
    faults.push(`${at}.timeout: must be a whole number of milliseconds from 1 to ${String(maxTimeout)}`);
  } else if (worker?.deliveryLease !== undefined && worker.deliveryLease < timeout + leaseMargins.min) {
    faults.push(`worker.deliveryLease: must be at least ${String(leaseMargins.min)} ms longer than ${at}.timeout`);
  }
  return faults;
}

function unknownChannels(notifiers: SchedulingOptions['notifiers']): readonly string[] {
  const known: readonly string[] = channelKeys;
  return Object.keys(notifiers ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => `notifiers: unknown channel ${name}; known are ${channelKeys.join(', ')}`);
}

/** Endpoints to which nothing could ever be sent (D59); of a settings source they are found when they are sent to. */
function endpointFaults({ applications, notifiers }: SchedulingOptions): readonly string[] {
  const { webhooks } = notifiers ?? {};
  // What cannot be called is a fault of the notifier already.
  if (typeof fieldsOf(webhooks)['endpointFault'] !== 'function') return [];
  if (applications === undefined || isSettingsSource(applications)) return [];
  const faults = Object.entries(applications).flatMap(([id, application]) =>
    (application.notifications?.webhooks ?? []).flatMap((endpoint, index) =>
      faultOf(() => webhooks?.endpointFault?.(endpoint), `applications.${id}.notifications.webhooks.${String(index)}`),
    ),
  );
  // What is wrong with the function itself is the same for all of them.
  return [...new Set(faults)];
}

/** What the host says of an endpoint; hosts need not compile against the types. */
function faultOf(ask: () => unknown, of: string): readonly string[] {
  const at = 'notifiers.webhooks.endpointFault';
  try {
    const answer = ask();
    if (answer === undefined || answer === null) return [];
    if (typeof answer === 'string' && answer !== '') return [`${of}: ${answer}`];
    dropRejectionsIn(answer);
    return [`${at}: must answer a string, or undefined`];
  } catch (error) {
    return [`${at}: failed: ${error instanceof Error ? error.message : typeof error}`];
  }
}

/** What `check()` says where messages to customers have nowhere to lead before the room is open (D61). */
export function linkAdvice(
  { notifiers, linkSource }: Pick<Ports, 'notifiers' | 'linkSource'>,
  managePageUrl: string | undefined,
): readonly string[] {
  const tellsCustomers = contactChannels.some((channel) => notifiers[channelFacts[channel].key] !== undefined);
  if (!tellsCustomers || linkSource !== undefined || managePageUrl !== undefined) return [];
  return [
    'managePageUrl: neither it nor a linkSource is given; messages to customers have no link before the room is open, then its address.',
  ];
}
