import { expect, it } from 'vitest';
import { worldOf } from './cases.js';
import { oracle } from './oracle.js';
import { chanceOf } from './random.js';
import { askedIn, isTaken, storable } from './stored-world.js';

const minute = 60_000;
/** How many starts are explained. */
const starts = Number(process.env['CALENDS_ORACLE_EXPLAINED'] ?? 1000);

/** What find says of the minutes of a window, and explain of some of them, is what the oracle says. */
async function agreeIn(number: number): Promise<{ readonly asked: number; readonly free: number }> {
  const chance = chanceOf(number);
  const usual = storable(worldOf(number));
  const steps = chance.list(6, 6, () => Math.floor(chance.int(usual.from, usual.to) / (5 * minute)) * 5 * minute);
  const world = { ...usual, starts: [...usual.starts, ...steps] };
  const expected = oracle(world);
  const library = await askedIn(world);
  const offers = await library.find();
  expect(offers, `offers in world ${number}`).toEqual(expected.offers());

  const asked = [...world.starts, ...chance.list(0, offers.length === 0 ? 0 : 6, () => chance.one(offers).start)];
  let free = 0;
  for (const start of asked) {
    const about = `${new Date(start).toISOString()} in world ${number}`;
    const explanation = await library.explain(start);
    if (start >= world.from && start < world.to) {
      expect(explanation.free, about).toBe(offers.some((offer) => offer.start === start));
    }
    const { reasons, actorIds } = expected.decide(start);
    expect(explanation, about).toEqual(reasons.length === 0 ? { free: true, actorIds } : { free: false, reasons });
    if (explanation.free) free += 1;
  }
  return { asked: asked.length, free };
}

it(`explain says free exactly when find offers, and both what the oracle says, of ${starts} starts over the memory store`, async () => {
  let [asked, free] = [0, 0];
  for (let number = 0; asked < starts; number++) {
    if (!isTaken(worldOf(number))) continue;
    const here = await agreeIn(number);
    asked += here.asked;
    free += here.free;
  }
  expect(free).toBeGreaterThan(asked / 10);
}, 0);
