import * as z from 'zod';
import { limits, minutes, parseLocale, readNotificationHeaders } from '@calends/model';
import { maxDuration } from './application-settings.js';
import { byChannelKey } from './channels.js';
import { notificationSettingsSchema } from './notification-settings-schema.js';

const milliseconds = z.int().min(0);
const headerNames = z
  .array(
    z.string().refine((name) => readNotificationHeaders({ [name]: '' }).ok, {
      error: 'must be the name of a header that may be forwarded (D63)',
    }),
  )
  .max(limits.headerEntries);
const agentId = z.string().min(1).max(limits.agentId);

/** What a configured application may hold; durations are milliseconds. */
export const configuredApplicationSchema = z
  .strictObject({
    organizationId: z.string().min(1).max(128),
    agentsSeeOnlyOwnAppointments: z.boolean(),
    agentReassignmentEnabled: z.boolean(),
    allowPastStart: z.boolean(),
    autoActivation: z.strictObject({ enabled: z.boolean(), leadTime: milliseconds }),
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
      .refine(({ min, max }) => min <= max, { error: 'min must not be above max' }),
    noShowGrace: milliseconds,
    overlap: z.strictObject({
      mode: z.enum(['off', 'agent', 'customer', 'both']),
      buffer: milliseconds.max(maxDuration),
    }),
    customerCancelCutoff: milliseconds,
    customerRescheduleCutoff: milliseconds,
    customerMaxReschedules: z.int().min(0).nullable(),
    customerCreate: z.strictObject({ notifyOthers: z.boolean() }),
    customerRetention: milliseconds,
    customerNotificationHeaders: headerNames,
    staffNotificationHeaders: headerNames,
    notifications: notificationSettingsSchema,
  })
  .partial();

const slotCount = z.int().min(1).max(1000);

/** How the background work may be set. */
export const workerOptionsSchema = z
  .strictObject({
    interval: z.int().min(10).max(minutes(5)),
    batchSize: z.int().min(1).max(1000),
    lease: z.int().min(1000),
    slots: z.strictObject(byChannelKey(() => slotCount)).partial(),
    deliveryLease: z.int().min(1000),
    settleWait: z.int().min(0).max(minutes(1)),
    eventRetention: milliseconds,
  })
  .partial();
