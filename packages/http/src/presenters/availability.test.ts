import type { Offers } from '@calends/core/operations';
import { formatDuration, formatInstant, minutes } from '@calends/model';
import type { Offers as WireOffers } from '@calends/http-contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { offersJson } from './availability.js';

const nine = Date.UTC(2030, 0, 2, 9);
const instant = fc.integer({ min: nine, max: Date.UTC(2031, 0, 1) });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const ids = fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 });

const offers: fc.Arbitrary<Offers> = fc.record({
  durations: fc.array(
    fc.record({
      duration: fc.integer({ min: 1, max: 600 }).map(minutes),
      // Lists that are shared, lists of each, and none for who is no staff.
      offers: fc
        .tuple(ids, fc.array(fc.record({ start: instant, end: instant, own: fc.boolean(), actorIds: optional(ids) })))
        .map(([shared, all]) =>
          all.map(({ start, end, own, actorIds }) => ({ start, end, actorIds: own ? actorIds : shared })),
        ),
    }),
    { maxLength: 3 },
  ),
  next: optional(instant),
});

it('Free times are written as JSON of the same members as an object has, whatever ids have in them', () => {
  fc.assert(
    fc.property(offers, ({ durations, next }) => {
      const expected: WireOffers = {
        durations: durations.map(({ duration, offers: each }) => ({
          duration: formatDuration(duration),
          offers: each.map(({ start, end, actorIds }) => ({
            start: formatInstant(start),
            end: formatInstant(end),
            actorIds: actorIds && [...actorIds],
          })),
        })),
        next: next === undefined ? undefined : formatInstant(next),
      };
      expect(offersJson({ durations, next }, 'UTC')).toBe(JSON.stringify(expected));
    }),
  );
});

it('Free times are written in the zone that was asked for', () => {
  const one = { duration: minutes(30), offers: [{ start: nine, end: nine + minutes(30) }] };
  expect(JSON.parse(offersJson({ durations: [one], next: nine + minutes(60) }, 'Europe/Vienna'))).toEqual({
    durations: [
      { duration: 'PT30M', offers: [{ start: '2030-01-02T10:00:00+01:00', end: '2030-01-02T10:30:00+01:00' }] },
    ],
    next: '2030-01-02T11:00:00+01:00',
  });
});
