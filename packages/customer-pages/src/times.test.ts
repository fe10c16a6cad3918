import { expect, it } from 'vitest';
import { english } from './texts/english.js';
import { clockIn, offsetName, shownTime, showTheSame } from './times.js';

const language = { texts: english, tag: 'en', locale: 'en-NZ', region: 'en-NZ' };

it('A page makes as many formats as it has zones, however many times it shows', () => {
  const { DateTimeFormat } = Intl;
  let made = 0;
  class Counted extends DateTimeFormat {
    constructor(...given: ConstructorParameters<typeof DateTimeFormat>) {
      super(...given);
      made += 1;
    }
  }
  Reflect.set(Intl, 'DateTimeFormat', Counted);
  try {
    for (let index = 0; index < 1000; index += 1) {
      const start = Date.UTC(2030, 0, 1) + index * 60_000;
      clockIn(start, 'Pacific/Auckland', language);
      clockIn(start, 'Pacific/Chatham', language, '2030-01-01');
      offsetName(start, 'Pacific/Auckland');
      showTheSame({ start, end: start + 60_000 }, 'Pacific/Auckland', 'Pacific/Chatham');
    }
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(20);
  } finally {
    Reflect.set(Intl, 'DateTimeFormat', DateTimeFormat);
  }
});

it('Two zones show the same where their offsets are the same at both ends', () => {
  const [before, after] = [Date.UTC(2030, 2, 31, 0), Date.UTC(2030, 2, 31, 2)];
  expect(showTheSame({ start: before, end: before }, 'Europe/London', 'Africa/Abidjan')).toBe(true);
  expect(showTheSame({ start: before, end: after }, 'Europe/London', 'Africa/Abidjan')).toBe(false);
});

it('A schedule is shown with its month, also where the locale asks for the calendar of ISO 8601', () => {
  const start = Date.UTC(2027, 4, 4, 6);
  const [iso, gregorian] = ['iso8601', 'gregory'].map((calendar) =>
    shownTime({ start, end: start + 1, timezone: 'UTC' }, 'UTC', { ...language, region: `en-GB-u-ca-${calendar}` }),
  );
  expect(iso).toEqual(gregorian);
});
