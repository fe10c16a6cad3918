/**
 * The suite that every store of Calends must pass, independent of the test runner, and its fixtures.
 *
 * @packageDocumentation
 */
export type {
  Case,
  CaseContext,
  CaseRequirement,
  ConformanceCase,
  ConformanceGroup,
  ConformanceHarness,
  ConformanceLevel,
  OpenedStore,
} from './conformance-case.js';
export { conformanceLevels } from './conformance-case.js';
export { conformanceCases } from './conformance-cases.js';
export { type DoorRace, doorRaces, type Doors } from './door-races.js';
export { type Rule, rules } from './rules.js';
export {
  type ConformanceRun,
  runConformance,
  type SkippedCase,
  skippedCases,
  type TestBody,
} from './run-conformance.js';

export {
  aCancelledAppointment,
  agent,
  anAbortedAppointment,
  anActivatedAppointment,
  type AppointmentOverrides,
  aProfile,
  aScheduledAppointment,
  customer,
  type FixtureOf,
  fixtureStart,
} from './fixtures/appointments.js';
export {
  aHold,
  aRecord,
  booked,
  busyOf,
  busyQuery,
  deleting,
  guardOf,
  heldAt,
  holding,
  type HoldOverrides,
  recording,
} from './fixtures/availability.js';
export { anEntry, aRefusal, aSeal, refusedEntry } from './fixtures/audit.js';
export { auditQuery, deliveryEventQuery, listQuery, notificationQuery } from './fixtures/queries.js';
export {
  type ChangeExtras,
  insertion,
  keeping,
  nextVersion,
  removal,
  update,
  type UpdateExtras,
} from './fixtures/changes.js';
export { anEvent } from './fixtures/events.js';
export {
  adding,
  changed,
  deliveryEvent,
  notification,
  notificationIn,
  notifying,
  written,
} from './fixtures/notifications.js';
export {
  aChallenge,
  aFeedTicket,
  aTicket,
  consumptionOf,
  firstIssue,
  proving,
  ticketKeyOf,
} from './fixtures/proofs.js';
export { aRequest, completing, keyOf } from './fixtures/requests.js';
