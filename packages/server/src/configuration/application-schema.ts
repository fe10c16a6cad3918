import { defaultApplicationSettings as defaults } from '@calends/core';
import { readNotificationHeaders } from '@calends/core/notifier';
import { builtInRoutingProviders, formatDuration, limits, minAges, parseLocale } from '@calends/core/operations';
import * as z from 'zod';
import { availabilitySchema } from './availability-schema.js';
import { notificationsSchema } from './notifications-schema.js';
import { boundedDuration, duration, readBy, section, text, yesOrNo } from './setting-forms.js';

const headerNames = z
  .array(
    z.string().refine((name) => readNotificationHeaders({ [name]: '' }).ok, {
      error: 'must be the name of a header that may be forwarded',
    }),
    { error: 'must be a list of names of headers' },
  )
  .max(limits.headerEntries, { error: `must have at most ${limits.headerEntries} names` });
const agentId = text(limits.agentId);
const entryPoint = text(limits.mapValue).exactOptional();
const routingTypes = builtInRoutingProviders.map(({ type }) => type);

/** What `CALENDS_CONFIG` may say about one application; absent = the default (README: Applications). */
const applicationSchema = section({
  organizationId: text(128).exactOptional(),
  agentsSeeOnlyOwnAppointments: yesOrNo().exactOptional(),
  agentReassignmentEnabled: yesOrNo().exactOptional(),
  allowPastStart: yesOrNo().exactOptional(),
  autoActivation: section({
    enabled: yesOrNo().default(defaults.autoActivation.enabled),
    leadTime: duration.default(defaults.autoActivation.leadTime),
  }).exactOptional(),
  agents: z.array(agentId, { error: 'must be a list of agent ids' }).exactOptional(),
  defaultAgent: agentId.exactOptional(),
  locale: readBy(parseLocale, 'must be a BCP 47 language tag such as en-US', text()).exactOptional(),
  routing: section({
    type: z.enum(routingTypes, { error: `must be one of ${routingTypes.join(', ')}` }),
    deploymentId: entryPoint,
    touchpointId: entryPoint,
  }).exactOptional(),
  duration: section({
    min: boundedDuration
      .refine((milliseconds) => milliseconds > 0, { error: 'must be longer than PT0S' })
      .default(defaults.duration.min),
    max: boundedDuration.default(defaults.duration.max),
  })
    .refine(({ min, max }) => min <= max, { error: 'min must not be above max' })
    .exactOptional(),
  noShowGrace: duration.exactOptional(),
  overlap: section({
    mode: z.enum(['off', 'agent', 'customer', 'both'], { error: 'must be off, agent, customer or both' }),
    buffer: boundedDuration.default(defaults.overlap.buffer),
  }).exactOptional(),
  customerCancelCutoff: duration.exactOptional(),
  customerRescheduleCutoff: duration.exactOptional(),
  customerMaxReschedules: z
    .int({ error: 'must be a whole number from 0 on' })
    .min(0, { error: 'must be a whole number from 0 on' })
    .nullable()
    .exactOptional(),
  customerCreate: section({
    notifyOthers: yesOrNo().default(defaults.customerCreate.notifyOthers),
    service: z.enum(['optional', 'required'], { error: 'must be optional or required' }).exactOptional(),
  }).exactOptional(),
  customerRetention: duration.exactOptional(),
  customerNotificationHeaders: headerNames.exactOptional(),
  staffNotificationHeaders: headerNames.exactOptional(),
  notifications: notificationsSchema.exactOptional(),
});

const durationFrom = (least: number) =>
  duration.refine((milliseconds) => milliseconds >= least, { error: `must be at least ${formatDuration(least)}` });

const applicationId = z.string().min(1).max(limits.id);

/** What the file of `CALENDS_CONFIG` may hold. */
export const configurationSchema = section({
  applications: z
    .record(applicationId, applicationSchema, {
      error: (issue) =>
        issue.code === 'invalid_key'
          ? `the name of an application must have 1 to ${limits.id} characters`
          : 'must be an object of applications by id',
    })
    .default({}),
  availability: availabilitySchema.exactOptional(),
  retention: section({
    events: duration.exactOptional(),
    notifications: durationFrom(minAges.notifications).exactOptional(),
    audit: durationFrom(minAges.audit).exactOptional(),
  }).exactOptional(),
  bookingPage: section({
    applicationId,
    contact: z.enum(['email', 'phone'], { error: 'must be email or phone' }).exactOptional(),
  }).exactOptional(),
});
