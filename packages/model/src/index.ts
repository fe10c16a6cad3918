/**
 * What the library and its HTTP contract agree on.
 *
 * @packageDocumentation
 */
export {
  dateSchema,
  exceptionSchema,
  type HoursException,
  type HoursRules,
  hoursSchema,
  isCalendarDate,
} from './availability/hours.js';
export { serviceSchema, type ServiceRules, zoneSchema } from './availability/service.js';
export { faultWords } from './fault-words.js';
export { type FieldError, type FieldErrorCode, fieldErrorCodes, type InputIssue } from './field-error.js';
export { limits } from './limits.js';
export { remembered } from './remembered.js';
export {
  type AppointmentSortField,
  appointmentSortFields,
  type AppointmentState,
  appointmentStates,
  assignmentStrategies,
  liveAppointmentStates,
  type ChatMode,
  chatModes,
  type ErrorCode,
  errorCodes,
  gridAnchors,
  type InteractionState,
  interactionStates,
  limitScopes,
  limitSubjects,
  limitWindows,
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
  type OverridableReason,
  overridableReasons,
  type PartyType,
  partyTypes,
  type PersonType,
  personTypes,
  type PollPropertySource,
  pollPropertySources,
  requirementKinds,
  type Role,
  roles,
  type RoutingType,
  routingTypes,
  type SortOrder,
  sortOrders,
  type TimeReasonCode,
  timeReasonCodes,
  type Weekday,
  weekdays,
} from './sets.js';
export {
  type HeaderFault,
  type HeaderReading,
  mayBeForwarded,
  notForwardedHeaders,
  readHeaderMap,
  readHeaderText,
  readNotificationHeaders,
} from './text/notification-headers.js';
export { checkIsObject, checkOptionNames, unknownOption, unknownOptions } from './option-names.js';
export { plainIssues } from './plain-issues.js';
export { didYouMean } from './text/nearest-name.js';
export {
  defaultOrganization,
  directionOf,
  formatLocale,
  idRule,
  isIdText,
  isMailAddress,
  isPhoneNumber,
  isReservedName,
  isSafeText,
  isWebAddress,
  isWellFormedId,
  type Mailbox,
  mailboxField,
  parseLocale,
  parseMailbox,
  tagOfDates,
} from './text/string-rules.js';
export { webhookKeyOf, webhookSecretBytes, webhookSecretPrefix } from './text/webhook-secret.js';
export { firstInstant, formatInstant, type Instant, lastInstant, parseInstant } from './time/instant.js';
export {
  describeDuration,
  type DurationForms,
  formatDuration,
  isCalendarDuration,
  parseDuration,
} from './time/iso-duration.js';
export type { OffsetSpan } from './time/time-zone.js';
export type { TimeRange, TimeWindow } from './time/instant.js';
export { days, hours, minutes, seconds } from './time/instant.js';
export { timeZoneNames } from './time/time-zone-names.js';
export {
  type Disambiguation,
  instantOfWallClock,
  offsetAt,
  offsetSpanAt,
  parseTimeZone,
  type WallClock,
  wallClockAt,
} from './time/time-zone.js';
