import type { Sql } from '../sql/sql.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import { text } from '../sql/rows.js';

/** How an engine is asked what it is, and what it must do with two connections; each step answers what the other must see. */
export interface EngineWords {
  /** One row with `words`. */
  readonly version: string;
  /** Of which servers it is made now; absent for engines in this process. */
  readonly topology?: () => Steps<Topology>;
  /** Absent for engines in this process: there is no server that could promise less. */
  readonly probes?: EngineProbes;
}

/** The servers of an engine. */
export interface Topology {
  readonly topology: string;
  /** What better were set up otherwise, in sentences. */
  readonly warnings: readonly string[];
}

/** Statements for a pair of connections; `?` is a name that no other probe has. */
export interface EngineProbes {
  readonly begin: string;
  /** Takes an advisory lock until the transaction or the session ends. */
  readonly take: string;
  /** Tries to take it, at once: one row with `taken`, 1 or 0. */
  readonly tryToTake: string;
  /** Gives it back where the transaction does not. */
  readonly giveBack?: string;
}

/** What the engine calls itself. */
export function* askVersion({ version }: EngineWords): Steps<string> {
  const row = yield* runSingle(version, []);
  return row === undefined ? '' : text(row, 'words');
}

/** Newer than every program, so that no migration waits for it. */
const probeVersion = 2_147_483_647;
const locked = 'select id from calends_processes where id = ? for update';

/**
 * Both sides of the probe on two connections, as pieces that are run in turns.
 *
 * @param now the time by the database's clock: other processes delete rows that look long gone, at any moment
 */
export const probeSteps = (probes: EngineProbes, id: string, now: Sql) => ({
  write: () =>
    run(`insert into calends_processes (id, version, seen_at) values (?, ${probeVersion}, ${now.text})`, [
      id,
      ...now.values,
    ]),
  *sees(): Steps<boolean> {
    return (yield* run('select id from calends_processes where id = ?', [id])).rows.length === 1;
  },
  *holds(): Steps<void> {
    yield* run(probes.begin);
    yield* run(probes.take, [id]);
    yield* run(locked, [id]);
  },
  *isKeptOut(): Steps<boolean> {
    yield* run(probes.begin);
    const lock = yield* run(probes.tryToTake, [id]);
    const passed = yield* run(`${locked} skip locked`, [id]);
    yield* run('rollback');
    return Number(lock.rows[0]?.['taken']) === 0 && passed.rows.length === 0;
  },
  *end(): Steps<void> {
    yield* run('rollback');
    if (probes.giveBack !== undefined) yield* run(probes.giveBack, [id]);
    yield* run('delete from calends_processes where id = ?', [id]);
  },
});
