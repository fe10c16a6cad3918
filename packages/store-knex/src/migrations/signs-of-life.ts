import { run, runSingle, type Steps } from '../sql/steps.js';
import { integer } from '../sql/rows.js';
import { columnsOf, tableOf } from '../tables/table.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** A program that writes into this database. */
export interface WritingProcess {
  /** Made by the process, another one at every start. */
  readonly processId: string;
  readonly version: number;
}

/** What it tells of itself. */
export interface SignOfLife extends WritingProcess {
  /** True once it has claimed events. */
  readonly readsEvents: boolean;
}

/** Milliseconds without a sign after which a process counts as ended. */
export const silence = 60_000;
const day = 24 * 60 * 60 * 1000;
/** Milliseconds after which the sign of a process is deleted. */
const forgottenAfter = day;
/** The same for one that has read events: for so long they wait for it. */
const readerForgottenAfter = 30 * day;

const is = columnsOf<SignOfLife, number>();
const processTable = tableOf<SignOfLife, number>('calends_processes')(
  { id: is.text('processId') },
  {
    version: is.integer('version'),
    seen_at: is.written('integer', (_, now) => now),
    reads_events: is.written('integer', ({ readsEvents }) => (readsEvents ? 1 : null)),
  },
);

/** Writes that this process is there; `now` is the time by the database's clock. */
export function* giveSign(sql: SqlDialect, sign: SignOfLife, now: number): Steps<void> {
  yield* run(sql.upsert(processTable), processTable.values(sign, now));
}

/** Deletes signs of processes that are long gone. */
export function* forgetSigns(now: number): Steps<void> {
  yield* run('delete from calends_processes where seen_at < ? and (reads_events is null or seen_at < ?)', [
    now - forgottenAfter,
    now - readerForgottenAfter,
  ]);
}

/** Tells whether a process of a version below this one gave a sign of life within the last minute. */
export function* olderIsAlive(sql: SqlDialect, version: number): Steps<boolean> {
  const clock = sql.clock();
  const row = yield* runSingle(
    `select count(*) as older from calends_processes where version < ? and seen_at > ${clock.text} - ${silence}`,
    [version, ...clock.values],
  );
  return row !== undefined && integer(row, 'older') > 0;
}
