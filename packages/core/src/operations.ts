/**
 * What doors and servers over the library need besides: questions and answers of all operations, limits, and forms of time.
 *
 * @packageDocumentation
 */
export {
  describeDuration,
  directionOf,
  type Disambiguation,
  type DurationForms,
  formatDuration,
  formatInstant,
  formatLocale,
  isSafeText,
  isWellFormedId,
  type HoursException,
  type HoursRules,
  limits,
  offsetAt,
  parseDuration,
  parseInstant,
  parseLocale,
  parseTimeZone,
  type OverridableReason,
  overridableReasons,
  type PartyType,
  remembered,
  type ServiceRules,
  tagOfDates,
  type TimeReasonCode,
  timeReasonCodes,
  type WallClock,
  wallClockAt,
} from '@calends/model';
export { callerFault, type ManageClaims, ownCaller } from './domain/calls/caller.js';
export type { CalendsErrorOptions, TimeReason } from './domain/calls/errors.js';
export {
  type ManageAction,
  manageActions,
  type OperationName,
  type OperationRow,
  operationTable,
  auditedOperations,
} from './domain/operation-table.js';
export type { AskedPage, Page } from './operations/page.js';
export { conferenceIdOf } from './domain/appointments/appointment.js';
export type {
  CustomerExport,
  CustomerRecord,
  CustomerSelection,
  CustomerSession,
  IssueManageLinkCommand,
  ManageLink,
  ManageLinkQuery,
  RequestOtpCommand,
} from './operations/customers/commands.js';
export type { ConsistentCalls } from './operations/consistency.js';
export type { CustomerOperations } from './operations/customers/customers.js';
export { type SecurityEvent, type SecurityEventKind, securityEventKinds } from './domain/audit/security-event.js';
export type { AuditOperations, AuditVerification, ListAuditQuery } from './operations/audit/audit.js';
export type { RefusedCall } from './operations/refusal-log.js';
export { proofOf } from './domain/audit/audit-entry.js';
export type {
  ExceptionKey,
  ExceptionRecord,
  ExplainQuery,
  Explanation,
  FindQuery,
  HeldTime,
  HoldCommand,
  HoursRecord,
  Offer,
  OfferedService,
  Offers,
  ReleaseCommand,
  ServiceKey,
  ServiceRecord,
  Visitor,
} from './operations/availability/commands.js';
export type { HoursOperations, ServiceOperations } from './operations/availability/operations.js';
export type {
  ActorHours,
  AvailabilitySource,
  HoursQuery,
  KnownService,
  ServiceQuery,
} from './ports/availability-source.js';
export type { BusyElsewhere, BusySource, BusySourceQuery } from './ports/busy-source.js';
export {
  availabilityOptionsSchema,
  type ConfiguredHours,
  holdDurations,
  type HoldOptions,
} from './settings/availability-options.js';
export { minAges, type RetentionOptions } from './settings/retention-options.js';
export type { RemovedKind } from './ports/observer.js';
export type { CalendarFeed, CalendarFeedLink, CalendarFeedOperations } from './operations/calendar/calendar-feeds.js';
export { type LatenessSettings, notificationLimits, type RetrySettings } from './settings/notification-settings.js';
export { isWebLink } from './messages/plain-text.js';
export { isWebAddress } from '@calends/model';
export type { SealingOperations, SealSettings } from './keys/sealing.js';
export { secretRuleBrokenBy } from './support/secrets.js';
export {
  type Admission,
  type LimitedCall,
  type LimitedClass,
  type LimitedRequest,
  type Limiter,
} from './ports/limiter.js';
export type { OptionalText, RangeInput, WrittenFields } from './operations/appointments/commands.js';
export type { IdempotencyOptions } from './operations/call-options.js';
export { builtInRoutingProviders } from './domain/appointments/routing.js';
export type {
  NotificationEvent,
  NotificationRecipient,
  NotificationStatus,
  ShownDelivery,
} from './domain/notifications/notification-status.js';
export {
  type PollProperty,
  pollPropertyFault,
  type PollPropertyName,
  pollPropertyNames,
} from './settings/poll-properties.js';
export type {
  EndpointDetails,
  EndpointFailure,
  EndpointOperations,
  EndpointOptions,
  EndpointReference,
  EndpointReplay,
  EndpointStatus,
  EndpointTest,
  ReplayQuery,
} from './operations/notifications/endpoint-operations.js';
export type { NotificationListQuery } from './operations/notifications/list-notifications.js';
export type { DeliveryReceipt, NotificationOperations } from './operations/notifications/notifications.js';
export type { RetryOptions } from './operations/notifications/retry-notification.js';
export type { WorkerPass } from './background/workers.js';
export type { ChannelHealth } from './delivery/channel-worker.js';
export type { PortOptions, Ports } from './ports/ports.js';
export { agentLists, unlistedAgent, unlistedDefaultAgents } from './ports/agent-directory.js';
export { inTime } from './delivery/call-provider.js';
export { boundedLimiter } from './wiring/bounded-ports.js';
export { clientAddressOf, limitedSource, type Peer } from './limiting/request-limiter.js';
export { defaultLimits, limiterOf, type LimitNumbers, requestLimiter } from './limiting/request-limiter.js';
export type { BucketSize } from './limiting/token-buckets.js';
export { randomIds } from './ports/random.js';
export { checkScheduling } from './wiring/check-scheduling.js';
export type { Configuration } from './wiring/wire-scheduling.js';
export type { Some } from './support/some.js';
