import type { Observer } from '@calends/core';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds; from at once to an hour. */
const latenessBuckets = [0.1, 0.5, 1, 2, 5, 15, 30, 60, 300, 900, 3600];

/** Counts what the library tells about its own running. */
export function signalMetrics(registry: Registry): Observer {
  const registers = [registry];
  const transitions = new Counter({
    name: 'calends_transitions_total',
    help: 'Changes of appointments that were committed, by event.',
    labelNames: ['event'],
    registers,
  });
  const notifications = new Counter({
    name: 'calends_notifications_total',
    help: 'Notifications that the worker brought to an end.',
    labelNames: ['type', 'channel', 'status'],
    registers,
  });
  const attempts = new Counter({
    name: 'calends_delivery_attempts_total',
    help: 'Attempts to deliver: calls of a provider.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  const lateness = new Histogram({
    name: 'calends_notification_lateness_seconds',
    help: 'From the time of a notification to the beginning of an attempt.',
    labelNames: ['channel', 'type'],
    buckets: latenessBuckets,
    registers,
  });
  const claimsLost = new Counter({
    name: 'calends_claims_lost_total',
    help: 'Claims on notifications that had ended without a word.',
    labelNames: ['channel'],
    registers,
  });
  const faults = new Counter({
    name: 'calends_delivery_faults_total',
    help: 'Faults of code that takes part in delivery, by step.',
    labelNames: ['channel', 'step'],
    registers,
  });
  const endpointsDisabled = new Counter({
    name: 'calends_endpoints_disabled_total',
    help: 'Web hook endpoints that were disabled, by application.',
    labelNames: ['application'],
    registers,
  });
  const securityEvents = new Counter({
    name: 'calends_security_events_total',
    help: 'Refused codes, links, proofs and credentials, limited requests, forms from elsewhere; by kind.',
    labelNames: ['kind'],
    registers,
  });
  const clockAhead = new Gauge({
    name: 'calends_clock_ahead_seconds',
    help: 'How far the clock of this process is ahead of that of the store, at the last check.',
    aggregator: 'max',
    registers,
  });
  const queueRepaired = new Counter({
    name: 'calends_queue_repaired_total',
    help: 'Notifications that an older version had written without an entry of the queue, or against it.',
    registers,
  });
  const removed = new Counter({
    name: 'calends_retention_removed_total',
    help: 'What retention removed, by kind; notifications with their delivery events count once.',
    labelNames: ['kind'],
    registers,
  });
  const caughtUp = new Gauge({
    name: 'calends_retention_caught_up_timestamp_seconds',
    help: 'Nothing of the kind was older than its age at that time: what waits for its removal came of age later.',
    aggregator: 'max',
    labelNames: ['kind'],
    registers,
  });
  return {
    observe(signal) {
      if (signal.type === 'committed') transitions.inc({ event: signal.event.type });
      if (signal.type === 'deliveryFailed') faults.inc({ channel: signal.channel, step: signal.step });
      if (signal.type === 'clockCompared') clockAhead.set(signal.aheadBy / 1000);
      if (signal.type === 'security') securityEvents.inc({ kind: signal.kind });
      if (signal.type === 'queueRepaired') queueRepaired.inc(signal.count);
      if (signal.type === 'rowsRemoved') removed.inc({ kind: signal.kind }, signal.count);
      if (signal.type === 'retentionCaughtUp') caughtUp.set({ kind: signal.kind }, signal.at / 1000);
      if (signal.type === 'endpointDisabled') endpointsDisabled.inc({ application: signal.applicationId });
      if (signal.type !== 'notificationSettled') return;
      const { channel, notificationType: type, status, outcome } = signal;
      if (signal.phase === 'DONE') notifications.inc({ type, channel, status });
      if (signal.lost) claimsLost.inc({ channel });
      if (!signal.attempt) return;
      attempts.inc({ channel, outcome });
      lateness.observe({ channel, type }, Math.max(0, signal.lateness) / 1000);
    },
  };
}
