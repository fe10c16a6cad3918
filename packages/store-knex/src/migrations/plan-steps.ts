import { run, runSingle, type Steps } from '../sql/steps.js';
import { firstWithSigns, type Migration } from './migrations.js';
import { takenSteps, writtenFrom } from './schema-state.js';
import { olderIsAlive } from './signs-of-life.js';
import { requireVersion } from './write-gate.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** Which steps a migration takes, and when. */
export interface StepsToTake {
  readonly now: readonly Migration[];
  /** Contracting steps that come once older programs had time to see that they may not write any more. */
  readonly later: readonly Migration[];
  /** Contracting steps that wait for older programs to end. */
  readonly waiting: readonly Migration[];
}

/** What is asked of a migration. */
export interface Asked {
  readonly steps: readonly Migration[];
  /** True: contracting steps are taken though older programs may be writing. */
  readonly contract: boolean;
}

const isExpanding = ({ kind }: Migration): boolean => kind === 'expand';

function* isInNobodysWay(sql: SqlDialect, { kind }: Migration): Steps<boolean> {
  return kind === 'expand' || !(yield* olderIsAlive(sql, kind.contract.writtenFrom));
}

/**
 * Sorts out which steps are taken now, later and not yet.
 *
 * @throws StoreError `schema` when only newer programs than this may write
 */
export function* planSteps(sql: SqlDialect, { steps, contract }: Asked): Steps<StepsToTake> {
  const taken = yield* takenSteps();
  const missing = steps.filter(({ name }) => !taken.includes(name));
  // Nobody was here before: no program can be in the way.
  if (taken.length === 0) return { now: missing, later: [], waiting: [] };
  const givesSigns = taken.includes(firstWithSigns);
  if (givesSigns) requireVersion(steps, yield* writtenFrom());
  const now = missing.filter(isExpanding);
  const later: Migration[] = [];
  const waiting: Migration[] = [];
  for (const step of missing.filter((one) => !isExpanding(one))) {
    // Anyone who wrote before signs of life were known gives none: nothing can be told of them in this run.
    const free = contract || (givesSigns && (yield* isInNobodysWay(sql, step)));
    (free ? later : waiting).push(step);
  }
  return { now, later, waiting };
}

/** Writes from which version on may be written, before a contracting step is taken. */
export function* raiseFloor({ name, kind }: Migration): Steps<void> {
  if (kind === 'expand') return;
  const found = yield* runSingle('select 1 as told from calends_schema where step = ?', [name]);
  if (found !== undefined) return;
  yield* run('insert into calends_schema (step, written_from) values (?, ?)', [name, kind.contract.writtenFrom]);
}
