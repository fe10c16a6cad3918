import type { DeliveryPhase, Notification } from '../../src/domain/notifications/notification.js';
import type { DeliveryReport, SendResult } from '../../src/domain/notifications/provider-answers.js';
import { type Happening, next, transitions } from '../../src/delivery/state.js';
import type { DeliveryStep } from '../../src/delivery/step.js';
import { now } from '../sample-appointments.js';
import { attemptContext, claimedToPoll, claimedToSend, notification } from './sample-notification.js';
import { byChannelKey } from '../../src/settings/channels.js';

const context = attemptContext();
const { at } = context;

/** Notifications in each phase: fresh, near the end of what is tried, marked, asked about by hand. */
const rows: Readonly<Record<DeliveryPhase, readonly Notification[]>> = {
  READY: [notification()],
  SENDING: [
    claimedToSend(),
    claimedToSend({ attempts: 5, pollAttempts: 2, messageId: 'm-1', unknownOutcomes: 1, channel: 'SMS' }),
    claimedToSend({ cancelRequestedAt: now }),
  ],
  RETRY_WAIT: [claimedToSend({ phase: 'RETRY_WAIT', wakeAt: now + 9, nextRetryAt: now + 9 })],
  SUBMITTED: [
    claimedToPoll({ phase: 'SUBMITTED' }),
    claimedToPoll({ phase: 'SUBMITTED', kept: JSON.stringify({ asked: { at: now, times: 1, polls: 1 } }) }),
  ],
  POLLING: [
    claimedToPoll(),
    claimedToPoll({ pollAttempts: 10 }),
    claimedToPoll({ kept: JSON.stringify({ asked: { at: now, times: 1, polls: 1 } }) }),
  ],
  DONE: [claimedToSend({ phase: 'DONE', status: 'FAILED', wakeAt: null, attempts: 5 })],
};

const results: readonly SendResult[] = [
  { status: 'delivered' },
  { status: 'submitted' },
  { status: 'failed', permanent: true, error: 'SMTP 550' },
  { status: 'failed', permanent: false, error: 'SMTP 451' },
  { status: 'unknown', error: 'no answer' },
];
const reports: readonly DeliveryReport[] = (['pending', 'sent', 'delivered', 'failed', 'cancelled'] as const).map(
  (state) => ({ state }),
);
const found = (['READY', 'RETRY_WAIT', 'SENDING'] as const).map((phase) => ({ found: phase, updatedBefore: now }));

/** What each happening makes of a notification, for everything that may be told of it. */
const steps: Readonly<Record<Happening, (row: Notification) => readonly (DeliveryStep | undefined)[]>> = {
  attempted: (row) => results.map((result) => next('attempted', row, context, result)),
  foundByReference: (row) =>
    reports.filter(({ state }) => state !== 'failed').map((report) => next('foundByReference', row, context, report)),
  foundByKey: (row) => results.slice(0, 2).map((result) => next('foundByKey', row, context, result)),
  lookupFailed: (row) => [next('lookupFailed', row, context)],
  composeFailed: (row) => [
    next('composeFailed', row, context),
    next('composeFailed', row, { ...context, start: at, settings: { ...context.settings, retry: noRetries } }),
  ],
  ended: (row) =>
    (['CANCELLED', 'FAILED'] as const).map((as) => next('ended', row, context, { as, message: 'a reason' })),
  released: (row) => found.map((claim) => next('released', row, claim, at)),
  superseded: (row) => [next('superseded', row, { at })],
  polled: (row) => reports.map((report) => next('polled', row, context, report)),
  reported: (row) => reports.map((report) => next('reported', row, report, at)),
  overtaken: (row) => [{ messageId: 'm-1', conversationId: 'c-1' }, {}].map((known) => next('overtaken', row, known)),
  retriedByHand: (row) => [next('retriedByHand', row, { actorId: 'agent-1', at })],
};
const noRetries = byChannelKey(() => []);

/** Everything that may happen to a notification. */
export const happenings = Object.keys(transitions) as readonly Happening[];

/** A notification before and after something happened to it; `step` is absent where nothing changes. */
export interface Move {
  readonly before: Notification;
  readonly step: DeliveryStep | undefined;
}

/** What comes of a happening in a phase, for every sample; `refused` = it cannot happen. */
export function movesOf(name: Happening, phase: DeliveryPhase): readonly Move[] | 'refused' {
  if (transitions[name][phase] === undefined) return 'refused';
  return rows[phase].flatMap((before) => steps[name](before).map((step) => ({ before, step })));
}

/** Calls a happening for the first sample of a phase. */
export function happensTo(name: Happening, phase: DeliveryPhase): void {
  rows[phase].slice(0, 1).forEach((row) => steps[name](row));
}
