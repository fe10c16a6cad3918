import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { days, hours, minutes, seconds } from './instant.js';
import { type Disambiguation, instantOfWallClock, offsetAt, type WallClock, wallClockAt } from './time-zone.js';

const zones = [
  'Africa/Casablanca',
  'America/Los_Angeles',
  'America/New_York',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Europe/Athens',
  'Pacific/Apia',
  'UTC',
];
const from = Date.UTC(2005, 0, 1);
const to = Date.UTC(2035, 0, 1);

const formats = new Map(
  zones.map((timeZone) => {
    const digits = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    return [timeZone, new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...date, ...digits })];
  }),
);

/** The oracle: what Intl's own fields say, without an offset in between. */
function wallByFields(instant: number, zone: string): number {
  const parts = formats.get(zone)!.formatToParts(instant);
  const field = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const { year, month, day } = { year: field('year'), month: field('month'), day: field('day') };
  return Date.UTC(year, month - 1, day, field('hour'), field('minute'), field('second'));
}

const offsetByFields = (instant: number, zone: string): number => wallByFields(instant, zone) - instant;

/** Every instant at which the zone's clocks show the wall time: all offsets there are, tried one by one. */
function instantsByTrying(wall: number, zone: string): readonly number[] {
  const offsets = Array.from({ length: (24 + 2) * 4 + 1 }, (_, step) => hours(14) - step * minutes(15));
  return offsets.map((offset) => wall - offset).filter((instant) => wallByFields(instant, zone) === wall);
}

interface OffsetChange {
  readonly zone: string;
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

function changesOf(zone: string): readonly OffsetChange[] {
  const changes: OffsetChange[] = [];
  const step = days(5);
  for (let low = from; low < to; low += step) {
    let [left, right] = [low, low + step];
    const [before, after] = [offsetByFields(left, zone), offsetByFields(right, zone)];
    if (before === after) continue;
    while (right - left > seconds(1)) {
      const middle = left + Math.floor((right - left) / 2 / 1000) * 1000;
      if (offsetByFields(middle, zone) === before) left = middle;
      else right = middle;
    }
    changes.push({ zone, at: right, before, after });
  }
  return changes;
}

const changes = zones.flatMap(changesOf);
const nearby = [0, seconds(1), minutes(15), minutes(30), minutes(59), hours(1), hours(2), hours(23), hours(25)].flatMap(
  (distance) => [-distance, distance],
);

function wallClockOf(wall: number): WallClock {
  const date = new Date(wall);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

describe('From an instant to the wall clock', () => {
  it('the sample of instants covers changes of every kind', () => {
    const sizes = new Set(changes.map(({ before, after }) => (after - before) / minutes(1)));
    for (const size of [60, -60, 30, -30, 120, -120, 24 * 60]) expect(sizes).toContain(size);
    expect(changes.length).toBeGreaterThan(400);
  });

  it('the offset and the fields are those of Intl at every change', () => {
    for (const { zone, at } of changes) {
      for (const instant of nearby.map((distance) => at + distance)) {
        const expected = wallByFields(instant, zone);
        if (offsetAt(instant, zone) !== expected - instant) {
          expect.fail(`offset of ${zone} at ${String(instant)}`);
        }
        expect(wallClockAt(instant, zone)).toEqual(wallClockOf(expected));
      }
    }
  });

  it('the offset is that of Intl at any instant', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: from / 1000, max: to / 1000 }), (zone, second) => {
        expect(offsetAt(second * 1000, zone)).toBe(offsetByFields(second * 1000, zone));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('From the wall clock to an instant (D5)', () => {
  function check(wall: number, zone: string, change: OffsetChange | undefined): void {
    const matches = [...instantsByTrying(wall, zone)].sort((one, other) => one - other);
    const [first, second] = matches;
    const found = (how?: Disambiguation): number | undefined => instantOfWallClock(wallClockOf(wall), zone, how);
    const answers = [found(), found('compatible'), found('earlier'), found('later'), found('reject')];
    const expected =
      first === undefined
        ? [wall - change!.before, wall - change!.before, wall - change!.after, wall - change!.before, undefined]
        : second === undefined
          ? [first, first, first, first, first]
          : [first, first, first, second, undefined];
    expect(answers, `${zone} ${new Date(wall).toISOString()}`).toEqual(expected);
  }

  it('a repeated hour is the earlier one, a skipped one moves forward by the gap, at every change', () => {
    const sample = changes.filter(({ at }) => at > Date.UTC(2011, 0, 1) && at < Date.UTC(2026, 0, 1));
    for (const change of sample) {
      const { at, before, after, zone } = change;
      const edges = [Math.min(before, after), Math.max(before, after)].map((offset) => at + offset);
      const walls = edges.flatMap((edge) => [-seconds(1), 0, seconds(1), minutes(17)].map((away) => edge + away));
      for (const wall of walls) check(wall, zone, change);
    }
  }, 60_000);

  it('a time that exists once goes there and back', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: from / 1000, max: to / 1000 }), (zone, second) => {
        const wall = wallByFields(second * 1000, zone);
        fc.pre(instantsByTrying(wall, zone).length === 1);
        expect(instantOfWallClock(wallClockAt(second * 1000, zone), zone, 'reject')).toBe(second * 1000);
      }),
      { numRuns: 200 },
    );
  });

  const at = (text: string): WallClock => wallClockOf(Date.parse(`${text}Z`));

  it.each<[string, string, Disambiguation, string | undefined]>([
    ['America/New_York', '2026-03-08T02:30:00', 'compatible', '2026-03-08T07:30:00Z'],
    ['America/New_York', '2026-03-08T02:30:00', 'earlier', '2026-03-08T06:30:00Z'],
    ['America/New_York', '2026-03-08T02:30:00', 'later', '2026-03-08T07:30:00Z'],
    ['America/New_York', '2026-03-08T02:30:00', 'reject', undefined],
    ['America/New_York', '2026-11-01T01:30:00', 'compatible', '2026-11-01T05:30:00Z'],
    ['America/New_York', '2026-11-01T01:30:00', 'later', '2026-11-01T06:30:00Z'],
    ['America/New_York', '2026-11-01T01:30:00', 'reject', undefined],
    ['Europe/Athens', '2026-03-29T03:30:00', 'compatible', '2026-03-29T01:30:00Z'],
    ['Europe/Athens', '2026-10-25T03:30:00', 'compatible', '2026-10-25T00:30:00Z'],
    ['Europe/Athens', '2026-10-25T03:30:00', 'later', '2026-10-25T01:30:00Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', 'compatible', '2026-10-03T15:45:00Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', 'compatible', '2026-04-04T14:45:00Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', 'later', '2026-04-04T15:15:00Z'],
    ['Pacific/Apia', '2011-12-30T12:00:00', 'compatible', '2011-12-30T22:00:00Z'],
    ['Pacific/Apia', '2011-12-30T12:00:00', 'earlier', '2011-12-29T22:00:00Z'],
    ['Pacific/Apia', '2011-12-30T12:00:00', 'reject', undefined],
    ['Pacific/Apia', '2011-12-31T00:00:00', 'reject', '2011-12-30T10:00:00Z'],
    ['UTC', '2026-03-29T03:30:00', 'reject', '2026-03-29T03:30:00Z'],
  ])('the wall clock of %s at %s (%s) is %s', (zone, wall, how, instant) => {
    const expected = instant === undefined ? undefined : Date.parse(instant);
    expect(instantOfWallClock(at(wall), zone, how)).toBe(expected);
  });
});
