import * as z from 'zod';
import { response } from '../wire-documentation.js';
import { exceptionRulesSchema, hoursRulesSchema, serviceRulesSchema } from './availability-requests.js';
import { flag, instant, integer, text } from './answers.js';
import { timeReasonSchema } from './problem.js';

const zoned = (description: string) => response(z.iso.datetime({ offset: true }), description);
const actorIds = response(
  z.array(z.string()).optional(),
  'Agents and resources of the service that are free then, by code point; for staff only.',
);

const offer = response(
  z.object({ start: zoned('Start, in the zone asked for.'), end: zoned('End, in the zone asked for.'), actorIds }),
  { id: 'Offer', description: 'A start that can be booked.' },
);

const offersOfDuration = response(
  z.object({
    duration: text('ISO 8601.'),
    offers: response(z.array(offer), 'Starts, ascending.'),
  }),
  { id: 'OffersOfDuration', description: 'The starts of one duration.' },
);

/** Answer of the search for free times. */
export const offersSchema = response(
  z.object({
    durations: response(z.array(offersOfDuration), 'One entry for each duration, in the order asked.'),
    next: zoned(
      'Where to ask on (`from`), after 5,000 starts; absent when there are no more in the window.',
    ).optional(),
  }),
  { id: 'Offers', description: 'Free times.' },
);
/** Answer of the search for free times. */
export type Offers = z.infer<typeof offersSchema>;

/** Answer of the question why. */
export const explanationSchema = response(
  z.object({
    free: flag('Whether it can be booked now.'),
    actorIds,
    reasons: response(
      z.array(timeReasonSchema).optional(),
      'Why not, where it is not free. Customers are told of the rules, and of everything else that it is `BUSY`.',
    ),
  }),
  { id: 'Explanation', description: 'Why a time is free or not.' },
);
/** Answer of the question why. */
export type Explanation = z.infer<typeof explanationSchema>;

/** A hold, as it is made. */
export const heldTimeSchema = response(
  z.object({
    id: text('Id of the hold.'),
    token: text('Whoever has it owns the hold: `holdToken` of a booking, `Calends-Hold` to give it up.'),
    serviceId: text('Service that it is for.'),
    start: instant('UTC.'),
    end: instant('UTC.'),
    until: instant('When it ends by itself.'),
    agentIds: response(z.array(z.string()).optional(), 'Agents that it keeps; for staff only.'),
  }),
  { id: 'HeldTime', description: 'A time that is held.' },
);
/** A hold, as it is made. */
export type HeldTime = z.infer<typeof heldTimeSchema>;

const version = integer('Version, as in the ETag; 0 = it comes from settings and cannot be changed here.');

/** A service of an application. */
export const serviceResponseSchema = response(
  z.object({
    applicationId: text('Application identifier.'),
    id: text('Id of the service.'),
    archived: flag('True: it is not offered any more.'),
    rules: serviceRulesSchema,
    version,
  }),
  { id: 'Service', description: 'A service of an application.' },
);
/** A service of an application. */
export type Service = z.infer<typeof serviceResponseSchema>;

/** All services of an application. */
export const servicesSchema = response(
  z.object({ services: response(z.array(serviceResponseSchema), 'By id, archived ones too.') }),
  { id: 'Services', description: 'The services of an application.' },
);

/** Hours of an actor. */
export const hoursOfActorSchema = response(
  z.object({ actorId: text('Id of the agent or resource.'), rules: hoursRulesSchema, version }),
  { id: 'Hours', description: 'Hours of an agent or a resource.' },
);
/** Hours of an actor. */
export type HoursOfActor = z.infer<typeof hoursOfActorSchema>;

/** Hours of all actors. */
export const hoursOfActorsSchema = response(
  z.object({ hours: response(z.array(hoursOfActorSchema), 'By id of the actor.') }),
  { id: 'HoursOfActors', description: 'Hours of all actors of the organization that have some.' },
);

/** A day on which other hours hold. */
export const hoursExceptionSchema = response(
  z.object({
    actorId: text('Id of the agent or resource.'),
    date: text('`YYYY-MM-DD` in the zone of its hours.'),
    rules: exceptionRulesSchema,
    version,
  }),
  { id: 'HoursException', description: 'A day on which other hours hold.' },
);
/** A day on which other hours hold. */
export type HoursException = z.infer<typeof hoursExceptionSchema>;

/** Exceptions of an actor. */
export const hoursExceptionsSchema = response(
  z.object({ exceptions: response(z.array(hoursExceptionSchema), 'By date.') }),
  { id: 'HoursExceptions', description: 'Exceptions of an actor.' },
);
