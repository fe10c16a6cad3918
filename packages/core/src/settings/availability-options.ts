import { exceptionSchema, hoursSchema, isCalendarDate, limits, minutes, serviceSchema } from '@calends/model';
import type { HoursException, HoursRules, ServiceRules } from '@calends/model';
import * as z from 'zod';
import { idSchema } from './id-schema.js';

/** Hours of an actor as settings have them. */
export interface ConfiguredHours extends HoursRules {
  /** The organization that the actor works for; absent = every one, for hosts that have but one. */
  readonly organizationId?: string | undefined;
  /** Days on which other hours hold, by date, `YYYY-MM-DD`. */
  readonly exceptions?: Readonly<Record<string, HoursException>> | undefined;
}

/** How times are kept for who is about to book. */
export interface HoldOptions {
  /** Anybody may hold a time, without a token; counted by address. Default false. */
  readonly anonymous?: boolean | undefined;
  /** How long, in milliseconds; at least a minute, at most 15. Default 5 minutes. */
  readonly duration?: number | undefined;
}

/** Turns availability on, and says who may ask and where services and hours stand that are not kept in tables. */
export interface AvailabilityOptions {
  /** Anybody may find and explain, without a token; answers name nobody then. Default false. */
  readonly public?: boolean | undefined;
  /** Who may hold a time, and for how long. */
  readonly holds?: HoldOptions | undefined;
  /** Whether an agent is offered while a source of busy times fails. Default `closed`: not. */
  readonly whenBusySourceFails?: 'closed' | 'open' | undefined;
  /** Services by application and id; they stand before those in tables and cannot be changed. */
  readonly services?: Readonly<Record<string, Readonly<Record<string, ServiceRules>>>> | undefined;
  /** Hours by actor; they stand before those in tables and cannot be changed. */
  readonly hours?: Readonly<Record<string, ConfiguredHours>> | undefined;
}

/** How long a time is held, in milliseconds. */
export const holdDurations = { min: minutes(1), standard: minutes(5), max: minutes(15) } as const;

/** Exceptions of an actor, by date. */
export const exceptionsSchema = z.record(
  z.string().refine(isCalendarDate, { error: 'must be a date, YYYY-MM-DD' }),
  exceptionSchema,
);

/** Form of {@link AvailabilityOptions}. */
export const availabilityOptionsSchema = z
  .strictObject({
    public: z.boolean(),
    holds: z
      .strictObject({ anonymous: z.boolean(), duration: z.int().min(holdDurations.min).max(holdDurations.max) })
      .partial(),
    whenBusySourceFails: z.enum(['closed', 'open']),
    services: z.record(idSchema(limits.id), z.record(idSchema(limits.id), serviceSchema)),
    hours: z.record(
      idSchema(limits.agentId),
      z.strictObject({
        ...hoursSchema.shape,
        organizationId: idSchema(limits.organizationId).optional(),
        exceptions: exceptionsSchema.optional(),
      }),
    ),
  })
  .partial();
