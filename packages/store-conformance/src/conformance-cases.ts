import { type ConformanceGroup, conformanceLevels, type ConformanceLevel, type group } from './conformance-case.js';
import { auditRecordGroup } from './groups/audit-record.js';
import { auditRefusalsGroup } from './groups/audit-refusals.js';
import { auditSealsGroup } from './groups/audit-seals.js';
import { availabilityCommitsGroup } from './groups/availability-commits.js';
import { availabilityModelGroup } from './groups/availability-model.js';
import { availabilityRacesGroup, sharedAvailabilityGroup } from './groups/availability-races.js';
import { availabilityRecordsGroup } from './groups/availability-records.js';
import { busyTimesGroup } from './groups/busy-times.js';
import { claimTransitionsGroup } from './groups/claim-transitions.js';
import { concurrencyGroup } from './groups/concurrency.js';
import { countingGroup } from './groups/counting.js';
import { customerSearchGroup } from './groups/customer-search.js';
import { deliveryEventsGroup } from './groups/delivery-events.js';
import { dueClaimsGroup } from './groups/due-claims.js';
import { durabilityGroup } from './groups/durability.js';
import { eligibleGroup } from './groups/eligible.js';
import { eventClaimsGroup } from './groups/event-claims.js';
import { eventsGroup } from './groups/events.js';
import { faultsGroup } from './groups/faults.js';
import { holdsGroup } from './groups/holds.js';
import { isolationGroup } from './groups/isolation.js';
import { limitsGroup } from './groups/limits.js';
import { listFiltersGroup } from './groups/list-filters.js';
import { namedKeysGroup } from './groups/named-keys.js';
import { naiveModelGroup, notificationModelGroup } from './groups/naive-model.js';
import { listOrderGroup } from './groups/list-order.js';
import { lookalikesGroup } from './groups/lookalikes.js';
import { millisecondsGroup } from './groups/milliseconds.js';
import { notificationCancellingGroup } from './groups/notification-cancelling.js';
import { notificationClaimsGroup } from './groups/notification-claims.js';
import { notificationConcurrencyGroup } from './groups/notification-concurrency.js';
import { notificationFiltersGroup } from './groups/notification-filters.js';
import { notificationLookalikesGroup } from './groups/notification-lookalikes.js';
import { notificationLookupsGroup } from './groups/notification-lookups.js';
import { notificationOrderGroup } from './groups/notification-order.js';
import { notificationPlanningGroup } from './groups/notification-planning.js';
import { notificationRoundTripGroup } from './groups/notification-round-trip.js';
import { notificationSettlingGroup } from './groups/notification-settling.js';
import { oneTimePasswordsGroup } from './groups/one-time-passwords.js';
import { overlapGuardGroup } from './groups/overlap-guard.js';
import { profilesGroup } from './groups/profiles.js';
import { proofCommitsGroup } from './groups/proof-commits.js';
import { proofGuardGroup } from './groups/proof-guard.js';
import { proofConcurrencyGroup } from './groups/proof-concurrency.js';
import { reminderReleaseGroup } from './groups/reminder-release.js';
import { requestsGroup } from './groups/requests.js';
import { auditTrimmingGroup } from './groups/audit-trimming.js';
import { retentionGroup } from './groups/retention.js';
import { roundTripGroup } from './groups/round-trip.js';
import { severalProcessesGroup } from './groups/several-processes.js';
import { spanGuardGroup } from './groups/span-guard.js';
import { standingGroup } from './groups/standing.js';
import { actorTimesGroup } from './groups/actor-times.js';
import { ticketsGroup } from './groups/tickets.js';
import { twoDoorsGroup } from './groups/two-doors.js';
import { unreadEventsGroup } from './groups/unread-events.js';
import { writingGroup } from './groups/writing.js';

const byLevel: Readonly<Record<ConformanceLevel, readonly ReturnType<typeof group>[]>> = {
  appointments: [
    ...[
      standingGroup,
      unreadEventsGroup,
      roundTripGroup,
      writingGroup,
      lookalikesGroup,
      isolationGroup,
      listFiltersGroup,
      listOrderGroup,
    ],
    ...[naiveModelGroup, eligibleGroup, countingGroup, overlapGuardGroup, dueClaimsGroup, concurrencyGroup],
    ...[millisecondsGroup, faultsGroup, severalProcessesGroup],
  ],
  requests: [requestsGroup],
  customers: [profilesGroup, customerSearchGroup, oneTimePasswordsGroup, ticketsGroup, proofGuardGroup],
  events: [eventsGroup, eventClaimsGroup],
  notifications: [
    ...[notificationRoundTripGroup, notificationPlanningGroup, notificationCancellingGroup, notificationClaimsGroup],
    ...[claimTransitionsGroup, reminderReleaseGroup, notificationSettlingGroup, notificationFiltersGroup],
    ...[deliveryEventsGroup, notificationOrderGroup, notificationModelGroup, notificationLookupsGroup],
    ...[notificationLookalikesGroup, notificationConcurrencyGroup],
  ],
  audit: [
    ...[proofCommitsGroup, auditRecordGroup, auditRefusalsGroup, auditSealsGroup, proofConcurrencyGroup],
    durabilityGroup,
  ],
  keys: [namedKeysGroup],
  availability: [
    ...[availabilityRecordsGroup, busyTimesGroup, actorTimesGroup, spanGuardGroup, holdsGroup, limitsGroup],
    availabilityCommitsGroup,
    ...[availabilityModelGroup, availabilityRacesGroup, sharedAvailabilityGroup, twoDoorsGroup],
  ],
  retention: [retentionGroup, auditTrimmingGroup],
};

/** Every case that a store must pass, by subject, in the order of the levels. */
export const conformanceCases: readonly ConformanceGroup[] = conformanceLevels.flatMap((level) =>
  byLevel[level].map((define) => define(level)),
);
