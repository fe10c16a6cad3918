import * as z from 'zod';
import { hours, limits, minutes, parseLocale, readNotificationHeaders } from '@calends/model';
import { idSchema } from './id-schema.js';
import {
  defaultNotificationSettings,
  type NotificationSettings,
  notificationSettingsSchema,
} from './notification-settings.js';

/** Automatic activation (D18). */
export interface AutoActivationSettings {
  /** Whether workers activate appointments by themselves. Default true. */
  readonly enabled: boolean;
  /** How long before the start, in milliseconds. */
  readonly leadTime: number;
}

/** Routing of an application that requests may leave out (D11). */
export interface RoutingSettings {
  /** A registered routing type, for example `PROVIDERA_CLOUD_FLOW`. */
  readonly type: string;
  /** Key of the flow, where the type has one: `PROVIDERA_CLOUD_FLOW`. */
  readonly deploymentId?: string | undefined;
  /** Key of the touchpoint, where the type has one: `PROVIDERB_DIGITAL_CONNECT`. */
  readonly touchpointId?: string | undefined;
}

/** Guard against overlapping appointments (D26). */
export interface OverlapSettings {
  /** Whose double bookings are refused. Default `off`. */
  readonly mode: 'off' | 'agent' | 'customer' | 'both';
  /** Free time kept around each appointment, in milliseconds. */
  readonly buffer: number;
}

/** What a customer may do with a one-time password. */
export interface CustomerCreateSettings {
  /**
   * Send messages to every customer and address of the booking, proven or not (D62). Anybody with a mailbox can have mail
   * sent to anybody then, in your name. Default false: until staff confirms a customer, only over what was proven.
   */
  readonly notifyOthers: boolean;
  /**
   * Whether a customer must name a service, where availability is on. Default: `required` once the application offers one.
   */
  readonly service?: 'optional' | 'required' | undefined;
}

/** How an application behaves; durations are milliseconds. */
export interface ApplicationSettings {
  /** Organization that owns the application; absent = the one of the caller who uses it. */
  readonly organizationId?: string | undefined;
  /** Agents see and change only appointments that they organize or are assigned to (D23). Default true. */
  readonly agentsSeeOnlyOwnAppointments: boolean;
  /** Agents may reassign in v2. Default false. */
  readonly agentReassignmentEnabled: boolean;
  /** Accept a start in the past, for imports and walk-ins (D3). Default false. */
  readonly allowPastStart: boolean;
  /** Activation without a call (D18). Default enabled, PT30M before the start. */
  readonly autoActivation: AutoActivationSettings;
  /** Agent ids of the application; absent = every well-formed id is known (D22). */
  readonly agents?: readonly string[] | undefined;
  /** Organizer where no agent is named (D10). */
  readonly defaultAgent?: string | undefined;
  /** Canonical BCP 47 tag for requests without one. Default `en`. */
  readonly locale: string;
  /** Routing of requests that name none, or only a part of it. Default none. */
  readonly routing?: RoutingSettings | undefined;
  /** Bounds of a duration. Default 1 minute to 24 hours. */
  readonly duration: { readonly min: number; readonly max: number };
  /** Time after the end until nobody having come counts as a no-show (D14). Default 15 minutes. */
  readonly noShowGrace: number;
  /** Refuses double bookings (D26). Default off. */
  readonly overlap: OverlapSettings;
  /** Customers may not cancel later than this before the start (D21). Default no limit. */
  readonly customerCancelCutoff?: number | undefined;
  /** Customers may not reschedule later than this before the start (D21). Default no limit. */
  readonly customerRescheduleCutoff?: number | undefined;
  /** How often customers may reschedule one appointment (D21, D62); null = no limit. Default 5. */
  readonly customerMaxReschedules: number | null;
  /** What customer-create may do. */
  readonly customerCreate: CustomerCreateSettings;
  /** How long after the end customers' personal data is kept (`PDM_EXPIRED`). Default no limit. */
  readonly customerRetention?: number | undefined;
  /** Names of `notificationHeaders` that are forwarded where a customer wrote them (D63). Default none. */
  readonly customerNotificationHeaders: readonly string[];
  /** Names of `notificationHeaders` that are forwarded where staff wrote them (D63). Default every name that may be. */
  readonly staffNotificationHeaders?: readonly string[] | undefined;
  /** Who is told what, over which channel. Default off. */
  readonly notifications: NotificationSettings;
}

/** No application may allow longer appointments, so that stores can bound their look for overlaps. */
export const maxDuration = hours(7 * 24);

/** What an application gets that sets nothing. */
export const defaultApplicationSettings: ApplicationSettings = {
  agentsSeeOnlyOwnAppointments: true,
  agentReassignmentEnabled: false,
  allowPastStart: false,
  autoActivation: { enabled: true, leadTime: minutes(30) },
  locale: 'en',
  duration: { min: minutes(1), max: hours(24) },
  noShowGrace: minutes(15),
  overlap: { mode: 'off', buffer: 0 },
  customerMaxReschedules: 5,
  customerCreate: { notifyOthers: false },
  customerNotificationHeaders: [],
  notifications: defaultNotificationSettings,
};

const milliseconds = z.int().min(0);
const { duration: defaultDuration } = defaultApplicationSettings;
const headerNames = z
  .array(
    z.string().refine((name) => readNotificationHeaders({ [name]: '' }).ok, {
      error: 'must be the name of a header that may be forwarded (D63)',
    }),
  )
  .max(limits.headerEntries);
const agentId = idSchema(limits.agentId);

/** What a configured application may hold; durations are milliseconds. */
export const configuredApplicationSchema = z
  .strictObject({
    organizationId: idSchema(limits.organizationId),
    agentsSeeOnlyOwnAppointments: z.boolean(),
    agentReassignmentEnabled: z.boolean(),
    allowPastStart: z.boolean(),
    autoActivation: z.strictObject({ enabled: z.boolean(), leadTime: milliseconds }).partial(),
    agents: z.array(agentId),
    defaultAgent: agentId,
    locale: z.string().refine((tag) => parseLocale(tag) === tag, {
      error: 'must be a canonical BCP 47 language tag',
    }),
    routing: z.strictObject({
      type: z.string().min(1),
      deploymentId: z.string().min(1).max(limits.mapValue).optional(),
      touchpointId: z.string().min(1).max(limits.mapValue).optional(),
    }),
    duration: z
      .strictObject({
        min: z.int().min(1).max(maxDuration),
        max: z.int().min(1).max(maxDuration),
      })
      .partial()
      .refine(({ min = defaultDuration.min, max = defaultDuration.max }) => min <= max, {
        error: 'min must not be above max',
      }),
    noShowGrace: milliseconds,
    overlap: z.strictObject({
      mode: z.enum(['off', 'agent', 'customer', 'both']),
      buffer: milliseconds.max(maxDuration).optional(),
    }),
    customerCancelCutoff: milliseconds,
    customerRescheduleCutoff: milliseconds,
    customerMaxReschedules: z.int().min(0).nullable(),
    customerCreate: z.strictObject({
      notifyOthers: z.boolean().optional(),
      service: z.enum(['optional', 'required']).optional(),
    }),
    customerRetention: milliseconds,
    customerNotificationHeaders: headerNames,
    staffNotificationHeaders: headerNames,
    notifications: notificationSettingsSchema,
  })
  .partial();
