import type { Observer, Signal } from '@calends/core';
import { faultFields } from './fault-fields.js';
import type { Log } from './log.js';

/** Writes the library's signals to the log. */
export function signalLog(log: Log): Observer {
  return { observe: (signal) => write(log, signal) };
}

function write(log: Log, signal: Signal): void {
  switch (signal.type) {
    case 'committed': {
      const { type, organizationId, appointmentId, version, correlationId } = signal.event;
      log.debug({ event: type, organizationId, appointmentId, version, requestId: correlationId }, 'event committed');
      return;
    }
    case 'eventRetried':
    case 'eventParked': {
      const { eventId, appointmentId, attempts } = signal;
      const fields = { eventId, appointmentId, attempts, fault: faultFields(signal.error) };
      if (signal.type === 'eventParked')
        log.error(fields, 'event parked, and later ones of its appointment wait: a subscriber kept failing');
      else log.warn(fields, 'event will be delivered again: a subscriber failed');
      return;
    }
    case 'workerFailed':
      log.error({ job: signal.job, fault: faultFields(signal.error) }, 'worker failed');
      return;
    case 'notificationSettled': {
      const { notificationId, appointmentId, channel, notificationType, outcome, attempts, lost } = signal;
      const fields = { notificationId, appointmentId, channel, type: notificationType, outcome, attempts, lost };
      const isBad = outcome === 'failed' || outcome === 'unknown' || outcome === 'missed' || lost;
      log[isBad ? 'warn' : 'debug'](fields, 'notification settled');
      return;
    }
    case 'deliveryFailed': {
      const { notificationId, channel, step } = signal;
      log.error(
        { notificationId, channel, step, fault: faultFields(signal.error) },
        'delivery of a notification failed',
      );
      return;
    }
    case 'endpointDisabled': {
      const { organizationId, applicationId, endpointId, reason } = signal;
      log.warn({ organizationId, applicationId, endpointId, reason }, 'web hook endpoint disabled');
      return;
    }
    case 'rowsRemoved':
      log.debug({ kind: signal.kind, count: signal.count }, 'removed what is kept no longer');
      return;
    case 'clockCompared':
    case 'retentionCaughtUp':
      return;
    case 'queueRepaired':
      log.warn({ count: signal.count }, 'notifications put back into the queue: an older version of the server writes');
      return;
    case 'busySourceFailed':
      log.warn({ fault: faultFields(signal.error) }, 'a source of busy times failed');
      return;
    case 'tracerFailed':
      log.warn({ fault: faultFields(signal.error) }, 'the tracer failed: traces are not whole');
      return;
    case 'otpFailed':
      log.error({ channel: signal.channel, fault: faultFields(signal.error) }, 'a one-time password could not be sent');
      return;
    case 'security': {
      const { type: _type, ...fields } = signal;
      log.warn(fields, 'security event');
      return;
    }
    case 'auditRefusalsDropped': {
      const fault = signal.error === undefined ? {} : { fault: faultFields(signal.error) };
      log.warn({ count: signal.count, ...fault }, 'refused calls were not recorded one by one');
      return;
    }
    case 'activationFailed':
      log.warn({ appointmentId: signal.appointmentId, fault: faultFields(signal.error) }, 'activation failed');
      return;
    case 'accessDetailsFailed':
      log.error(
        { appointmentId: signal.appointmentId, fault: faultFields(signal.error) },
        'access details could not be made',
      );
      return;
  }
}

/** Tells several observers, each whatever becomes of the others. */
export function observers(...all: readonly (Observer | undefined)[]): Observer {
  return {
    observe(signal) {
      for (const observer of all) {
        try {
          observer?.observe(signal);
        } catch {
          // As in the library: what an observer throws is dropped.
        }
      }
    },
  };
}
