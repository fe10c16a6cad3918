import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quickest } from '../../test/quickest.js';
import { firstInstant, formatInstant, lastInstant, parseInstant } from './instant.js';

describe('A start (D3)', () => {
  it.each([
    ['2030-01-02T03:04:05Z', Date.UTC(2030, 0, 2, 3, 4, 5)],
    ['2030-01-02T03:04Z', Date.UTC(2030, 0, 2, 3, 4)],
    ['2030-01-02T03:04:05.6Z', Date.UTC(2030, 0, 2, 3, 4, 5, 600)],
    ['2030-01-02T03:04:05.678Z', Date.UTC(2030, 0, 2, 3, 4, 5, 678)],
    ['2030-01-02T03:04:05.678999999Z', Date.UTC(2030, 0, 2, 3, 4, 5, 678)],
    ['2030-01-02T03:04:05+05:30', Date.UTC(2030, 0, 1, 21, 34, 5)],
    ['2030-01-02T03:04:05+0530', Date.UTC(2030, 0, 1, 21, 34, 5)],
    ['2030-01-02T03:04:05-09:30', Date.UTC(2030, 0, 2, 12, 34, 5)],
    ['2030-01-02T03:04:05-00:00', Date.UTC(2030, 0, 2, 3, 4, 5)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['1970-01-01T00:00:00Z', firstInstant],
    ['9999-12-31T23:59:59.999Z', lastInstant],
  ])('%s is ISO 8601 with Z or a numeric offset and is kept as UTC', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    ['no zone', '2030-01-02T03:04:05'],
    ['a date only', '2030-01-02'],
    ['the year 0', '0000-01-01T00:00:00Z'],
    ['the year 0099', '0099-01-01T00:00:00Z'],
    ['the year 1969', '1969-12-31T23:59:59Z'],
    ['before 1970 through its offset', '1970-01-01T00:00:00+00:01'],
    ['beyond 9999 through its offset', '9999-12-31T23:59:59-00:01'],
    ['the year 275760', '+275760-09-13T00:00:00Z'],
    ['the year 10000', '10000-01-01T00:00:00Z'],
    ['30 February', '2030-02-30T10:00:00Z'],
    ['29 February of a common year', '2030-02-29T10:00:00Z'],
    ['31 April', '2030-04-31T10:00:00Z'],
    ['month 0', '2030-00-10T10:00:00Z'],
    ['month 13', '2030-13-10T10:00:00Z'],
    ['day 0', '2030-01-00T10:00:00Z'],
    ['hour 24', '2030-01-02T24:00:00Z'],
    ['minute 60', '2030-01-02T10:60:00Z'],
    ['a leap second', '2030-06-30T23:59:60Z'],
    ['an offset of 24 hours', '2030-01-02T10:00:00+24:00'],
    ['an offset of 60 minutes', '2030-01-02T10:00:00+01:60'],
    ['an offset without minutes', '2030-01-02T10:00:00+01'],
    ['a negative year', '-2030-01-02T10:00:00Z'],
    ['a zone name', '2030-01-02T10:00:00 Europe/Athens'],
    ['a blank before', ' 2030-01-02T10:00:00Z'],
    ['a line feed after', '2030-01-02T10:00:00Z\n'],
    ['Arabic digits', '٢٠٣٠-01-02T10:00:00Z'],
    ['a long fraction', '2030-01-02T10:00:00.0000000001Z'],
    ['an empty fraction', '2030-01-02T10:00:00.Z'],
    ['the local form', 'Wed Jan 02 2030 10:00:00 GMT'],
    ['epoch milliseconds', '1893578645000'],
    ['an exponent', '2e3-01-02T10:00:00Z'],
    ['a NUL', '2030-01-02T10:00:00Z\u0000'],
    ['an empty text', ''],
  ])('%s is no start', (_why, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('a start of 100 KB is refused before a regular expression runs', () => {
    const hostile = `2030-01-02T10:00:00.${'0'.repeat(100_000)}Z`;
    expect(parseInstant(hostile)).toBeUndefined();
    expect(quickest(() => parseInstant(hostile))).toBeLessThan(20);
  });
});

describe('An answered instant (D3)', () => {
  it('an answered instant has Z, and milliseconds only when they are not zero', () => {
    expect(formatInstant(Date.UTC(2030, 0, 2, 3, 4, 5))).toBe('2030-01-02T03:04:05Z');
    expect(formatInstant(Date.UTC(2030, 0, 2, 3, 4, 5, 60))).toBe('2030-01-02T03:04:05.060Z');
  });

  it('an answered instant is what the calendar says, on one day and on the next', () => {
    const anyInstant = fc.double({ min: firstInstant, max: lastInstant, noNaN: true });
    fc.assert(
      fc.property(anyInstant, fc.constantFrom(0, 1, 999, 1000, 86_399_999, 86_400_000), (instant, step) => {
        for (const each of [instant, Math.min(instant + step, lastInstant), instant]) {
          expect(formatInstant(each)).toBe(new Date(each).toISOString().replace('.000Z', 'Z'));
        }
      }),
    );
    for (const bound of [firstInstant, lastInstant]) {
      expect(formatInstant(bound)).toBe(new Date(bound).toISOString().replace('.000Z', 'Z'));
    }
    expect(() => formatInstant(NaN)).toThrow(RangeError);
  });

  it('an answered instant is read back as the same instant', () => {
    fc.assert(
      fc.property(fc.integer({ min: firstInstant, max: lastInstant }), (instant) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant);
      }),
    );
  });

  it('an answered instant is the same however its offset was written', () => {
    const offset = fc.record({ sign: fc.constantFrom('+', '-'), hour: fc.nat(23), minute: fc.nat(59) });
    fc.assert(
      fc.property(fc.integer({ min: 10 ** 9, max: 10 ** 13 }), offset, (instant, { sign, hour, minute }) => {
        const shift = (hour * 60 + minute) * 60_000 * (sign === '+' ? 1 : -1);
        const digits = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
        const local = new Date(instant + shift).toISOString().replace('Z', `${sign}${digits}`);
        expect(parseInstant(local)).toBe(instant);
      }),
    );
  });
});
