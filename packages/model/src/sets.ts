/** The roles of the documents (appointment spec: Authentication, rule 2; notification spec: Authentication). */
export const roles = ['ROLE_AGENT', 'ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE', 'ROLE_CUSTOMER', 'ROLE_ADMIN'] as const;

/** One of {@link roles}. */
export type Role = (typeof roles)[number];

/** Kinds of people and systems around an appointment (spec: Resources and their fields; D10). */
export const partyTypes = ['CUSTOMER', 'AGENT', 'SYSTEM'] as const;

/** One of {@link partyTypes}. */
export type PartyType = (typeof partyTypes)[number];

/** Kinds of people, who can move an interaction (D14). */
export const personTypes = ['AGENT', 'CUSTOMER'] as const satisfies readonly PartyType[];

/** One of {@link personTypes}. */
export type PersonType = (typeof personTypes)[number];

/** Providers of a chat or messaging channel, as printed on the wire (spec: Interaction). */
export const routingTypes = ['PROVIDERA_CLOUD_FLOW', 'PROVIDERB_DIGITAL_CONNECT'] as const;

/** One of {@link routingTypes}. */
export type RoutingType = (typeof routingTypes)[number];

/** Chat modes of the two built-in providers (spec: Interaction, routing `properties`). */
export const chatModes = ['providerA-cloud', 'providerA-web-messaging', 'providerB-digital-connect'] as const;

/** One of {@link chatModes}. */
export type ChatMode = (typeof chatModes)[number];

/** States of an interaction (D14). */
export const interactionStates = [
  'PENDING',
  'INITIATED',
  'IN_PROGRESS',
  'COMPLETED',
  'NO_SHOW',
  'FAILED',
  'CANCELLED',
] as const;

/** One of {@link interactionStates}. */
export type InteractionState = (typeof interactionStates)[number];

/** States of an appointment, the values of the additive v2 list filter `state` (D13, D25). */
export const appointmentStates = ['SCHEDULED', 'ACTIVATED', 'CANCELLED', 'ABORTED'] as const;

/** One of {@link appointmentStates}. */
export type AppointmentState = (typeof appointmentStates)[number];

/** States of an appointment that is neither cancelled nor aborted: it can still take place (D25, D27). */
export const liveAppointmentStates = ['SCHEDULED', 'ACTIVATED'] as const satisfies readonly AppointmentState[];

/** The 16 notification types (notification spec: Query parameters). */
export const notificationTypes = [
  'CREATE',
  'UPDATE',
  'RESCHEDULE',
  'REASSIGN',
  'ROOM',
  'REMINDER',
  'CANCELLED',
  'FOLLOW_UP',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'NO_SHOW',
  'PARTICIPANT_ADDED',
  'PARTICIPANT_REMOVED',
  'PARTICIPANT_UPDATED',
  'INTERACTION_UPDATED',
] as const;

/** One of {@link notificationTypes}. */
export type NotificationType = (typeof notificationTypes)[number];

/** Delivery channels (notification spec: Query parameters). */
export const notificationChannels = ['EMAIL', 'SMS', 'WEBHOOKS'] as const;

/** One of {@link notificationChannels}. */
export type NotificationChannel = (typeof notificationChannels)[number];

/** States of a notification (notification spec: States and transitions; D50). */
export const notificationStates = ['DELIVERED', 'FAILED', 'INITIALIZED', 'PENDING', 'CANCELLED'] as const;

/** One of {@link notificationStates}. */
export type NotificationState = (typeof notificationStates)[number];

/** Where a polling property's value comes from (D58). */
export const pollPropertySources = ['APPLICATION', 'SYSTEM_DEFAULT'] as const;

/** One of {@link pollPropertySources}. */
export type PollPropertySource = (typeof pollPropertySources)[number];

/** Directions of a sort. */
export const sortOrders = ['asc', 'desc'] as const;

/** One of {@link sortOrders}. */
export type SortOrder = (typeof sortOrders)[number];

/** Fields by which appointments can be sorted; the first is the default, ascending (D31). */
export const appointmentSortFields = ['start', 'end', 'duration', 'title', 'timezone', 'applicationId', 'id'] as const;

/** One of {@link appointmentSortFields}. */
export type AppointmentSortField = (typeof appointmentSortFields)[number];

/** Fields by which notification statuses can be sorted; the first is the default, descending (D31). */
export const notificationSortFields = [
  'createdAt',
  'updatedAt',
  'scheduledFor',
  'nextRetryAt',
  'status',
  'type',
  'channel',
  'retryCount',
  'id',
] as const;

/** One of {@link notificationSortFields}. */
export type NotificationSortField = (typeof notificationSortFields)[number];

/** Fields by which notification events can be sorted; the first is the default, descending (D31). */
export const notificationEventSortFields = ['timestamp', 'scheduledFor', 'status', 'type', 'channel', 'id'] as const;

/** One of {@link notificationEventSortFields}. */
export type NotificationEventSortField = (typeof notificationEventSortFields)[number];

/**
 * The closed set of things that can go wrong in a way that a caller can act on (D37, D75).
 *
 * The HTTP contract gives each code its status and title; hosts that call the library directly switch on it.
 */
export const errorCodes = [
  'validation_failed',
  'invalid_schedule',
  'invalid_agent',
  'invalid_state',
  'unauthenticated',
  'forbidden',
  'not_assigned',
  'stale_ticket',
  'outside_cancellation_window',
  'outside_reschedule_window',
  'reschedule_limit',
  'not_found',
  'slot_conflict',
  'hold_lost',
  'limit_reached',
  'version_mismatch',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'retry_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'unavailable',
  'internal',
] as const;

/** One of {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number];

/** The closed set of reasons for which a time cannot be had (D75). */
export const timeReasonCodes = [
  'OFF_GRID',
  'LEAD_TIME',
  'HORIZON',
  'OUTSIDE_HOURS',
  'CLOSED',
  'SOURCE_STALE',
  'BUSY',
  'BUFFER',
  'HELD',
  'BUSY_ELSEWHERE',
  'LIMIT',
  'NO_ACTOR',
] as const;

/** One of {@link timeReasonCodes}. */
export type TimeReasonCode = (typeof timeReasonCodes)[number];

/** Reasons that staff may pass over when they book (docs/guides/services-and-hours.md); what is taken stays taken. */
export const overridableReasons = [
  'OFF_GRID',
  'LEAD_TIME',
  'HORIZON',
  'OUTSIDE_HOURS',
  'CLOSED',
  'LIMIT',
] as const satisfies readonly TimeReasonCode[];

/** One of {@link overridableReasons}. */
export type OverridableReason = (typeof overridableReasons)[number];

/** Days of the week as hours name them; weeks begin on Monday. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** One of {@link weekdays}. */
export type Weekday = (typeof weekdays)[number];

/** Who takes part in a service besides the customer. */
export const requirementKinds = ['agent', 'resource'] as const;

/** Where the grid of starts begins. */
export const gridAnchors = ['midnight', 'opening'] as const;

/** Whom a limit counts for. */
export const limitSubjects = ['agent', 'service'] as const;

/** In which time a limit counts. */
export const limitWindows = ['day', 'week'] as const;

/** What a limit counts: appointments of the service, or all. */
export const limitScopes = ['service', 'any'] as const;

/** How candidates are ordered; none is left out. */
export const assignmentStrategies = ['balanced', 'priority', 'round-robin'] as const;
