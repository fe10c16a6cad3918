import type { World } from './world.js';

const without = <Value>(values: readonly Value[]): readonly (readonly Value[])[] =>
  values.map((_, place) => values.filter((_value, other) => other !== place));

/** Every world that is a little smaller than this one. */
function* smallerThan(world: World): Generator<World> {
  const { rules, hours } = world;
  for (const starts of without(world.starts)) yield { ...world, starts };
  for (const taken of without(world.taken)) yield { ...world, taken };
  for (const elsewhere of without(world.elsewhere)) yield { ...world, elsewhere };
  for (const stale of without(world.stale)) yield { ...world, stale };
  for (const fewer of without(hours)) yield { ...world, hours: fewer };
  if (world.movedId !== undefined) yield { ...world, movedId: undefined };
  if (world.agentIds !== undefined) yield { ...world, agentIds: undefined };
  if (world.buffer > 0) yield { ...world, buffer: 0 };
  for (const [place, one] of hours.entries()) {
    for (const weekly of without(one.weekly))
      yield { ...world, hours: hours.with(place, { ...one, weekly: [...weekly] }) };
    for (const dates of without(Object.entries(one.exceptions))) {
      yield { ...world, hours: hours.with(place, { ...one, exceptions: Object.fromEntries(dates) }) };
    }
  }
  for (const name of ['bufferBefore', 'bufferAfter', 'leadTime', 'horizon', 'limits', 'assignment'] as const) {
    const { [name]: gone, ...rest } = rules;
    if (gone !== undefined) yield { ...world, rules: rest };
  }
  for (const limits of without(rules.limits ?? [])) yield { ...world, rules: { ...rules, limits: [...limits] } };
  for (const requirements of without(rules.requirements)) {
    if (requirements.length > 0) yield { ...world, rules: { ...rules, requirements: [...requirements] } };
  }
  for (const [place, one] of rules.requirements.entries()) {
    for (const anyOf of without(one.anyOf)) {
      if (anyOf.length === 0) continue;
      yield {
        ...world,
        rules: { ...rules, requirements: rules.requirements.with(place, { ...one, anyOf: [...anyOf] }) },
      };
    }
  }
  const half = Math.floor((world.to - world.from) / 120_000) * 60_000;
  if (half > 0) {
    yield { ...world, to: world.from + half };
    yield { ...world, from: world.from + half };
  }
}

/** The smallest world that is found from here, one step at a time, of which the same can be said. */
export function smallest(world: World, isSo: (world: World) => boolean): World {
  for (const next of smallerThan(world)) if (isSo(next)) return smallest(next, isSo);
  return world;
}
