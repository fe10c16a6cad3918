/**
 * The library as an Inversify module.
 *
 * @packageDocumentation
 */
import 'reflect-metadata';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { type Ports, portNames } from '../ports/ports.js';
import type { Scheduling } from '../scheduling.js';
import { checkOptions, checkPorts } from '../wiring/check-options.js';
import { configurationOf, portsOf } from '../wiring/create-scheduling.js';
import type { SchedulingOptions } from '../wiring/options.js';
import { type Configuration, wireScheduling } from '../wiring/wire-scheduling.js';

function token<Service>(name: string): ServiceIdentifier<Service> {
  return Symbol.for(`calends.${name}`);
}

/** An identifier for each port, by the name of its option. */
export type PortTokens = { readonly [Port in keyof Ports]-?: ServiceIdentifier<Ports[Port]> };

const byPort = (valueOf: (name: keyof Ports) => unknown): object =>
  Object.fromEntries(portNames.map((name) => [name, valueOf(name)]));

/** Under which identifiers the module binds the ports; rebind one before `scheduling` is first resolved. */
export const portTokens = byPort(token) as PortTokens;

/** What is set once and is not a port: secrets and keys, `managePageUrl`, routing providers, templates, availability, retention, workers. */
export const configurationToken: ServiceIdentifier<Configuration> = token('configuration');

/** The library itself, a singleton of the container. */
export const schedulingToken: ServiceIdentifier<Scheduling> = token('scheduling');

/**
 * An Inversify module with the same wiring as `createScheduling`: every port under its own token, so that a
 * host can rebind one, and the library under `schedulingToken`.
 *
 * Load it into a container that has none of these bindings yet. A port that is rebound after the library was
 * first resolved has no effect.
 *
 * @throws TypeError that lists every fault of the options; for ports that were rebound the library throws one when it is resolved
 */
export function schedulingModule(options: SchedulingOptions): ContainerModule {
  checkOptions(options);
  const ports = portsOf(options);
  const configuration = configurationOf(options);
  return new ContainerModule(({ bind }) => {
    for (const name of portNames) bind<Ports[keyof Ports]>(portTokens[name]).toConstantValue(ports[name]);
    bind(configurationToken).toConstantValue(configuration);
    bind(schedulingToken)
      // By tokens and not from the context: the container then waits for bindings that resolve later.
      .toResolvedValue(
        (configuration: Configuration, ...bound: readonly unknown[]) => {
          const ports = byPort((name) => bound[portNames.indexOf(name)]) as Ports;
          checkPorts(ports, configuration);
          return wireScheduling(ports, configuration);
        },
        [configurationToken, ...portNames.map((name) => portTokens[name])],
      )
      .inSingletonScope();
  });
}
