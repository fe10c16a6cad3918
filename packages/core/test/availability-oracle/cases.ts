// Random small worlds: a day or two, a handful of actors, mostly around a change of some zone's clocks.
import type { HoursException, HoursRules, ServiceRules, Weekday } from '@calends/model';
import type { ActorHours } from '../../src/ports/availability-source.js';
import { type Chance, chanceOf } from './random.js';
import type { Taken, World } from './world.js';

/** Moments near which worlds lie: changes of clocks, and usual days. */
const moments: Readonly<Record<string, readonly string[]>> = {
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
  'Antarctica/Troll': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Africa/Cairo': ['2026-04-23T22:00Z', '2026-10-29T21:00Z'],
  'America/St_Johns': ['2010-11-07T02:31Z', '2011-03-13T03:31Z', '2026-03-08T05:30Z', '2026-11-01T04:30Z'],
  'Europe/Berlin': ['2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-12-31T23:00Z'],
  'America/New_York': ['2026-03-08T07:00Z', '2026-11-01T06:00Z'],
  'Asia/Kathmandu': ['2026-06-15T12:00Z'],
  'Pacific/Auckland': ['2026-04-04T14:00Z', '2026-09-26T14:00Z'],
  'America/Sao_Paulo': ['2018-02-18T02:00Z', '2018-11-04T03:00Z'],
  'Pacific/Apia': ['2011-12-30T10:00Z', '2012-03-31T14:00Z', '2020-09-26T14:00Z'],
  'Africa/Casablanca': ['2026-02-15T02:00Z', '2026-03-22T02:00Z'],
  UTC: ['2028-02-29T00:00Z'],
};
export const zones = Object.keys(moments);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const agents = ['a1', 'a2', '\uFF5Ea', '\u{1F600}a'];
const resources = ['r1', 'r2', 'r3'];
const days: readonly Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const walls =
  '00:00 00:30 01:00 01:30 02:00 02:15 02:30 03:00 03:15 08:00 09:00 12:20 13:00 17:00 20:00 22:00 23:30'.split(' ');

const iso = (length: number): string =>
  length % day === 0 && length > 0 ? `P${length / day}D` : `PT${length / minute}M`;
const idOf = (kind: number, place: number): string =>
  `019a3f5c-000${kind}-7000-8000-${String(place).padStart(12, '0')}`;
const dateOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

function shift(chance: Chance) {
  const from = chance.one(walls);
  const until = chance.one([...walls, '24:00'].filter((wall) => wall !== from));
  return { from, until };
}

function weeklyRule(chance: Chance, near: number): HoursRules['weekly'][number] {
  const everyWeeks = chance.odds(15) ? chance.int(1, 3) : undefined;
  const validFrom = everyWeeks !== undefined || chance.odds(10) ? dateOf(near + chance.int(-30, 1) * day) : undefined;
  const validUntil = chance.odds(10) ? dateOf(near + chance.int(0, 3) * day) : undefined;
  return {
    days: [...(chance.odds(60) ? days : chance.some(days))],
    ...shift(chance),
    ...(everyWeeks !== undefined && { everyWeeks }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  };
}

function hoursOf(chance: Chance, actorId: string, zone: string, near: number): ActorHours {
  const exceptions = chance.list(0, chance.odds(40) ? 2 : 0, (): [string, HoursException] => [
    dateOf(near + chance.int(-2, 2) * day),
    { open: [...chance.list(0, 2, () => shift(chance))] },
  ]);
  return {
    actorId,
    timezone: chance.odds(70) ? zone : chance.one(zones),
    weekly: [...chance.list(chance.odds(90) ? 1 : 0, 3, () => weeklyRule(chance, near))],
    exceptions: Object.fromEntries(exceptions),
  };
}

const bufferOf = (chance: Chance): number =>
  chance.odds(50) ? 0 : chance.int(1, chance.odds(5) ? 288 : 12) * 5 * minute;

function distance(chance: Chance, odds: number, lowest: number) {
  if (!chance.odds(odds)) return undefined;
  return chance.odds(50)
    ? { days: chance.int(lowest, 4) }
    : { duration: iso(chance.int(lowest * 24, 96) * 30 * minute) };
}

function requirement(chance: Chance): ServiceRules['requirements'][number] {
  const kind = chance.odds(75) ? ('agent' as const) : ('resource' as const);
  const anyOf = [...chance.some(kind === 'agent' ? agents : resources)];
  if (chance.odds(2)) anyOf.push(anyOf[0]!);
  return { kind, anyOf, ...(chance.odds(25) && { count: chance.int(1, chance.odds(5) ? 4 : 2) }) };
}

function serviceOf(chance: Chance, zone: string, duration: number): ServiceRules {
  const isOpening = chance.odds(20);
  const lead = distance(chance, 20, 0);
  const horizon = distance(chance, 15, 1);
  const one = requirement(chance);
  const step =
    chance.one([chance.one([1, 2, 5]), 10, 15, 15, 15, 20, 20, 30, 30, 30, 45, 60, 60, 90, 120, 480, 1440]) * minute;
  return {
    title: 'Service',
    timezone: chance.odds(80) ? zone : chance.one(zones),
    durations: [iso(duration)],
    grid: { step: iso(step), ...(isOpening && { anchor: 'opening' as const }) },
    ...(chance.odds(40) && { bufferBefore: iso(bufferOf(chance)) }),
    ...(chance.odds(40) && { bufferAfter: iso(bufferOf(chance)) }),
    ...(lead !== undefined && { leadTime: lead }),
    ...(horizon !== undefined && { horizon }),
    ...(chance.odds(25) && {
      limits: [
        ...chance.list(1, 2, () => ({
          per: chance.one(['agent', 'service'] as const),
          window: chance.one(['day', 'week'] as const),
          max: chance.int(1, 4),
          ...(chance.odds(50) && { of: chance.one(['service', 'any'] as const) }),
        })),
      ],
    }),
    requirements: isOpening
      ? [{ ...one, count: 1 }]
      : [...chance.list(1, chance.odds(30) ? 3 : 1, () => requirement(chance))],
    ...(chance.odds(60) && {
      assignment: {
        strategy: chance.one(['balanced', 'priority', 'round-robin'] as const),
        ...(chance.odds(30) && {
          weights: Object.fromEntries(chance.some(agents).map((id) => [id, chance.int(1, 6) / 2])),
        }),
      },
    }),
  };
}

/** The world of a number. The same number is the same world for ever. */
export function worldOf(number: number): World {
  const chance = chanceOf(number);
  const zone = chance.one(zones);
  const near = Date.parse(chance.one(moments[zone]!));
  const odd = (): number => (chance.odds(10) ? chance.int(-90_000, 90_000) : 0);
  const lengths = [5, 10, 15, 20, 30, 30, 45, 60, 60, 90, 120, chance.one([7, 240, 480, 1440, 2880])];
  const duration = chance.one(lengths) * minute;
  const from = near + chance.int(-36 * 4, 12 * 4) * 15 * minute + odd();
  const to = from + chance.int(1, chance.odds(80) ? 10 * 60 : 44 * 60) * minute;
  const now = chance.odds(20)
    ? from + chance.int(-2, 6) * 30 * minute + odd()
    : from - chance.int(0, 48) * hour + odd();
  const serviceId = 'service-1';
  const actors = [...agents, ...resources];

  const taken = (id: string): Taken => {
    const isFar = chance.odds(20);
    const start = from + (isFar ? chance.int(-9 * 96, 9 * 96) : chance.int(-96, 192)) * 15 * minute + odd();
    const booked = chance.odds(60) ? serviceId : chance.odds(50) ? 'service-2' : undefined;
    return {
      id,
      start,
      end: start + chance.one(lengths) * minute + Math.abs(odd()),
      before: booked === undefined ? 0 : bufferOf(chance),
      after: booked === undefined ? 0 : bufferOf(chance),
      // Without a service no resource is booked.
      actorIds: chance.some(booked === undefined ? agents : actors).slice(0, 2),
      serviceId: booked,
      blocks: chance.odds(88),
    };
  };
  const appointments = chance.list(0, 10, (place) => taken(idOf(1, place)));
  const holds = chance.list(0, chance.odds(50) ? 3 : 0, (place) => ({
    ...taken(idOf(2, place)),
    serviceId,
    blocks: true,
    until: now + chance.one([-60_000, 0, 1, 60_000, 300_000]),
  }));
  const elsewhere = chance.list(0, chance.odds(30) ? 3 : 0, () => {
    const begin = from + chance.int(-96, 192) * 15 * minute + odd();
    return { actorId: chance.one(actors), from: begin, to: begin + chance.one(lengths) * minute };
  });
  const world = {
    serviceId,
    rules: serviceOf(chance, zone, duration),
    duration,
    buffer: chance.odds(15) ? bufferOf(chance) : 0,
    now,
    from,
    to,
    agentIds: chance.odds(12) ? chance.some([...agents, 'stranger']) : undefined,
    hours: actors.filter(() => chance.odds(88)).map((id) => hoursOf(chance, id, zone, near)),
    taken: [...appointments, ...holds],
    movedId: appointments.length > 0 && chance.odds(20) ? chance.one(appointments).id : undefined,
    elsewhere,
    stale: chance.odds(10) ? chance.some(actors).slice(0, 2) : [],
  };
  return { ...world, starts: chance.list(6, 6, () => startNear(chance, world)) };
}

/** A start that somebody might ask about: on a round minute, beside what is taken, or any. */
function startNear(chance: Chance, { from, to, taken, duration }: Omit<World, 'starts'>): number {
  const round = Math.floor(chance.int(from - 6 * hour, to + 6 * hour) / (15 * minute)) * 15 * minute;
  if (taken.length === 0 || chance.odds(60)) return round + (chance.odds(10) ? chance.int(1, minute) : 0);
  const { start, end, before, after } = chance.one(taken.slice(0, 4));
  const edge = chance.one([start - duration, start - before - duration, end, end + after, start]);
  return Math.min(Math.max(edge, from - 2 * day), to + 2 * day) + chance.one([0, 0, 0, -1, 1, minute]);
}
