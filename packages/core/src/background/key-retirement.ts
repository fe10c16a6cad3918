import type { Duty } from './loop.js';
import { hours, type Instant, minutes } from '@calends/model';
import { validAfterEnd } from '../operations/proofs/manage-link/tickets.js';
import type { AppointmentWalk, WalkedAppointment } from '../ports/store/appointments.js';
import type { NamedKey } from '../ports/store/keys.js';
import type { UseCaseContext } from '../operations/context.js';
import { keepAudit, keptAuditKey, keptUnder } from '../keys/kept-audit.js';
import { type Appointment, countedPlace, type Participant } from '../domain/appointments/appointment.js';
import type { CustomerProfile } from '../domain/customers/profile.js';

/** Longer than any code and session lives, any process goes without a look at the keys, and any write takes. */
const quietFor = hours(2);
const lookEvery = minutes(1);
/** Appointments in one pass of the workers. */
const portion = 200;

type RetirementContext = Pick<
  UseCaseContext,
  'store' | 'clock' | 'keys' | 'secureRandom' | 'observer' | 'identityVariants'
>;

/** A walk through all appointments, for the keys that were quiet when it began. */
interface Walk {
  readonly keyIds: readonly string[];
  after: AppointmentWalk['after'];
  /** Appointments that somebody else changed at the same moment. */
  left: number;
}

/**
 * Retires the keys before the first (D67): once a key has been quiet, identities of customers are put under the first key, a
 * portion in each pass, and when no link or feed of it holds either, its secret may go.
 *
 * Only where the first key is the one that was named last: a process that lists it second is of the deployment before. What
 * a process has walked through it forgets with its end, and walks again; several at once do no harm.
 */
export class KeyRetirement implements Duty {
  readonly #context: RetirementContext;
  /** What holds the keys that are not retired yet, for people. */
  readonly heldBy = new Map<string, string>();
  dueAt = -Infinity;
  /** The walk that goes on; absent = none does. */
  #walk: Walk | undefined;
  /** Keys that no identity is under, by a whole walk that began when they were quiet. */
  readonly #rewritten = new Set<string>();

  constructor(context: RetirementContext) {
    this.#context = context;
  }

  async step(): Promise<void> {
    const { keys, observer } = this.#context;
    if (keys.all.length === 1) {
      this.dueAt = Infinity;
      return;
    }
    try {
      await (this.#walk === undefined ? this.#look() : this.#walkOn(this.#walk));
    } catch (error) {
      // Everything else goes on, and the walk from where it was.
      observer.observe({ type: 'workerFailed', job: 'keys', error });
    }
  }

  async #look(): Promise<void> {
    const { store, clock, keys, secureRandom } = this.#context;
    const now = clock.now();
    this.dueAt = now + lookEvery;
    const named = await store.keys.list();
    if (named.at(-1)?.id !== keys.current.id) return;
    const present = named.filter(({ id, keptAudit }) => id !== keys.current.id && keptAudit === undefined);
    for (const id of [...this.heldBy.keys()]) if (!present.some((key) => key.id === id)) this.heldBy.delete(id);
    for (const key of present) {
      if (key.quietSince !== undefined && now >= key.quietSince + quietFor) continue;
      this.heldBy.set(key.id, 'processes may still sign with it');
      this.#rewritten.delete(key.id);
      if (key.quietSince === undefined) await store.keys.change({ ...key, quietSince: now }, key);
    }
    const quiet = present.filter(({ quietSince }) => quietSince !== undefined && now >= quietSince + quietFor);
    const toWalkFor = quiet.filter(({ id }) => !this.#rewritten.has(id)).map(({ id }) => id);
    if (toWalkFor.length > 0) {
      for (const id of toWalkFor) this.heldBy.set(id, 'identities of customers are being rewritten');
      this.#walk = { keyIds: toWalkFor, after: undefined, left: 0 };
      this.dueAt = -Infinity;
      return;
    }
    if (quiet.length === 0) return;
    // What is kept under a key that goes must be kept under the present one first.
    for (const key of named) {
      if (key.keptAudit === undefined || keptUnder(key.keptAudit) === keys.current.id) continue;
      const auditKey = keptAuditKey(key, keys);
      if (auditKey === undefined) return;
      const keptAudit = keepAudit(key.id, auditKey, keys.current, secureRandom);
      if (!(await store.keys.change({ ...key, keptAudit }, key))) return;
    }
    for (const key of quiet) await this.#retire(key, now);
  }

  async #walkOn(walk: Walk): Promise<void> {
    const { store, clock } = this.#context;
    const found = await store.appointments.walk({ after: walk.after, limit: portion });
    for (const each of found) if (!(await rewriteIdentities(this.#context, each))) walk.left += 1;
    walk.after = found.at(-1)?.appointment ?? walk.after;
    if (found.length === portion) return;
    if (walk.left === 0) for (const id of walk.keyIds) this.#rewritten.add(id);
    this.#walk = undefined;
    this.dueAt = walk.left === 0 ? -Infinity : clock.now() + lookEvery;
  }

  async #retire(key: NamedKey, now: Instant): Promise<void> {
    const { store, keys, secureRandom } = this.#context;
    const secret = keys.find(key.id);
    if (secret === undefined) return;
    const tickets = await store.customers.countTickets({ keyId: key.id, now, endedBy: now - validAfterEnd });
    this.heldBy.set(key.id, `${String(tickets)} links and feeds made with it hold`);
    if (tickets > 0) return;
    const keptAudit = keepAudit(key.id, secret.derive('audit-chain'), keys.current, secureRandom);
    if (await store.keys.change({ ...key, keptAudit }, key)) this.heldBy.delete(key.id);
  }
}

type RewriteContext = Pick<UseCaseContext, 'store' | 'identityVariants'>;

/**
 * Puts customers' identities of one appointment under the first key (D67), with a version of its own, so that no change that
 * read the former ones writes them back. No event, no message, no line of the audit record: nothing happened to it.
 *
 * Answers false when somebody else changed the appointment meanwhile.
 */
export async function rewriteIdentities(
  { store, identityVariants }: RewriteContext,
  { appointment, wakeAt }: WalkedAppointment,
): Promise<boolean> {
  const { organizationId, id, participants } = appointment;
  if (participants.every(({ identity }) => identity === undefined)) return true;
  const profiles = await store.customers.list(organizationId, id);
  const next = participants.map((each) => rewritten(organizationId, each, profiles, identityVariants));
  if (next.every((each, index) => each === participants[index])) return true;
  const result = await store.commit({
    organizationId,
    appointment: {
      kind: 'update',
      next: { ...appointment, participants: next, version: appointment.version + 1 } satisfies Appointment,
      expectedVersion: appointment.version,
      before: countedPlace(appointment),
      wakeAt,
    },
    events: [],
  });
  return result.status === 'committed';
}

/** The same participant where the identity is under the first key, or none of the profile's names makes it. */
function rewritten(
  organizationId: string,
  participant: Participant,
  profiles: readonly CustomerProfile[],
  identityVariants: UseCaseContext['identityVariants'],
): Participant {
  const { id, identity } = participant;
  const profile = profiles.find(({ participantId }) => participantId === id);
  if (identity === undefined || profile === undefined) return participant;
  const [first = identity] = identityVariants(organizationId, identity, profile);
  return first === identity ? participant : { ...participant, identity: first };
}
