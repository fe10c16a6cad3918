import type { OpenStore } from '../support/host.js';
import { availabilityRulesSuite } from './availability-rules.js';
import { availabilityStatusSuite } from './availability-statuses.js';
import { availabilityVisitorSuite } from './availability-visitors.js';
import { availabilitySuite } from './availability.js';
import { concurrencySuite } from './concurrency.js';
import { conditionsSuite } from './conditions.js';
import { customerCreateSuite } from './customer-create.js';
import { customerSuite } from './customers.js';
import { eligibleSuite } from './eligible.js';
import { limitSuite } from './limits.js';
import { otpFloodSuite } from './otp-floods.js';
import { hostileInputSuite } from './hostile-input.js';
import { isolationSuite } from './isolation.js';
import { lastYearSuite } from './last-year.js';
import { listingSuite } from './listing.js';
import { lostProofSuite } from './lost-proofs.js';
import { notificationAccessSuite } from './notification-access.js';
import { notificationDeliverySuite } from './notification-delivery.js';
import { notificationEventsSuite } from './notification-events.js';
import { notificationFieldsSuite } from './notification-fields.js';
import { notificationFiltersSuite } from './notification-filters.js';
import { notificationHeaderSuite } from './notification-headers.js';
import { notificationHostileSuite } from './notification-hostile.js';
import { notificationPollingSuite } from './notification-polling.js';
import { notificationRetrySuite } from './notification-retry.js';
import { notificationSuite } from './notifications.js';
import { publishedFailureSuite } from './published-failures.js';
import { roleMatrixSuite } from './role-matrix.js';
import { secretRotationSuite } from './secret-rotation.js';
import { statusSuite } from './statuses.js';
import { v1AppointmentSuite } from './v1-appointments.js';
import { v2AppointmentSuite } from './v2-appointments.js';
import { webhookEndpointSuite } from './webhook-endpoints.js';

const suites = [
  v2AppointmentSuite,
  v1AppointmentSuite,
  listingSuite,
  eligibleSuite,
  notificationSuite,
  notificationDeliverySuite,
  notificationFieldsSuite,
  notificationFiltersSuite,
  notificationAccessSuite,
  notificationPollingSuite,
  notificationRetrySuite,
  notificationEventsSuite,
  notificationHostileSuite,
  notificationHeaderSuite,
  conditionsSuite,
  statusSuite,
  roleMatrixSuite,
  isolationSuite,
  hostileInputSuite,
  concurrencySuite,
  customerSuite,
  limitSuite,
  secretRotationSuite,
  lostProofSuite,
  otpFloodSuite,
  customerCreateSuite,
  publishedFailureSuite,
  webhookEndpointSuite,
  availabilitySuite,
  availabilityRulesSuite,
  availabilityVisitorSuite,
  availabilityStatusSuite,
  lastYearSuite,
];

/** Everything that the HTTP services promise, on one store; each suite opens an empty one. */
export function everySuite(name: string, open: OpenStore): void {
  for (const suite of suites) suite(name, open);
}
