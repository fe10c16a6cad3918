import type { ServiceIdentifier } from 'inversify';
import type { Ports } from '../ports/ports.js';
import type { Scheduling } from '../scheduling.js';
import type { Configuration } from '../wire-scheduling.js';

function token<Service>(name: string): ServiceIdentifier<Service> {
  return Symbol.for(`calends.${name}`);
}

/** Under which identifiers the module binds the ports; rebind one before `scheduling` is first resolved. */
export const portTokens: { readonly [Port in keyof Ports]: ServiceIdentifier<Ports[Port]> } = {
  store: token('store'),
  clock: token('clock'),
  ids: token('ids'),
  settingsSource: token('settingsSource'),
  accessProvider: token('accessProvider'),
  agentDirectory: token('agentDirectory'),
  otpVerifier: token('otpVerifier'),
  manageProofVerifier: token('manageProofVerifier'),
  eventPublisher: token('eventPublisher'),
  observer: token('observer'),
  notifiers: token('notifiers'),
  linkSource: token('linkSource'),
  random: token('random'),
  secureRandom: token('secureRandom'),
  customerDirectory: token('customerDirectory'),
  tracer: token('tracer'),
};

/** What is set once and is not a port: secret, routing providers, worker, templates. */
export const configurationToken: ServiceIdentifier<Configuration> = token('configuration');

/** The library itself, a singleton of the container. */
export const schedulingToken: ServiceIdentifier<Scheduling> = token('scheduling');
