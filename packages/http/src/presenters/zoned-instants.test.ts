import { parseInstant } from '@calends/core/operations';
import { days, firstInstant, lastInstant } from '@calends/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zonedInstants } from './zoned-instants.js';

const at = (text: string): number => parseInstant(text)!;

describe('a time with the offset of a zone', () => {
  it.each([
    ['UTC', '2035-03-02T09:00:00Z', '2035-03-02T09:00:00Z'],
    ['Europe/Vienna', '2035-03-02T09:00:00Z', '2035-03-02T10:00:00+01:00'],
    ['America/St_Johns', '2035-01-02T01:00:00Z', '2035-01-01T21:30:00-03:30'],
    ['Asia/Kathmandu', '2035-01-02T23:00:00.250Z', '2035-01-03T04:45:00.250+05:45'],
    ['Pacific/Kiritimati', '9999-12-31T09:59:59Z', '9999-12-31T23:59:59+14:00'],
    ['Pacific/Kiritimati', '9999-12-31T10:00:00Z', '9999-12-31T10:00:00Z'],
    ['Pacific/Pago_Pago', '9999-12-31T23:59:59.999Z', '9999-12-31T12:59:59.999-11:00'],
    ['Etc/GMT', '2035-01-02T23:00:00Z', '2035-01-02T23:00:00+00:00'],
  ])('a time in %s %s is %s', (zone, instant, text) => {
    expect(zonedInstants(zone)(at(instant))).toBe(text);
  });

  it('a time of a day on which clocks change has the offset of its own minute, the repeated hour twice', () => {
    const format = zonedInstants('Europe/Vienna');
    expect(
      ['2035-10-28T00:30:00Z', '2035-10-28T01:30:00Z', '2035-10-28T12:00:00Z'].map((each) => format(at(each))),
    ).toEqual(['2035-10-28T02:30:00+02:00', '2035-10-28T02:30:00+01:00', '2035-10-28T13:00:00+01:00']);
  });

  it('a time at either end of the years that can be written is an instant that can be read, in any zone', () => {
    const zone = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Vienna', 'America/St_Johns');
    const near = fc.oneof(
      fc.integer({ min: firstInstant, max: days(2) }),
      fc.integer({ min: lastInstant - days(2), max: lastInstant }),
    );
    fc.assert(
      fc.property(zone, near, (timezone, instant) => {
        expect(parseInstant(zonedInstants(timezone)(instant))).toBe(instant);
      }),
    );
  });

  it.each(['Australia/Lord_Howe', 'Antarctica/Troll', 'Africa/Cairo', 'America/St_Johns', 'Pacific/Apia'])(
    'a time in %s is the same instant, every 30 minutes of a year',
    (zone) => {
      const format = zonedInstants(zone);
      const first = Date.UTC(2035, 0, 1);
      for (let instant = first; instant < first + 366 * 86_400_000; instant += 1_800_000) {
        if (parseInstant(format(instant)) !== instant) expect(format(instant)).toBe(instant);
      }
    },
  );
});
