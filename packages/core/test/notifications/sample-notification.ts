import type { NotificationSettings } from '../../src/index.js';
import type { Notification } from '../../src/store.js';
import { defaultNotificationSettings } from '../../src/index.js';
import type { AttemptContext } from '../../src/delivery/send-steps.js';
import { now, start } from '../sample-appointments.js';
import { endpoint } from './notified.js';

/** Settings with every channel on. */
export const allOn: NotificationSettings = {
  ...defaultNotificationSettings,
  active: true,
  email: { from: 'Clinic <no-reply@clinic.example>' },
  sms: { from: '+3021000000' },
  webhooks: [endpoint],
};

/** A mail about the sample appointment, planned and not yet claimed. */
export function notification(more: Partial<Notification> = {}): Notification {
  return {
    id: '019a3f5c-0000-7000-8000-000000000001',
    organizationId: 'org-1',
    applicationId: 'app-1',
    appointmentId: '019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a01',
    sourceEventId: 'event-1',
    scheduleVersion: 1,
    type: 'CREATE',
    channel: 'EMAIL',
    addressee: { type: 'CUSTOMER', id: 'customer-1' },
    dedupeKey: 'key-1',
    createdAt: now,
    phase: 'READY',
    status: 'INITIALIZED',
    wakeAt: now,
    revision: 1,
    eventCount: 1,
    updatedAt: now,
    attempts: 0,
    manualRetries: 0,
    lostClaims: 0,
    unknownOutcomes: 0,
    pollAttempts: 0,
    message: 'planned',
    ...more,
  };
}

/** The same, claimed for its first attempt. */
export function claimedToSend(more: Partial<Notification> = {}): Notification {
  const claim = { phase: 'SENDING', status: 'PENDING', attempts: 1, revision: 2, wakeAt: now + 25_000 } as const;
  return notification({ ...claim, ...more });
}

/** The same, taken by the provider and claimed to ask for it the first time. */
export function claimedToPoll(more: Partial<Notification> = {}): Notification {
  return claimedToSend({
    channel: 'SMS',
    phase: 'POLLING',
    revision: 4,
    eventCount: 2,
    pollAttempts: 1,
    submittedAt: now,
    messageId: 'm-1',
    providerStatus: 'queued',
    message: 'accepted by the provider',
    ...more,
  });
}

/** What comes of an attempt: it ends three seconds after its claim, of a provider that can be asked. */
export function attemptContext(more: Partial<AttemptContext> = {}): AttemptContext {
  return {
    at: now + 3000,
    settings: allOn,
    chance: 0.5,
    start,
    capability: 'none',
    canPoll: true,
    lost: false,
    updatedBefore: now,
    ...more,
  };
}
