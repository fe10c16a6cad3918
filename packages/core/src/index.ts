/**
 * Appointment scheduling: domain, use cases and ports.
 *
 * @packageDocumentation
 */
export { type Actor, type ActorType, type Caller, type ManageClaims, type Role, roles, workerActor } from './caller.js';
export {
  CalendsError,
  type CalendsErrorOptions,
  type ErrorCode,
  errorCodes,
  type InputIssue,
  type TimeReason,
  type TimeReasonCode,
  timeReasonCodes,
} from './errors.js';
export {
  type ManageAction,
  manageActions,
  type OperationName,
  type OperationRow,
  operationTable,
} from './operation-table.js';
export { type Page, pageSizes, type SortOrder } from './page.js';

export {
  type AbortedAppointment,
  type AccessGrant,
  type ActivatedAppointment,
  type Appointment,
  type AppointmentFields,
  type AppointmentState,
  appointmentStates,
  type Cancellation,
  type CancelledAppointment,
  conferenceIdOf,
  isLive,
  type LiveAppointment,
  type Metadata,
  type ContactChannel,
  type Participant,
  type ParticipantType,
  type Schedule,
  type ScheduledAppointment,
} from './appointments/appointment.js';
export { type ActorIndexEntry, type ActorRelation, actorsOf, blocksTime } from './appointments/actor-index.js';
export {
  type DomainEvent,
  type DomainEventData,
  type DomainEventType,
  domainEventTypes,
  type EventSchedule,
} from './appointments/events.js';
export { describeDuration, type DurationForms, formatDuration, parseDuration } from './appointments/iso-duration.js';
export { formatInstant, type Instant, parseInstant } from './appointments/instant.js';
export {
  type ActorStamp,
  type ErrorData,
  type Interaction,
  type InteractionState,
  interactionStates,
  type Routing,
} from './appointments/interaction.js';

export type { CustomerProfile, ProfileRemoval, RemovalReason } from './customers/profile.js';
export type { OtpChallenge, OtpConsumption } from './customers/one-time-password.js';
export type { Ticket, TicketIssue, TicketKey, TicketKind, TicketRevocation } from './customers/ticket.js';
export type {
  CustomerExport,
  CustomerOperations,
  CustomerRecord,
  CustomerSelection,
  CustomerSession,
  IssueManageLinkCommand,
  ManageLink,
  ManageLinkQuery,
  RequestOtpCommand,
} from './customers/customer-operations.js';
export {
  type AuditEntry,
  type AuditOperation,
  auditOperations,
  type AuditProof,
  auditProofs,
  type AuditRefusal,
  type AuditSeal,
} from './audit/audit-entry.js';
export { type SecurityEvent, type SecurityEventKind, securityEventKinds } from './audit/security-event.js';
export type { AuditOperations, AuditVerification, ListAuditQuery, RefusedCall } from './audit/audit-operations.js';
export type { CalendarFeed, CalendarFeedLink, CalendarFeedOperations } from './calendar/calendar-feeds.js';

export {
  type ApplicationSettings,
  type CustomerCreateSettings,
  type AutoActivationSettings,
  defaultApplicationSettings,
  longestDuration,
  type OverlapSettings,
  type RoutingSettings,
} from './settings/application-settings.js';

export { notificationLimits } from './settings/notification-limits.js';
export {
  type ConfiguredNotifications,
  defaultNotificationSettings,
  type EndpointAuthentication,
  type LatenessSettings,
  type NotificationSettings,
  type RetrySettings,
  type WebhookEndpoint,
} from './settings/notification-settings.js';

export type { AccessDetails, AccessProvider, AccessSubject, RoomOpening } from './ports/access-provider.js';
export type { AgentDirectory, AgentQuery, AgentStanding } from './ports/agent-directory.js';
export { MissingKeyError } from './keys/missing-key-error.js';
export type { Secrets } from './keys/key-ring.js';
export { secretRuleBrokenBy } from './secrets.js';
export type { AppointmentWalk, KeyStore, NamedKey, TicketsOfKey, WalkedAppointment } from './ports/key-store.js';
export type { AuditQuery, AuditStore, SealedAudit, UnsealedAudit } from './ports/audit-store.js';
export type { Clock } from './ports/clock.js';
export {
  type AppointmentChange,
  type Change,
  type CommitRefusal,
  commitRefusals,
  type CommitOptions,
  type CommitResult,
  type OverlapGuard,
  type ProofGuard,
  type RefusalStatus,
  type RequestCompletion,
  type RequestKey,
} from './ports/commit.js';
export type { SpanName, SpanSettings, TracedSpan, Tracer } from './ports/tracer.js';
export type { JoinableStore, JoinedStore } from './ports/joinable-store.js';
export type { CustomerContact, CustomerDirectory, CustomerQuery } from './ports/customer-directory.js';
export type { CustomerSearch, CustomerStore, OtpContactNote, OtpTry } from './ports/customer-store.js';
export type { EventPublisher } from './ports/event-publisher.js';
export type { Ids } from './ports/ids.js';
export type { ManageProof, ManageProofVerifier, ProvenManageTicket } from './ports/manage-proof-verifier.js';
export type { DeliveryOutcome, Observer, Signal } from './ports/observer.js';
export type { OtpAttempt, OtpProof, OtpVerifier } from './ports/otp-verifier.js';
export {
  type AppointmentList,
  type AppointmentListQuery,
  type AppointmentSortField,
  appointmentSortFields,
  type Claim,
  type ClaimedEvent,
  type DueAppointment,
  type EventOutcome,
  type EventQuery,
  type Postponement,
  type SchedulingStore,
  type StoreCapabilities,
  type StoreReport,
  type StoredRequest,
  type WindowCountQuery,
  type EligiblePage,
} from './ports/scheduling-store.js';
export {
  StoreError,
  type StoreErrorCode,
  type StoreErrorOptions,
  type StoreErrorOutcome,
  type StoreErrorReason,
} from './ports/store-error.js';
export type { TimeRange, TimeWindow } from './ports/time-range.js';
export type {
  Backlog,
  ClaimedNotification,
  EndpointKey,
  EndpointState,
  Listed,
  ListedDeliveryEvent,
  ListedNotification,
  SendLook,
  StandingNotification,
  NotificationCancellation,
  NotificationChanges,
  NotificationClaim,
  NotificationClaims,
  NotificationQuery,
  NotificationScope,
  NotificationStore,
  NotificationUpdate,
  QueueRepair,
  NotificationWrite,
  WakeInterests,
} from './ports/notification-store.js';
export type {
  DeliveryReport,
  Notifier,
  NotifierCapability,
  Notifiers,
  ProviderReference,
  SendAttempt,
  SendResult,
  WebhookNotifier,
} from './ports/notifier.js';
export type { Admission, LimitedCall, LimitedClass, LimitedRequest, Limiter } from './ports/limiter.js';
export type { CustomerLinks, LinkRequest, LinkSource } from './ports/link-source.js';
export type { Random } from './ports/random.js';
export type { SecureRandom } from './ports/secure-random.js';
export type { ConfiguredApplication, SettingsSource } from './ports/settings-source.js';

export type {
  AbortCommand,
  AddParticipantCommand,
  CallOptions,
  CancelCommand,
  ContactInput,
  CountQuery,
  CustomerInput,
  IdempotencyOptions,
  ListAppointmentsQuery,
  MoveInteractionCommand,
  OptionalText,
  RangeInput,
  ReassignCommand,
  RemoveParticipantCommand,
  RescheduleCommand,
  RoutingInput,
  ScheduleCommand,
  ScheduleOptions,
  UpdateCommand,
  UpdateParticipantCommand,
  ConfirmParticipantCommand,
  WindowCount,
} from './appointments/commands.js';
export { builtInRoutingProviders, type RoutingProvider } from './appointments/routing.js';
export {
  type Addressee,
  type DeliveryEvent,
  deliveryEventId,
  type DeliveryPhase,
  deliveryPhases,
  type Notification,
  type NotificationChannel,
  notificationChannels,
  type NotificationState,
  notificationStates,
  type NotificationType,
  notificationTypes,
} from './notifications/notification.js';
export {
  type NotificationEvent,
  type NotificationEventSortField,
  notificationEventSortFields,
  type NotificationRecipient,
  type NotificationSortField,
  notificationSortFields,
  type NotificationStatus,
  type PollProperty,
} from './notifications/notification-status.js';
export { dedupeKeyOf, type DedupeParts } from './notifications/dedupe-key.js';
export type {
  CalendarFile,
  EmailMessage,
  MessageContext,
  SmsMessage,
  WebhookMessage,
} from './notifications/messages.js';
export { isMailAddress, type Mailbox, parseMailbox } from './notifications/mailbox.js';
export { pollPropertyFault, type PollPropertyName, pollPropertyNames } from './notifications/poll-properties.js';
export { type CustomerMessageType, type TemplateKey, templateKeys } from './notifications/templates/template-keys.js';
export type { TemplateOverrides } from './notifications/templates/template-overrides.js';
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
} from './notifications/endpoint-operations.js';
export type {
  DeliveryReceipt,
  NotificationListQuery,
  NotificationOperations,
  RetryOptions,
} from './notifications/notification-operations.js';
export type { SchedulingOptions, SigningKey, WorkerOptions } from './options.js';
export type {
  AccessOperations,
  AppointmentOperations,
  CheckReport,
  CustomerCredentials,
  EventOperations,
  JoinClaims,
  Scheduling,
  SchedulingWithin,
} from './scheduling.js';
export type { ChannelHealth, WorkerHealth, WorkerPass, Workers } from './workers/workers.js';

export { type SignedAccessOptions, signedAccess } from './access/signed-access.js';
export { type ICalendarOptions, toICalendar } from './calendar/icalendar.js';
export { formatLocale, parseLocale } from './appointments/locale.js';
export {
  type HeaderFault,
  type HeaderReading,
  notForwardedHeaders,
  notificationHeaderLimits,
  readHeaderMap,
  readNotificationHeaders,
} from './appointments/notification-headers.js';
export {
  type Disambiguation,
  instantOfWallClock,
  offsetAt,
  parseTimeZone,
  type WallClock,
  wallClockAt,
} from './appointments/time-zone.js';
export { isWellFormedId } from './appointments/well-formed-id.js';
export { createScheduling } from './create-scheduling.js';
export { limits } from './limits.js';
export type { Ports } from './ports/ports.js';
export { agentLists } from './settings/agent-lists.js';
export { clientAddressOf, limitedSource, type Peer } from './limiting/client-address.js';
export { defaultLimits, limiterOf, type LimitNumbers, requestLimiter } from './limiting/request-limiter.js';
export type { BucketSize } from './limiting/token-buckets.js';
export { randomIds } from './system/random-ids.js';
export { systemClock } from './system/system-clock.js';
export type { Configuration } from './wire-scheduling.js';
