import { run, type Steps } from '../sql/steps.js';

const drop = 'drop table if exists calends_write_probe';

/**
 * Writes as much as a change may take, to a table of its own: only a commit tells whether the disk has room for it,
 * and what is rolled back never reaches the disk.
 */
export function* writeFiller(): Steps<void> {
  yield* run(drop);
  yield* run('create table calends_write_probe (filler blob)');
  yield* run('insert into calends_write_probe (filler) values (zeroblob(65536))');
}

/** Gives the room back. */
export function* dropFiller(): Steps<void> {
  yield* run(drop);
}
