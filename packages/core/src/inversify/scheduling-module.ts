import { ContainerModule } from 'inversify';
import { checkOptions } from '../check-options.js';
import { configurationOf, portsOf } from '../create-scheduling.js';
import type { SchedulingOptions } from '../options.js';
import type { Ports } from '../ports/ports.js';
import { wireScheduling } from '../wire-scheduling.js';
import { configurationToken, portTokens, schedulingToken } from './tokens.js';

const portNames = Object.keys(portTokens) as (keyof Ports)[];

/**
 * An Inversify module with the same wiring as `createScheduling`: every port under its own token, so that a
 * host can rebind one, and the library under `schedulingToken`.
 *
 * Load it into a container that has none of these bindings yet. A port that is rebound after the library was
 * first resolved has no effect.
 *
 * @throws TypeError that lists every fault of the options
 */
export function schedulingModule(options: SchedulingOptions): ContainerModule {
  checkOptions(options);
  const ports = portsOf(options);
  return new ContainerModule(({ bind }) => {
    for (const name of portNames) {
      bind<Ports[keyof Ports]>(portTokens[name]).toConstantValue(ports[name]);
    }
    bind(configurationToken).toConstantValue(configurationOf(options));
    bind(schedulingToken)
      .toResolvedValue(
        (
          store,
          clock,
          ids,
          settingsSource,
          accessProvider,
          agentDirectory,
          otpVerifier,
          manageProofVerifier,
          eventPublisher,
          observer,
          notifiers,
          linkSource,
          random,
          secureRandom,
          customerDirectory,
          tracer,
          configuration,
        ) =>
          wireScheduling(
            {
              store,
              clock,
              ids,
              settingsSource,
              accessProvider,
              agentDirectory,
              otpVerifier,
              manageProofVerifier,
              eventPublisher,
              observer,
              notifiers,
              linkSource,
              random,
              secureRandom,
              customerDirectory,
              tracer,
            },
            configuration,
          ),
        [
          portTokens.store,
          portTokens.clock,
          portTokens.ids,
          portTokens.settingsSource,
          portTokens.accessProvider,
          portTokens.agentDirectory,
          portTokens.otpVerifier,
          portTokens.manageProofVerifier,
          portTokens.eventPublisher,
          portTokens.observer,
          portTokens.notifiers,
          portTokens.linkSource,
          portTokens.random,
          portTokens.secureRandom,
          portTokens.customerDirectory,
          portTokens.tracer,
          configurationToken,
        ],
      )
      .inSingletonScope();
  });
}
