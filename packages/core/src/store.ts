/**
 * What the author of a store needs: the port by subject, and the records that it keeps.
 *
 * @packageDocumentation
 */
export {
  type Instant,
  type AppointmentSortField,
  appointmentSortFields,
  appointmentStates,
  checkIsObject,
  checkOptionNames,
  type InteractionState,
  interactionStates,
  liveAppointmentStates,
  type NotificationChannel,
  notificationChannels,
  type NotificationEventSortField,
  notificationEventSortFields,
  type NotificationSortField,
  notificationSortFields,
  type NotificationState,
  notificationStates,
  type NotificationType,
  notificationTypes,
  type SortOrder,
  type TimeRange,
  type TimeWindow,
} from '@calends/model';
export { compareText } from './support/compare-text.js';
export { dropRejection, dropRejectionsIn, isEmptyInstance, quietly } from './support/host-answers.js';
export { type Actor, workerActor } from './domain/calls/caller.js';
export {
  type AbortedAppointment,
  type AccessGrant,
  type ActivatedAppointment,
  type AppointmentFields,
  type BookedService,
  type Cancellation,
  type CancelledAppointment,
  type CountedPlace,
  countedPlace,
  isLive,
  type LiveAppointment,
  type Metadata,
  type ScheduledAppointment,
} from './domain/appointments/appointment.js';
export type { ContactChannel } from './settings/channels.js';
export {
  type ActorIndexEntry,
  type ActorRelation,
  actorRelations,
  actorsOf,
  blocksTime,
  serviceActorId,
} from './domain/appointments/participants.js';
export type { DomainEventData, EventSchedule } from './domain/appointments/events.js';
export type { ActorStamp, ErrorData, Interaction, Routing } from './domain/appointments/interaction.js';
export type { CustomerProfile, ProfileRemoval, RemovalReason } from './domain/customers/profile.js';
export type {
  OtpChallenge,
  OtpConsumption,
  Ticket,
  TicketIssue,
  TicketKey,
  TicketKind,
  TicketRevocation,
} from './domain/customers/proofs.js';
export {
  type AuditEntry,
  type AuditProof,
  auditProofs,
  type AuditRefusal,
  type AuditSeal,
} from './domain/audit/audit-entry.js';
export { maxDuration } from './settings/application-settings.js';
export type { KeyStore, NamedKey } from './ports/store/keys.js';
export type { CustomerSearch, CustomerStore, OtpContactNote, OtpTry, TicketsOfKey } from './ports/store/customers.js';
export type { AuditQuery, AuditStore, SealedAudit, UnsealedAudit } from './ports/store/audit.js';
export {
  type AppointmentChange,
  type AvailabilityRecordChange,
  type Change,
  type CommitRefusal,
  commitRefusals,
  type CommitOptions,
  type CommitResult,
  type HoldChanges,
  type LimitGuard,
  type OverlapGuard,
  type ProofGuard,
  type RefusalStatus,
} from './ports/store/commit.js';
export {
  type AvailabilityKey,
  type AvailabilityKind,
  type AvailabilityMark,
  availabilityKinds,
  type AvailabilityRecord,
  type AvailabilityRecordQuery,
  type AvailabilityStore,
  type BusyEntry,
  type BusyQuery,
  type Hold,
  type TimesQuery,
  type ActorTimes,
} from './ports/store/availability.js';
export { actorTimes, recordsOfTimes } from './ports/store/actor-times.js';
export type { RequestCompletion, RequestKey, RequestStore, StoredRequest } from './ports/store/requests.js';
export type { AuditTrim, JobClaim, NotificationPurge, RetentionStep, RetentionStore } from './ports/store/retention.js';
export { guardedTracer } from './ports/guarded-tracer.js';
export type { SpanName, SpanSettings, TracedSpan } from './ports/tracer.js';
export {
  type AppointmentListQuery,
  type AppointmentStore,
  type AppointmentWalk,
  type Claim,
  type DueClaim,
  type CountRepair,
  type DueAppointment,
  type AppointmentVersion,
  type EligiblePage,
  type Listed,
  type PageRequest,
  type Postponement,
  type WalkedAppointment,
  type WindowCountQuery,
  type ShownRead,
  copiesMayLack,
} from './ports/store/appointments.js';
export type { ClaimedEvent, EventOutcome, EventQuery, EventRelease, EventStore } from './ports/store/events.js';
export type {
  JoinableStore,
  JoinedStore,
  SchedulingStore,
  StoreCapabilities,
  StoreReport,
  WakeInterests,
} from './ports/store/store.js';
export { type StoreCall, storeMethods, type WrapCall, wrapStore } from './ports/store/store-methods.js';
export {
  StoreError,
  type StoreErrorCode,
  type StoreErrorOptions,
  type StoreErrorOutcome,
  type StoreErrorReason,
} from './ports/store/store-error.js';
export type {
  Backlog,
  EndpointKey,
  EndpointState,
  KeptSearch,
  ListedDeliveryEvent,
  SendLook,
  StandingNotification,
  NotificationCancellation,
  NotificationChanges,
  NotificationClaim,
  NotificationClaims,
  NotificationQuery,
  NotificationScope,
  NotificationStore,
  QueueRepair,
} from './ports/store/notifications.js';
export {
  type Addressee,
  type ClaimedNotification,
  type DeliveryEvent,
  deliveryEventId,
  type DeliveryPhase,
  deliveryPhases,
  type ListedNotification,
  type DeliveryState,
  type Notification,
  type NotificationUpdate,
  type NotificationWrite,
} from './domain/notifications/notification.js';
export type { AuditOperation } from './domain/operation-table.js';
