import type { Instant } from '@calends/core/store';
import { randomUUID } from 'node:crypto';
import type { Circumstances } from '../commit/prepared-change.js';
import type { EngineCheck } from '../engine/engine-check.js';
import type { Connections } from '../database/connections.js';
import { knownFault } from '../faults/store-fault.js';
import { runSingle, type Steps } from '../sql/steps.js';
import type { Migration } from './migrations.js';
import { integer } from '../sql/rows.js';
import type { CountsLead } from './counts-lead.js';
import { forgetSigns, giveSign, type WritingProcess } from './signs-of-life.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** Milliseconds for which a look holds. A contracting step waits longer than that before it takes anything away. */
export const lookHolds = 1000;
/** Milliseconds between two signs of life of a process that writes; a third of the silence that counts as its end. */
const signEvery = 20_000;

/** Milliseconds between the clocks of process and database that make no difference. */
const toleratedDifference = 1000;
/** Milliseconds by which somebody may set the clock of the process before a look holds no longer. */
const toleratedJump = 30_000;

/** A program's version: how many steps it knows. */
export const versionOf = (steps: readonly Migration[]): number => steps.length;

/** Makes sure that a program of this version may write. */
export function requireVersion(steps: readonly Migration[], floor: number): void {
  if (versionOf(steps) >= floor) return;
  throw knownFault('programTooOld', 'none', { code: 'schema' });
}

/** What a look found. */
interface Look {
  /** Before it was asked, by a clock that nobody sets. */
  readonly at: number;
  readonly writtenFrom: number;
  /** The time by the clock of the database, less that of this process. */
  readonly clockDifference: number;
  /** The time by the clock of this process, less that of a clock that nobody sets. */
  readonly setBy: number;
  /** True when some process has claimed events. */
  readonly eventsAreRead: boolean;
}

/** What was delivered by somebody is the first to have been delivered, as long as it is kept. */
function* wereEventsRead(): Steps<boolean> {
  const first = yield* runSingle(
    'select attempts from calends_events where delivered_at is not null order by delivered_at limit 1',
    [],
  );
  return first !== undefined && integer(first, 'attempts') > 0;
}

/**
 * Lets a program write only while the schema is for its version (D76).
 *
 * Anyone who writes looks, at most once a second (again where the clock was set) and never per write, and gives a sign of life on the way, at most every 20
 * seconds: a process that writes nothing needs neither. One for a store and all that join transactions with it.
 */
export class WriteGate {
  readonly #steps: readonly Migration[];
  readonly #sql: SqlDialect;
  readonly #monotonic: () => number;
  readonly #sign: WritingProcess;
  #look: Look = { at: -Infinity, writtenFrom: 0, clockDifference: 0, setBy: 0, eventsAreRead: true };
  #readsEvents = false;
  /** True when events were read before programs told of it. */
  #wereRead = false;
  #signedAt = -Infinity;
  #looking: Promise<void> | undefined;

  /** `monotonic` tells milliseconds by a clock that nobody sets; that of the process unless given. */
  constructor(steps: readonly Migration[], sql: SqlDialect, monotonic = () => performance.now()) {
    this.#steps = steps;
    this.#sql = sql;
    this.#monotonic = monotonic;
    this.#sign = { processId: randomUUID(), version: versionOf(steps) };
  }

  /**
   * Passes at once while the last look holds; else looks first, once for all that wait.
   *
   * @param standsAlone - false inside a transaction of the host: then it looks on the connection of that one, and gives
   * no sign of life, which would lock its row until the host's transaction ends
   * @throws StoreError `schema` when only newer programs may write
   */
  async enter(connections: Connections, standsAlone: boolean): Promise<void> {
    if (this.holds) requireVersion(this.#steps, this.#look.writtenFrom);
    else if (standsAlone) await this.#lookOnce(connections);
    else await this.check(connections);
  }

  /** Looks at once, however old the last look is; only reads. */
  async check(connections: Connections): Promise<Instant> {
    const now = await connections.read(() => this.#lookNow());
    requireVersion(this.#steps, this.#look.writtenFrom);
    return now;
  }

  #lookOnce(connections: Connections): Promise<void> {
    this.#looking ??= this.#lookAndSign(connections).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** True while the last look needs no other: not when the clock was set since, by which changes would be due then. */
  get holds(): boolean {
    const { at, setBy } = this.#look;
    const now = this.#monotonic();
    return now - at < lookHolds && Math.abs(Date.now() - now - setBy) < toleratedJump;
  }

  /** What the last look found that changes are written by. */
  get circumstances(): Circumstances {
    const { clockDifference, eventsAreRead } = this.#look;
    const fastBy = clockDifference < -toleratedDifference ? -clockDifference : 0;
    return { fastBy, eventsAreRead: eventsAreRead || this.#readsEvents || this.#wereRead };
  }

  /** Tells other processes that this one reads events, before it claims the first (D79). */
  async noteReader(connections: Connections, standsAlone: boolean): Promise<void> {
    if (this.#readsEvents) return;
    this.#readsEvents = true;
    this.#signedAt = -Infinity;
    try {
      if (standsAlone) await this.#lookAndSign(connections);
    } catch (error) {
      this.#readsEvents = false;
      throw error;
    }
  }

  *#lookNow(): Steps<Instant> {
    const at = this.#monotonic();
    const clock = this.#sql.clock();
    const row = yield* runSingle(
      `select coalesce(max(written_from), 0) as written_from, ${clock.text} as now,
         (select count(*) from calends_processes where reads_events = 1) as readers from calends_schema`,
      clock.values,
    );
    const found = row ?? {};
    const now = integer(found, 'now');
    this.#look = {
      at,
      writtenFrom: integer(found, 'written_from'),
      clockDifference: now - Date.now(),
      setBy: Date.now() - this.#monotonic(),
      eventsAreRead: integer(found, 'readers') > 0,
    };
    return now;
  }

  /** A program that may not write any more says nothing: what waits for its end waits no longer. */
  async #lookAndSign(connections: Connections): Promise<void> {
    const now = await this.check(connections);
    const at = this.#monotonic();
    if (at - this.#signedAt < signEvery) return;
    if (this.#signedAt === -Infinity) this.#wereRead = await connections.read(wereEventsRead);
    await connections.use(() => this.#giveSign(now));
    this.#signedAt = at;
  }

  *#giveSign(now: Instant): Steps<void> {
    yield* giveSign(this.#sql, { ...this.#sign, readsEvents: this.#readsEvents }, now);
    if (this.#signedAt === -Infinity) yield* forgetSigns(now);
  }
}

/** What a store knows of the schema, and who lets it write. */
export interface Program {
  readonly steps: readonly Migration[];
  readonly gate: WriteGate;
  readonly counts: CountsLead;
  readonly durationCounts: CountsLead;
  readonly engine: EngineCheck;
}
