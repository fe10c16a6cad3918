import type { ContactChannel } from '../settings/channels.js';
import type { Instant, NotificationChannel, NotificationState, NotificationType } from '@calends/model';
import type { DeliveryOutcome } from '../domain/notifications/provider-answers.js';
import type { SecurityEvent } from '../domain/audit/security-event.js';
import type { DomainEvent } from '../domain/appointments/events.js';
import type { DeliveryPhase } from '../domain/notifications/notification.js';
import { StoreError } from './store/store-error.js';
import { quietly } from '../support/host-answers.js';

/** What retention removes; notifications go with their delivery events, which are not counted. */
export type RemovedKind = 'requests' | 'events' | 'oneTimePasswords' | 'holds' | 'notifications' | 'audit';

/** What the library tells about its own running; free of personal data. */
export type Signal =
  | { readonly type: 'committed'; readonly event: DomainEvent }
  | {
      readonly type: 'eventRetried' | 'eventParked';
      readonly eventId: string;
      readonly appointmentId: string;
      readonly attempts: number;
      readonly error: unknown;
    }
  | { readonly type: 'workerFailed'; readonly job: string; readonly error: unknown }
  | {
      readonly type: 'notificationSettled';
      readonly notificationId: string;
      readonly appointmentId: string;
      readonly channel: NotificationChannel;
      readonly notificationType: NotificationType;
      readonly status: NotificationState;
      /** `SENDING` = the answer of an attempt came after a receipt, with which it was told what became of the message. */
      readonly phase: DeliveryPhase;
      readonly outcome: DeliveryOutcome;
      /** True when a provider was called to send. */
      readonly attempt: boolean;
      readonly attempts: number;
      /** Milliseconds between its time and the beginning of the attempt. */
      readonly lateness: number;
      /** True when an earlier claim on it had ended without a word. */
      readonly lost: boolean;
    }
  /** Code of the host or of a provider's adapter threw, or an outcome could not be written. */
  | {
      readonly type: 'deliveryFailed';
      readonly notificationId: string;
      readonly channel: NotificationChannel;
      readonly step: 'compose' | 'send' | 'poll' | 'settle' | 'endpoint';
      readonly error: unknown;
    }
  /** Nothing more is sent to a web hook endpoint until somebody enables it (D59); told once by the process that finds it. */
  | {
      readonly type: 'endpointDisabled';
      readonly organizationId: string;
      readonly applicationId: string;
      readonly endpointId: string;
      /** For staff; nothing that the endpoint said. */
      readonly reason: string;
    }
  /** The clock of this process against that of the store, milliseconds ahead (D80); with each check. */
  | { readonly type: 'clockCompared'; readonly aheadBy: number }
  /** Notifications were found that no worker would have looked at, or too often: a program of before has written them. */
  | { readonly type: 'queueRepaired'; readonly count: number }
  /** Retention has removed so many of a kind. */
  | { readonly type: 'rowsRemoved'; readonly kind: RemovedKind; readonly count: number }
  /** Everything of a kind was removed that had reached its age at that instant. */
  | { readonly type: 'retentionCaughtUp'; readonly kind: RemovedKind; readonly at: Instant }
  /** A source of busy times failed, or did not answer in time; its agents count as busy, unless the host says otherwise. */
  | { readonly type: 'busySourceFailed'; readonly error: unknown }
  /** The tracer of the host failed, or did not call what it was to trace, which was done all the same; told once by a process. */
  | { readonly type: 'tracerFailed'; readonly error: unknown }
  /** A one-time password could not be handed to its provider; the customer asks again. */
  | {
      readonly type: 'otpFailed';
      /** Absent when it failed before the customer's address was known. */
      readonly channel?: ContactChannel | undefined;
      readonly error: unknown;
    }
  /** Somebody may be trying what they may not (D66): tells nothing about whom. */
  | ({ readonly type: 'security' } & SecurityEvent)
  /** Refused calls were not recorded one by one: too many at a time, no such calls, or the store did not take them. */
  | { readonly type: 'auditRefusalsDropped'; readonly count: number; readonly error?: unknown }
  | {
      readonly type: 'activationFailed';
      readonly appointmentId: string;
      readonly error: unknown;
    }
  /** The access details of an activated appointment could not be made; its answer went without them. */
  | {
      readonly type: 'accessDetailsFailed';
      readonly appointmentId: string;
      readonly error: unknown;
    };

/**
 * Receives signals for logs and metrics.
 *
 * Must not throw and should return at once; what it throws is dropped.
 */
export interface Observer {
  observe(signal: Signal): void;
}

/**
 * The observer of a host that gives none: what would otherwise go wrong in silence becomes a process warning.
 *
 * Only the name of an error is told, and the code of a store's; its message may hold anything.
 */
export const warningObserver: Observer = {
  observe: (signal) => {
    const warn = (text: string): void => {
      process.emitWarning(text, 'CalendsWarning');
    };
    if (signal.type === 'workerFailed') {
      warn(`the worker's ${signal.job} failed: ${nameOf(signal.error)}`);
    } else if (signal.type === 'eventParked') {
      warn(`event ${signal.eventId} is parked: ${nameOf(signal.error)}`);
    } else if (signal.type === 'tracerFailed') {
      warn(`the tracer failed, and its traces are not whole: ${nameOf(signal.error)}`);
    } else if (signal.type === 'endpointDisabled') {
      const { endpointId, applicationId, reason } = signal;
      warn(`web hook endpoint ${endpointId} of application ${applicationId} is disabled: ${reason}`);
    }
  },
};

function nameOf(error: unknown): string {
  if (error instanceof StoreError) return `${error.name} ${error.code}`;
  return error instanceof Error ? error.name : typeof error;
}

/** Keeps an observer's own faults, thrown or rejected, away from operations whose change is committed already. */
export function guardedObserver(observer: Observer): Observer {
  const observe: (signal: Signal) => unknown = (signal) => observer.observe(signal);
  return {
    observe: (signal) => quietly(() => observe(signal)),
  };
}
