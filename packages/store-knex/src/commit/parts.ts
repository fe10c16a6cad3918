import { run, runSingle, type Steps } from '../sql/steps.js';
import { isOver, requestTable } from '../tables/requests.js';
import type { CommitPart, LookingDialect, WriteDialect } from './part.js';
import { type CommitRefusal, commitRefusals, type CommitResult, type RefusalStatus } from '@calends/core/store';
import { auditTable } from '../tables/audit.js';
import { countChangeTable } from '../tables/counts.js';
import { eventTable } from '../tables/events.js';
import { actorsPart, appointmentPart, changeAppointment, customersPart } from './appointment-parts.js';
import { holdsPart, limitsPart, overlapPart } from './time-parts.js';
import { asksForTime, lockedActors, locksFirst } from './rivals.js';
import { notificationsPart } from './notifications-part.js';
import type { PreparedChange } from './prepared-change.js';
import { otpPart, proofPart, ticketsPart } from './proof-parts.js';
import { recordsPart } from './records-part.js';

const isOfKey = `from calends_requests where ${requestTable.isKey} and`;

/** The answer of a request under its key, in the place of one that is over. */
const requestPart: CommitPart = {
  // A rival's that is being written shows when ours is: as a duplicate.
  refusal: {
    status: 'requestLost',
    *isRefused({ locking }, { change: { request } }) {
      if (request === undefined) return false;
      const values = [...requestTable.keyValues(request), request.at, request.at];
      return (yield* runSingle(`select 1 as taken ${isOfKey} not ${isOver('', '?')}${locking}`, values)) !== undefined;
    },
  },

  *write({ prepared }) {
    const { request } = prepared.change;
    if (request === undefined) return;
    yield* run(`delete ${isOfKey} ${isOver('', '?')}`, [...requestTable.keyValues(request), request.at, request.at]);
    yield* run(requestTable.insert, requestTable.values(request));
  },
};

/** Everything that a commit is made of, in the order in which it is written. */
export const commitParts = {
  appointment: appointmentPart,
  overlap: overlapPart,
  limits: limitsPart,
  holds: holdsPart,
  actors: actorsPart,
  counts: {
    *write({ dialect, prepared }) {
      yield* dialect.insertRows(countChangeTable, prepared.counts);
    },
  },
  customers: customersPart,
  events: {
    *write({ dialect, prepared }) {
      yield* dialect.insertRows(eventTable, prepared.events);
    },
  },
  audit: {
    *write({ dialect, prepared }) {
      yield* dialect.insertRows(auditTable, prepared.audit);
    },
  },
  otp: otpPart,
  proof: proofPart,
  tickets: ticketsPart,
  request: requestPart,
  notifications: notificationsPart,
  records: recordsPart,
} satisfies Readonly<Record<string, CommitPart>>;

/** The name of a part. */
export type CommitPartName = keyof typeof commitParts;

/** The names of the parts, in the order in which they are written. */
export const commitPartNames = Object.keys(commitParts) as readonly CommitPartName[];

const always = (): boolean => true;

/** Which changes have something of a part: no other is written, or looked at, by it. */
const isIn: Readonly<Record<CommitPartName, (prepared: PreparedChange) => boolean>> = {
  appointment: ({ change }) => change.appointment?.kind === 'keep' || asksForTime(change),
  overlap: ({ change }) => change.guard !== undefined,
  limits: ({ change }) => change.limits !== undefined,
  holds: ({ change }) => change.holds !== undefined,
  actors: always,
  counts: always,
  customers: always,
  events: always,
  audit: always,
  otp: ({ change }) => change.otp !== undefined,
  proof: ({ change }) => locksFirst(change),
  tickets: ({ change: { ticket, revokedTickets, removedCustomers, appointment } }) =>
    (ticket ?? revokedTickets ?? removedCustomers) !== undefined || appointment?.kind === 'remove',
  request: ({ change }) => change.request !== undefined,
  notifications: ({ notifications }) => notifications !== undefined,
  records: ({ change }) => change.records !== undefined,
};

const parts = commitPartNames.map((name) => {
  const part: CommitPart = commitParts[name];
  return { ...part, isIn: isIn[name] };
});

/** The looks in the order in which refusals are told (D75). */
const looks = commitRefusals.flatMap((status) =>
  parts.flatMap(({ refusal, isIn }) => (refusal?.status === status ? [{ refusal, isIn }] : [])),
);

/** The first refusal that applies; `among` narrows what is looked for. */
export function* firstRefusal(
  dialect: LookingDialect,
  prepared: PreparedChange,
  among: readonly RefusalStatus[] = commitRefusals,
): Steps<CommitRefusal | undefined> {
  for (const { refusal, isIn } of looks) {
    if (!among.includes(refusal.status) || !isIn(prepared)) continue;
    if ('look' in refusal) {
      const refused = yield* refusal.look(dialect, prepared);
      if (refused !== undefined) return refused;
    } else if (yield* refusal.isRefused(dialect, prepared)) return { status: refusal.status };
  }
  return undefined;
}

/**
 * Writes one change within a transaction, step by step: everything that can refuse it comes before the first
 * row is written, so that a refused change leaves nothing behind.
 */
export function* writeChange(dialect: WriteDialect, prepared: PreparedChange): Steps<CommitResult> {
  const { organizationId } = prepared.change;
  yield* dialect.lockActors(organizationId, lockedActors(prepared.change));
  const refused = yield* firstRefusal(dialect, prepared);
  if (refused !== undefined) return refused;
  const writing = { dialect, prepared, organizationId, sending: new Set<string>() };
  if (!(yield* changeAppointment(writing))) return { status: 'stale' };
  for (const { write, isIn } of parts) if (write !== undefined && isIn(prepared)) yield* write(writing);
  const sending = [...writing.sending];
  return sending.length === 0 ? { status: 'committed' } : { status: 'committed', sending };
}
