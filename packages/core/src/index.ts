/**
 * Appointment scheduling: domain, use cases and ports.
 *
 * @packageDocumentation
 */
export {
  type AppointmentState,
  type ErrorCode,
  errorCodes,
  type InputIssue,
  instantOfWallClock,
  type Role,
  roles,
} from '@calends/model';
export type { Caller } from './domain/calls/caller.js';
export { CalendsError } from './domain/calls/errors.js';
export type { Appointment, Participant, Schedule } from './domain/appointments/appointment.js';
export { type DomainEvent, type DomainEventType, domainEventTypes } from './domain/appointments/events.js';
export {
  type ApplicationSettings,
  type CustomerCreateSettings,
  type AutoActivationSettings,
  defaultApplicationSettings,
  type OverlapSettings,
  type RoutingSettings,
} from './settings/application-settings.js';
export {
  type ConfiguredNotifications,
  defaultNotificationSettings,
  type NotificationSettings,
} from './settings/notification-settings.js';
export type { AccessDetails, AccessProvider, AccessSubject, RoomOpening } from './ports/access-provider.js';
export type { AgentDirectory, AgentQuery, AgentStanding } from './ports/agent-directory.js';
export { MissingKeyError } from './keys/key-check.js';
export type { Secrets } from './keys/key-ring.js';
export { type Clock, systemClock } from './ports/clock.js';
export type { Tracer } from './ports/tracer.js';
export type { CustomerContact, CustomerDirectory, CustomerQuery } from './ports/customer-directory.js';
export type { EventPublisher } from './ports/event-publisher.js';
export type { ManageProof, ManageProofVerifier, ProvenManageTicket } from './ports/manage-proof-verifier.js';
export type { Observer, Signal } from './ports/observer.js';
export type { OtpAttempt, OtpProof, OtpVerifier } from './ports/otp-verifier.js';
export type { CustomerLinks, LinkRequest, LinkSource } from './ports/link-source.js';
export type { Ids, Random, SecureRandom } from './ports/random.js';
export type { ConfiguredApplication, SettingsSource } from './ports/settings-source.js';
export type {
  AbortCommand,
  AddParticipantCommand,
  CancelCommand,
  ContactInput,
  CountQuery,
  CustomerInput,
  ListAppointmentsQuery,
  MoveInteractionCommand,
  ReassignCommand,
  RemoveParticipantCommand,
  RescheduleCommand,
  RoutingInput,
  ScheduleCommand,
  UpdateCommand,
  UpdateParticipantCommand,
  ConfirmParticipantCommand,
  WindowCount,
} from './operations/appointments/commands.js';
export type { CallOptions, ScheduleOptions } from './operations/call-options.js';
export type { RoutingProvider } from './domain/appointments/routing.js';
export type { CustomerMessageType } from './domain/notifications/notified-events.js';
export { type TemplateKey, templateKeys, type TemplateOverrides } from './messages/template-keys.js';
export type { AvailabilityOptions } from './settings/availability-options.js';
export type { AvailabilityOperations } from './operations/availability/operations.js';
export type { SchedulingOptions } from './wiring/options.js';
export type { SigningKey } from './support/signed-token.js';
export type { AppointmentOperations } from './operations/appointments/appointments.js';
export type { CustomerCredentials } from './operations/appointments/schedule-appointment.js';
export { type JoinClaims, type SignedAccessOptions, signedAccess } from './access/signed-access.js';
export type { AccessOperations, CheckReport, EventOperations, Scheduling, SchedulingWithin } from './scheduling.js';
export type { WorkerHealth, WorkerOptions, Workers } from './background/workers.js';
export { type ICalendarOptions, toICalendar } from './messages/icalendar.js';
export { createScheduling } from './wiring/create-scheduling.js';
