import * as z from 'zod';
import { faultWords } from '../fault-words.js';
import { limits } from '../limits.js';
import {
  assignmentStrategies,
  gridAnchors,
  limitScopes,
  limitSubjects,
  limitWindows,
  requirementKinds,
} from '../sets.js';
import { isIdText, isSafeText } from '../text/string-rules.js';
import { parseDuration } from '../time/iso-duration.js';
import { days, minutes } from '../time/instant.js';
import { parseTimeZone } from '../time/time-zone.js';

/** A duration of whole minutes, at least and at most so many milliseconds. */
function wholeMinutes(min: number, max: number, error: string) {
  return z
    .string()
    .max(limits.duration)
    .refine(
      (text) => {
        const given = parseDuration(text);
        return given !== undefined && given % minutes(1) === 0 && given >= min && given <= max;
      },
      { error },
    );
}

/** A text that bookings can take over, and every store and page takes. */
const safeText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(isSafeText, { error: faultWords.unsafe, params: { code: 'invalid_characters' } });

const day = days(1);
const actorId = z.string().refine((id) => isIdText(id, limits.agentId), { error: 'Must be the id of an actor.' });
const buffer = wholeMinutes(0, day, 'Must be a duration of whole minutes, at most 24 hours.').optional();

/** So far from now, as a duration or in days of the calendar in the service's zone. */
const distance = z.union(
  [
    z.strictObject({ duration: wholeMinutes(0, days(366), 'Must be a duration of whole minutes, at most 366 days.') }),
    z.strictObject({ days: z.int().min(0).max(366) }),
  ],
  { error: 'Must have either duration or days.' },
);

/** The name of an IANA zone, in the spelling of its list. */
export const zoneSchema = z
  .string()
  .max(limits.timezone)
  .refine((name) => parseTimeZone(name) !== undefined, { error: 'Must be the name of an IANA time zone, or UTC.' })
  .overwrite((name) => parseTimeZone(name) ?? name);

const requirement = z
  .strictObject({
    kind: z.enum(requirementKinds),
    anyOf: z.array(actorId).min(1).max(limits.actors),
    /** How many of them at once. Default 1. */
    count: z.int().min(1).max(limits.actorsAtOnce).optional(),
  })
  .refine((one) => isMet([one]), { error: 'Must be at most the number of different ids in anyOf.', path: ['count'] });

/** So many at once of these. */
interface Needed {
  readonly anyOf: readonly string[];
  readonly count?: number | undefined;
}

/** Whether there are as many ids as are needed, in all. */
function isMet(requirements: readonly Needed[]): boolean {
  const needed = requirements.reduce((sum, { count = 1 }) => sum + count, 0);
  return new Set(requirements.flatMap(({ anyOf }) => anyOf)).size >= needed;
}

const maxRequirements = 5;
const maxDurations = 10;

/**
 * The last of requirements that nobody could meet together, since an actor takes one seat at once; each of them alone could
 * be met. All can be seated where every few of them have ids enough (Hall's theorem).
 */
function unmetAmong(requirements: readonly Needed[]): number | undefined {
  if (requirements.length > maxRequirements || !requirements.every((one) => isMet([one]))) return undefined;
  for (let set = 1; set < 2 ** requirements.length; set += 1) {
    const isIn = (place: number): boolean => Math.floor(set / 2 ** place) % 2 === 1;
    const some = requirements.filter((_, place) => isIn(place));
    if (!isMet(some)) return Math.floor(Math.log2(set));
  }
  return undefined;
}

/** The first duration that is as long as one before it, however both are written. */
function repeatedAmong(durations: readonly string[]): number | undefined {
  const lengths = durations.map((text) => parseDuration(text));
  const place = lengths.findIndex((length, at) => length !== undefined && lengths.indexOf(length) < at);
  return place === -1 ? undefined : place;
}

/**
 * What can be booked of an application: for how long, on which grid, by whom. The same form in settings, in stores and over HTTP.
 *
 * Durations are ISO 8601 and whole minutes.
 */
export const serviceSchema = z
  .strictObject({
    title: safeText(limits.title).min(1),
    description: safeText(limits.notes).optional(),
    /** The zone of the grid, of days counted by lead time and horizon, and of limits of the service. */
    timezone: zoneSchema,
    durations: z
      .array(wholeMinutes(minutes(1), days(7), 'Must be a duration of whole minutes, from PT1M to P7D.'))
      .min(1)
      .max(maxDurations)
      .superRefine((durations, context) => {
        const place = durations.length > maxDurations ? undefined : repeatedAmong(durations);
        if (place === undefined) return;
        context.addIssue({ code: 'custom', message: 'Must be of another length than those before it.', path: [place] });
      }),
    grid: z.strictObject({
      /** From start to start; divides a day. */
      step: wholeMinutes(minutes(1), day, 'Must be a duration of whole minutes, at most 24 hours.').refine(
        (text) => day % (parseDuration(text) ?? day) === 0,
        { error: 'Must divide 24 hours.', when: ({ issues }) => issues.length === 0 },
      ),
      /** `opening`: times are counted from the start of each opening; for services of one actor. Default `midnight`. */
      anchor: z.enum(gridAnchors).optional(),
    }),
    bufferBefore: buffer,
    bufferAfter: buffer,
    /** No start before now and this much. Default none. */
    leadTime: distance.optional(),
    /** No start after now and this much. Default no bound. */
    horizon: distance.optional(),
    limits: z
      .array(
        z.strictObject({
          per: z.enum(limitSubjects),
          window: z.enum(limitWindows),
          max: z.int().min(1).max(10_000),
          /** Which appointments count. Default `service`. */
          of: z.enum(limitScopes).optional(),
        }),
      )
      .max(8)
      .optional(),
    requirements: z
      .array(requirement)
      .min(1)
      .max(maxRequirements)
      .superRefine((requirements, context) => {
        const place = unmetAmong(requirements);
        if (place === undefined) return;
        const message = 'Must leave enough of the ids to the other requirements: nobody takes part twice.';
        context.addIssue({ code: 'custom', message, path: [place, 'anyOf'] });
      }),
    /** Who of those that are free is taken. Default `balanced`, by the time that is booked in the week. */
    assignment: z
      .strictObject({
        strategy: z.enum(assignmentStrategies),
        /** Shares of agents under `balanced`. Default 1 each. */
        weights: z.record(actorId, z.number().min(0.01).max(100)).optional(),
      })
      .optional(),
  })
  .refine(
    ({ grid, requirements }) =>
      grid.anchor !== 'opening' || requirements.reduce((sum, { count = 1 }) => sum + count, 0) === 1,
    { error: 'Must be midnight where several actors are needed.', path: ['grid', 'anchor'] },
  );

/** A service as it is written; durations are ISO 8601 text. */
export type ServiceRules = Readonly<z.output<typeof serviceSchema>>;
