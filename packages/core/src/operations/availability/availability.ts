import type { UseCaseContext } from '../context.js';
import { explainTime, findTimes } from './find.js';
import { holdTime, releaseHold } from './holds.js';
import { hoursOperations } from './hours.js';
import { offeredServices } from './offered.js';
import type { AvailabilityOperations } from './operations.js';
import { serviceOperations } from './services.js';

/** The operations of availability, each traced under its name. */
export function tracedAvailability(context: UseCaseContext): AvailabilityOperations {
  const { tracing } = context;
  return {
    isOn: context.availability !== undefined,
    ...tracing.operations('availability', {
      offered: offeredServices(context),
      find: findTimes(context),
      explain: explainTime(context),
      hold: holdTime(context),
      release: releaseHold(context),
    }),
    services: tracing.operations('availability.services', serviceOperations(context)),
    hours: tracing.operations('availability.hours', hoursOperations(context)),
  };
}
