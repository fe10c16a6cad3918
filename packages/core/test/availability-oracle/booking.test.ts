import { expect, it } from 'vitest';
import { worldOf } from './cases.js';
import { chanceOf } from './random.js';
import { askedIn, isTaken, storable } from './stored-world.js';
import type { World } from './world.js';

/** How many times an offer is booked and cancelled. */
const rounds = Number(process.env['CALENDS_ORACLE_BOOKED'] ?? 100);
const roundsOfWorld = 10;

/** A world of its number in which everybody may be asked for, nothing is moved and nothing is limited. */
function bookable(number: number): World {
  const { rules, ...world } = storable(worldOf(number));
  const { limits: _limits, ...unlimited } = rules;
  return { ...world, rules: unlimited, movedId: undefined, agentIds: undefined };
}

/** As many of the starts as can be had by one after the other, buffers between them. */
function apart(starts: readonly number[], distance: number): readonly number[] {
  const chosen: number[] = [];
  for (const start of starts) if (start - (chosen.at(-1) ?? -Infinity) >= distance) chosen.push(start);
  return chosen;
}

const minutesIn = (iso = 'PT0M'): number => Number(/\d+/.exec(iso)?.[0]) * (iso.startsWith('PT') ? 1 : 1440);

it(`the offers of a window that do not meet each other can be booked all at once`, async () => {
  let booked = 0;
  for (let number = 0; booked < rounds; number++) {
    const world = bookable(number);
    if (!isTaken(world)) continue;
    const { bufferBefore, bufferAfter } = world.rules;
    const buffer = Math.max(minutesIn(bufferBefore), minutesIn(bufferAfter)) * 60_000;
    const library = await askedIn(world);
    const offers = await library.find();
    const starts = apart(
      offers.map(({ start }) => start),
      world.duration + Math.max(buffer, world.buffer),
    );
    const outcomes = await Promise.allSettled(starts.map((start) => library.book(start)));
    expect(
      outcomes.filter(({ status }) => status === 'rejected'),
      `in world ${number}`,
    ).toEqual([]);
    booked += starts.length;
  }
}, 0);

it(`an offer can be booked, is then gone for who comes, and is there again when it is cancelled, ${rounds} times`, async () => {
  let done = 0;
  for (let number = 0; done < rounds; number++) {
    const chance = chanceOf(number);
    const world = bookable(number);
    if (!isTaken(world)) continue;
    const library = await askedIn(world);
    const offers = await library.find();
    for (let round = 0; offers.length > 0 && round < roundsOfWorld; round++, done++) {
      const { start, actorIds } = chance.one(offers);
      const appointment = await library.book(start);
      const after = (await library.find()).find((offer) => offer.start === start);
      const taken = [...appointment.participants.map(({ id }) => id), ...(appointment.service?.resources ?? [])];
      expect(after?.actorIds ?? [], `in world ${number}`).toEqual(
        actorIds!.filter((id) => after && !taken.includes(id)),
      );
      await library.cancel(appointment.id);
      expect(await library.find(), `in world ${number}`).toEqual(offers);
    }
  }
}, 0);
