import { expect, it } from 'vitest';
import { html } from '../html.js';
import { Languages } from '../texts/languages.js';
import { freeTimesList } from './free-times-list.js';

const hour = 3_600_000;

/** The line that names the zones, over a time on each of these days. */
function zonesOver(dates: readonly string[]): string {
  const days = dates.map((date) => {
    const start = Date.parse(`${date}T09:00:00Z`);
    return { date, times: [{ start, end: start + hour }] };
  });
  const free = { days, from: dates[0] ?? '', until: '', earlier: undefined, later: undefined, next: undefined };
  const frame = { language: new Languages({}).of('en'), base: '/manage', name: undefined };
  const list = { free, zone: 'Europe/Athens', other: 'Asia/Tokyo', action: '/', hidden: html``, href: () => '/' };
  const strong = /<strong>([^<]*)<\/strong>/g;
  return Array.from(freeTimesList(frame, list).text.matchAll(strong), ([, zone]) => zone).join('; ');
}

it.each([
  ['in winter', ['2030-01-01', '2030-01-02'], 'Europe/Athens, GMT+2; Asia/Tokyo, GMT+9'],
  ['in summer', ['2030-07-01', '2030-07-02'], 'Europe/Athens, GMT+3; Asia/Tokyo, GMT+9'],
  ['in which the clocks change', ['2030-03-30', '2030-03-31'], 'Europe/Athens; Asia/Tokyo, GMT+9'],
])(
  'Free times of days %s are told to be in a zone, with its offset where all of them have it',
  (_when, dates, zones) => {
    expect(zonesOver(dates)).toBe(zones);
  },
);
