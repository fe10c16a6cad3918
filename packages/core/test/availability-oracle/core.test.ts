import { expect, it } from 'vitest';
import { worldOf } from './cases.js';
import { difference } from './difference.js';
import { smallest } from './smaller.js';

/** Which worlds, by their numbers: a share of those that `scripts/availability-oracle.mjs` asks about. */
const first = Number(process.env['CALENDS_ORACLE_FIRST'] ?? 0);
// The title does not tell how many: the runs in each zone are compared by title.
const share = process.env['CALENDS_ONLY_ZONED'] === '1' ? 2000 : 10_000;
const cases = Number(process.env['CALENDS_ORACLE_CASES'] ?? share);

it('the core finds, explains and chooses as the oracle does in random worlds', () => {
  for (let number = first; number < first + cases; number++) {
    const world = worldOf(number);
    if (difference(world) === undefined) continue;
    const small = smallest(world, (other) => difference(other) !== undefined);
    expect.fail(`World ${number}, made small: ${JSON.stringify({ ...small, difference: difference(small) }, null, 1)}`);
  }
}, 0);
