import type { Signal } from '../ports/observer.js';
import type { DeliveryStep } from './delivery-step.js';

/** What the observer is told of a step that no attempt led to. */
export function settledSignal({ outcome, update: { next } }: DeliveryStep): Signal {
  return {
    type: 'notificationSettled',
    notificationId: next.id,
    appointmentId: next.appointmentId,
    channel: next.channel,
    notificationType: next.type,
    status: next.status,
    phase: next.phase,
    outcome,
    attempt: false,
    attempts: next.attempts,
    lateness: 0,
    lost: false,
  };
}
