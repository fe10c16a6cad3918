import fc from 'fast-check';
import { expect, it } from 'vitest';
import { offsetSpans } from './time-zone.js';
import { days, hours, minutes, seconds } from './instant.js';

const distance = fc.integer({ min: days(7) / seconds(1), max: days(200) / seconds(1) });
const offset = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => minutes(15) * quarters);
/** Offsets of a zone, each with the second from which on it is so; two changes are 7 days apart at least. */
const zone = fc.array(fc.tuple(distance, offset), { maxLength: 20 }).map((changes) => {
  let at = 0;
  return changes.map(([after, value]) => ({ from: (at += after) * seconds(1), value }));
});

it('An offset that is remembered by its span is the one that is read', () => {
  fc.assert(
    fc.property(zone, fc.array(fc.integer({ min: -days(10), max: days(3000) })), (changes, instants) => {
      const read = (instant: number) => changes.findLast(({ from }) => from <= instant)?.value ?? hours(1);
      const spanAt = offsetSpans(read);
      for (const instant of [...changes.flatMap(({ from }) => [from - 1, from, from + 1]), ...instants]) {
        const span = spanAt(instant);
        expect(span.offset).toBe(read(instant));
        expect(span.from <= instant && instant < span.to).toBe(true);
        expect([read(span.from), read(span.to - 1)]).toEqual([span.offset, span.offset]);
      }
    }),
  );
});

it('A year of offsets is read a few times, and not again', () => {
  let reads = 0;
  const spanAt = offsetSpans((instant) => {
    reads += 1;
    return instant < days(100.5) ? 0 : hours(1);
  });
  const askAll = (): void => {
    for (let instant = 0; instant < days(365); instant += hours(1)) spanAt(instant);
  };
  askAll();
  expect(reads).toBeLessThan(100);
  const first = reads;
  askAll();
  expect(reads).toBe(first);
});
