import type { DomainEvent } from '../appointments/events.js';

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
      readonly type: 'activationFailed';
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
