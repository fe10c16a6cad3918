import { hours, type Instant, minutes, seconds } from '@calends/model';
import { otpRules } from '../domain/customers/proofs.js';
import type { UseCaseContext } from '../operations/context.js';
import { holdsAt, monotonicTime } from '../ports/clock.js';
import type { RemovedKind } from '../ports/observer.js';
import { defaultEventAge, type RetentionOptions } from '../settings/retention-options.js';
import { trimAudit, type TrimStep } from './trim-audit.js';

/** Rows that one statement deletes at most. */
const portion = 500;
/** Notifications that one step looks at; each has some delivery events. */
const notificationPortion = 200;
/** So long after its end a hold stands in nobody's way, by whatever clock. */
const holdRests = hours(1);

const lease = seconds(30);
/** While steps follow each other, the lease is renewed after so long. */
const renewAfter = seconds(10);

/** Of the time of the job a tenth is work: nine times as long as a step took, nothing is done. */
const restsPerStep = 9;
const maxRest = seconds(5);
/** While nothing is due, or another process does it. */
const idleRest = seconds(10);

/** What is removed, in rounds: each goes through all that is old, step by step. */
interface Kind {
  readonly name: RemovedKind;
  /** From the end of a round to the beginning of the next. */
  readonly every: number;
  readonly step: (now: Instant, after: readonly string[] | undefined) => Promise<TrimStep>;
}

/** A kind and its round: under way, or when the next begins. */
interface Rounds {
  readonly kind: Kind;
  dueAt: Instant;
  /** Absent = none is under way. */
  began?: Instant | undefined;
  after?: readonly string[] | undefined;
  leftBehind?: boolean | undefined;
}

/**
 * Removes what is kept no longer, in small steps with rests between them, one process at a time. The kinds take turns, so
 * that none waits for a round of another.
 *
 * Nothing of it is remembered but what is there: whoever goes on after another process begins a round, and finds the rest.
 */
export class Retention {
  readonly #context: UseCaseContext;
  /** The first has its turn. */
  #rounds: readonly Rounds[];
  #lookedAt = -Infinity;
  #holder: string | undefined;
  #heldSince = -Infinity;

  constructor(context: UseCaseContext, options: RetentionOptions) {
    this.#context = context;
    this.#rounds = kindsOf(context, options).map((kind) => ({ kind, dueAt: -Infinity }));
  }

  /** Does one step, if one is due; answers how long to rest then, in milliseconds. */
  async step(): Promise<{ readonly didWork: boolean; readonly rest: number }> {
    const began = monotonicTime();
    const now = this.#context.clock.now();
    // By a clock that was ahead and is right again, rounds would wait for as long as it was ahead.
    if (now < this.#lookedAt) for (const each of this.#rounds) each.dueAt = -Infinity;
    this.#lookedAt = now;
    const index = this.#rounds.findIndex((each) => each.began !== undefined || each.dueAt <= now);
    const round = this.#rounds[index];
    if (round === undefined || !(await this.#isMine(began))) return { didWork: false, rest: idleRest };
    this.#rounds = [...this.#rounds.slice(index + 1), ...this.#rounds.slice(0, index + 1)];
    await this.#stepOf(round, now);
    return { didWork: true, rest: Math.min((monotonicTime() - began) * restsPerStep, maxRest) };
  }

  async #stepOf(round: Rounds, now: Instant): Promise<void> {
    const { observer } = this.#context;
    const { kind } = round;
    round.began ??= now;
    try {
      const { removed, next, leftBehind = false } = await kind.step(round.began, round.after);
      if (removed > 0) observer.observe({ type: 'rowsRemoved', kind: kind.name, count: removed });
      round.after = next;
      round.leftBehind ||= leftBehind;
      if (next !== undefined) return;
      if (!round.leftBehind) observer.observe({ type: 'retentionCaughtUp', kind: kind.name, at: round.began });
    } catch (error) {
      // The other kinds go on, and this one with its next round.
      observer.observe({ type: 'workerFailed', job: 'retention', error });
    }
    [round.began, round.after, round.leftBehind, round.dueAt] = [undefined, undefined, false, now + kind.every];
  }

  /** A store of a host may know no leases: then each process does the same, each row once. */
  async #isMine(now: number): Promise<boolean> {
    const { store, clock, ids } = this.#context;
    if (store.retention === undefined || now - this.#heldSince < renewAfter) return true;
    this.#holder ??= ids.next();
    const claim = { job: 'retention', holder: this.#holder, leaseFor: lease, now: holdsAt(clock) } as const;
    const isMine = await store.retention.claim(claim);
    this.#heldSince = isMine ? now : -Infinity;
    return isMine;
  }
}

/** What deletes by an instant: a round is over when less was there than asked for. */
const byAge = (name: RemovedKind, purge: (now: Instant, limit: number) => Promise<number>): Kind => ({
  name,
  every: minutes(1),
  step: async (now) => {
    const removed = await purge(now, portion);
    return { removed, next: removed < portion ? undefined : [] };
  },
});

function kindsOf(context: UseCaseContext, options: RetentionOptions): readonly Kind[] {
  const { store, availability } = context;
  const { retention } = store;
  const { events: eventAge = defaultEventAge, notifications: notificationAge, audit: auditAge } = options;
  const kinds = [
    byAge('requests', (now, limit) => store.requests.purge(now, limit)),
    byAge('events', (now, limit) => store.events.purge(now - eventAge, limit)),
    // No limit and no check looks at them any more.
    byAge('oneTimePasswords', (now, limit) =>
      store.customers.purgeChallenges(now - otpRules.hour - otpRules.validFor, limit),
    ),
  ];
  if (availability !== undefined)
    kinds.push(
      byAge('holds', async (now, limit) => (await store.availability?.purgeHolds(now - holdRests, limit)) ?? 0),
    );
  if (retention !== undefined && notificationAge !== undefined)
    kinds.push({
      name: 'notifications',
      every: hours(1),
      step: (now, after) =>
        retention.purgeNotifications({ before: now - notificationAge, limit: notificationPortion, after }),
    });
  if (retention !== undefined && auditAge !== undefined)
    kinds.push({
      name: 'audit',
      every: hours(1),
      step: (now, after) =>
        trimAudit(context, retention, { before: now - auditAge, limit: portion, after: after?.[0] }),
    });
  return kinds;
}
