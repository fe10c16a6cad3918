import { expect, it } from 'vitest';
import { Silence } from './silence.js';

/** Who is stuck, turn by turn; `says` tells who says something before it. */
function stuckIn(silence: Silence, turns: number, says: (turn: number) => readonly number[] = () => []) {
  return Array.from({ length: turns }, (_, turn) => {
    for (const process of says(turn)) silence.heard(process);
    return silence.next();
  });
}

it('A process that says nothing for twelve turns is told as stuck, once, and the others are not', () => {
  const silence = new Silence();
  for (const process of [1, 2]) silence.heard(process);
  const stuck = stuckIn(silence, 30, (turn) => (turn % 11 === 10 ? [2] : []));
  expect(stuck.flatMap((each, turn) => each.map((process) => [turn + 1, process]))).toEqual([[12, 1]]);
});

it('A process that was never up, and one that has ended, is not told as stuck', () => {
  const silence = new Silence();
  silence.heard(1);
  silence.ended(1);
  expect(stuckIn(silence, 30).flat()).toEqual([]);
});
