import type { OperationId } from '../catalogue.js';
import { availabilityAnswers, availabilityRequests } from './availability-examples.js';
import type {
  RescheduleAppointmentRequest,
  ScheduleAppointmentRequest,
  ScheduleAppointmentRequestV1,
} from '../schemas/appointment-requests.js';
import type { AppointmentResponseV1 } from '../schemas/appointment-responses-v1.js';
import type { AppointmentResponse } from '../schemas/appointment-responses.js';
import type { NotificationEvent, NotificationStatus } from '../schemas/notification-responses.js';

const appointmentId = '01890a5d-ac96-774b-bcce-b302099a8057';
const customerId = '01890a5d-ac96-7b2f-9d3a-6a1f0c9e4d21';
const start = '2035-03-02T09:00:00Z';
const end = '2035-03-02T09:30:00Z';
const agent = { id: 'agent-1', type: 'AGENT' } as const;

const customer = {
  contact: { primaryEmail: 'ada@example.org', primaryPhone: '+431234567' },
  name: { firstName: 'Ada', lastName: 'Example' },
  username: 'ada',
};

const scheduleFields = {
  applicationId: 'app-1',
  duration: 'PT30M',
  interaction: { routing: { type: 'PROVIDERA_CLOUD_FLOW', properties: { deploymentId: 'd-1' } } },
  locale: 'en-US',
  metadata: { topic: 'mortgage' },
  notes: 'Bring the contract.',
  start,
  targetAssignment: agent,
  timezone: 'Europe/Vienna',
  title: 'First consultation',
} as const;

const schedule: ScheduleAppointmentRequest = { ...scheduleFields, customers: [customer] };
const scheduleV1: ScheduleAppointmentRequestV1 = { ...scheduleFields, customer };
const reassign = { id: appointmentId, userId: 'agent-2' };
const reschedule: RescheduleAppointmentRequest = {
  id: appointmentId,
  start: '2035-03-03T14:00:00+01:00',
  duration: 'PT45M',
  timezone: 'Europe/Vienna',
  locale: 'de-AT',
};
const update = { id: appointmentId, title: 'Second consultation', notes: '' };

const appointmentFields = {
  applicationId: 'app-1',
  duration: 'PT30M (30 minutes)',
  end,
  id: appointmentId,
  locale: 'en_US',
  metadata: { topic: 'mortgage' },
  notes: 'Bring the contract.',
  notificationHeaders: '{}',
  notificationsActive: true,
  start,
  timezone: 'Europe/Vienna',
  title: 'First consultation',
};

const interactionFields = {
  customFields: {},
  properties: {},
  routing: {
    type: 'PROVIDERA_CLOUD_FLOW',
    properties: { deploymentId: 'd-1', chatMode: 'providerA-web-messaging' },
  },
  state: 'PENDING',
} as const;

const listed: AppointmentResponse = {
  ...appointmentFields,
  cancellationReason: null,
  cancelledAt: null,
  cancelledBy: null,
  interaction: { acceptedBy: [], initiatedBy: null, errorData: null, ...interactionFields },
  organizer: agent,
  participants: [{ id: customerId, type: 'CUSTOMER' }, agent],
  targetAssignment: agent,
};
const activated: AppointmentResponse = { ...listed, secureToken: 'eyJhIjoiMDE4OTBhNWQifQ.c2lnbmF0dXJl' };

const listedV1: AppointmentResponseV1 = {
  ...appointmentFields,
  interaction: {
    ...interactionFields,
    routing: { ...interactionFields.routing, properties: { deploymentId: 'd-1', chatMode: 'providerA-cloud' } },
  },
  organizer: { ...agent, state: 'ACTIVE' },
  participantIds: [{ id: customerId, type: 'CUSTOMER' }, agent],
};
const roomAccess = { expires: '2035-03-02T10:30:00Z', url: 'https://rooms.example.org/7hq2mXkW9s0b' };

const page = { pageCount: 1, pageNumber: 1, pageSize: 20, total: 1 };
const appointmentPage = { ...page, sortField: 'start', sortOrder: 'asc' } as const;
const counts = [{ count: 2, duration: 'PT1H', end: '2035-03-02T10:00:00Z', start, timezone: 'UTC' }];

const notificationFields = {
  appointmentId,
  channel: 'EMAIL',
  message: 'Mailbox is full',
  offset: 'PT30M',
  providerStatus: 'bounced',
  recipient: { displayName: 'Ada Example', reasonCode: null, type: 'CUSTOMER' },
  retryCount: 1,
  scheduledFor: '2035-03-02T08:30:00Z',
  status: 'FAILED',
  type: 'REMINDER',
} as const;

const notification: NotificationStatus = {
  ...notificationFields,
  id: '01890a5d-b0a1-7c11-8a55-2f6f0f1f9b10',
  canRetry: true,
  createdAt: '2035-03-01T12:00:00Z',
  updatedAt: '2035-03-02T08:30:02Z',
};

const notificationEvent: NotificationEvent = {
  ...notificationFields,
  id: '01890a5d-b0a2-7d40-b7a7-5b1f2b6a3c4d',
  statusId: notification.id,
  messageId: 'm-1',
  pollAttempts: 0,
  timestamp: '2035-03-02T08:30:02Z',
};

const webhookEndpoint = {
  id: 'crm',
  label: 'CRM',
  types: ['CREATE', 'CANCELLED'],
  enabled: true,
} as const;
const disabledEndpoint = {
  ...webhookEndpoint,
  enabled: false,
  failingSince: '2035-03-01T13:00:00Z',
  disabledAt: '2035-03-01T13:00:00Z',
  disabledReason: 'it answered 410',
};

type Examples = Readonly<Partial<Record<OperationId, unknown>>>;

/** One realistic body for each operation that takes one. */
export const requestExamples: Examples = {
  createAppointment: schedule,
  createAppointmentV1: scheduleV1,
  updateAppointment: { ...update, customer: { id: customerId, name: { firstName: 'Ada', lastName: 'Newname' } } },
  updateAppointmentV1: { ...update, customer: { participantId: customerId, username: 'ada.newname' } },
  createAppointmentAsCustomer: schedule,
  createAppointmentAsCustomerV1: scheduleV1,
  reassignAppointment: reassign,
  reassignAppointmentV1: reassign,
  rescheduleAppointment: reschedule,
  rescheduleAppointmentV1: reschedule,
  cancelAppointment: { cancelReason: 'The customer is ill.' },
  ...availabilityRequests,
  requestOneTimePassword: { applicationId: 'app-1', username: 'ada@example.org', locale: 'en' },
  beginCustomerSession: { code: 'Zk3x0q9S6m1Tq0vY8w2eRQAZCQ1adslnessA3qzArmUkAZCQ1adst3pSXz6SgqEQ' },
};

/** One realistic answer for each operation that has a body in its answer. */
export const responseExamples: Examples = {
  listAppointments: { content: [listed], ...appointmentPage },
  listAppointmentsV1: { content: [listedV1], ...appointmentPage },
  createAppointment: listed,
  createAppointmentV1: listedV1,
  updateAppointment: { ...listed, title: update.title, notes: '' },
  updateAppointmentV1: { ...listedV1, title: update.title, notes: '' },
  activateAppointment: activated,
  activateAppointmentV1: roomAccess,
  createAppointmentAsCustomer: listed,
  createAppointmentAsCustomerV1: listedV1,
  reassignAppointment: listed,
  reassignAppointmentV1: listedV1,
  rescheduleAppointment: listed,
  rescheduleAppointmentV1: listedV1,
  getAppointment: activated,
  getAppointmentV1: { ...listedV1, roomAccess },
  countAppointments: counts,
  countAppointmentsV1: counts,
  countOverlappingAppointments: counts,
  listEligibleAppointments: [listed],
  listEligibleAppointmentsV1: [listedV1],
  listNotifications: { content: [notification], ...page, sortField: 'createdAt', sortOrder: 'desc' },
  listNotificationEvents: { content: [notificationEvent], ...page, sortField: 'timestamp', sortOrder: 'desc' },
  getPollProperties: { properties: { interval: { source: 'SYSTEM_DEFAULT', value: 'PT1M' } } },
  listWebhookTypes: { types: ['CREATE', 'CANCELLED'] },
  listWebhookEndpoints: { endpoints: [webhookEndpoint] },
  getWebhookEndpoint: {
    ...disabledEndpoint,
    lastFailures: [
      {
        statusId: notification.id,
        type: 'CREATE',
        timestamp: '2035-03-01T13:00:00Z',
        status: 'FAILED',
        errorMessage: 'The endpoint answered 410.',
      },
    ],
  },
  enableWebhookEndpoint: webhookEndpoint,
  disableWebhookEndpoint: { ...disabledEndpoint, disabledReason: 'disabled by admin-1' },
  testWebhookEndpoint: {
    id: '01890a5d-b0a3-7d40-b7a7-5b1f2b6a3c4d',
    outcome: 'FAILED',
    providerStatus: '503',
    errorMessage: 'The endpoint answered 503.',
  },
  replayWebhookEndpoint: { retried: 12, skipped: 1 },
  ...availabilityAnswers,
  beginCustomerSession: { token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln', expiresAt: '2035-03-01T13:00:00Z', appointmentId },
  retryNotification: { ...notification, canRetry: false, status: 'PENDING', nextRetryAt: '2035-03-02T08:31:00Z' },
};
