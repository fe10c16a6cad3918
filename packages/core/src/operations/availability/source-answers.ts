import { hoursSchema, isIdText, limits, serviceSchema } from '@calends/model';
import type * as z from 'zod';
import type { ActorHours, AvailabilitySource, KnownService } from '../../ports/availability-source.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { exceptionsSchema } from '../../settings/availability-options.js';
import { issuesOf } from './read-rules.js';
import { dropRejectionsIn, fieldsOf } from '../../support/host-answers.js';

/**
 * A source whose answers are held to the rules of settings and of HTTP: hours as no form of either takes them would be offered, and booked.
 *
 * @throws CalendsError `internal` for any other answer; its cause names the place and the rule that it breaks
 */
export function readSource(source: AvailabilitySource): AvailabilitySource {
  return {
    serviceOf: async (query) => {
      const { serviceId } = query;
      const answer = await source.serviceOf(query);
      const service = answer === undefined ? undefined : read(answer, () => readService('serviceOf', answer));
      // A source that passes over the id, or its letters' case, would have one service booked under the name of another.
      return service?.id === serviceId ? service : undefined;
    },
    servicesOf: async (query) => {
      const services = await source.servicesOf(query);
      return read(services, () => listOf('servicesOf', services, readService));
    },
    hoursOf: async (query) => {
      const asked = new Set(query.actorIds);
      const answer = await source.hoursOf(query);
      const hours = read(answer, () => listOf('hoursOf', answer, readHours)).filter(({ actorId }) =>
        asked.has(actorId),
      );
      if (new Set(hours.map(({ actorId }) => actorId)).size < hours.length) {
        throw refusal('hoursOf', 'must answer the hours of an actor once');
      }
      return hours;
    },
  };
}

function read<Value>(answer: unknown, reading: () => Value): Value {
  try {
    return reading();
  } catch (error) {
    dropRejectionsIn(answer);
    throw error;
  }
}

type Method = keyof AvailabilitySource;

function listOf<Value>(
  method: Method,
  answer: unknown,
  read: (method: Method, given: unknown) => Value,
): readonly Value[] {
  if (!Array.isArray(answer)) throw refusal(method, 'must answer a list');
  return answer.map((each: unknown) => read(method, each));
}

function readService(method: Method, given: unknown): KnownService {
  const { id, archived } = fieldsOf(given);
  if (!isIdText(id, limits.id)) throw refusal(method, 'must answer services with an id');
  if (archived !== undefined && typeof archived !== 'boolean') throw refusal(method, 'archived must be true or false');
  return { ...parsed(method, serviceSchema, picked(given, serviceSchema.shape)), id, archived };
}

function readHours(method: Method, given: unknown): ActorHours {
  const { actorId, exceptions } = fieldsOf(given);
  if (!isIdText(actorId, limits.agentId)) throw refusal(method, 'must answer hours with the id of an actor, actorId');
  const rules = parsed(method, hoursSchema, picked(given, hoursSchema.shape));
  return { ...rules, actorId, exceptions: parsed(method, exceptionsSchema, exceptions ?? {}) };
}

/** The fields that rules have: a host may answer with rows of its own that hold more. */
function picked(given: unknown, shape: object): object {
  const fields = fieldsOf(given);
  return Object.fromEntries(Object.keys(shape).map((name) => [name, fields[name]]));
}

function parsed<Value>(method: Method, schema: z.ZodType<Value>, given: unknown): Value {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const [first] = issuesOf(error);
  throw refusal(method, `answered what breaks a rule at "${first?.pointer ?? ''}": ${first?.detail ?? ''}`);
}

function refusal(method: Method, detail: string): CalendsError {
  const cause = new TypeError(`availabilitySource: ${method} ${detail}`);
  return new CalendsError('internal', 'The services and hours could not be read.', { cause });
}
