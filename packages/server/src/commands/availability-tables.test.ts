import { timeReasonCodes } from '@calends/model';
import { describe, expect, it } from 'vitest';
import { reasonsTable, weekTable } from './availability-tables.js';

const dates = ['2026-10-24', '2026-10-25'];
const offer = (start: string, actorIds: string[]) => ({ start, end: start, actorIds });

describe('the table of a week', () => {
  it('the table of a week has a row for each time of day, and counts who is free', () => {
    const offers = [
      offer('2026-10-24T09:00:00+02:00', ['a', 'b']),
      offer('2026-10-24T10:00:00+02:00', ['a']),
      offer('2026-10-25T09:00:00+01:00', ['a']),
    ];
    expect(weekTable(dates, 'Europe/Vienna', new Map([['PT30M', offers]])).split('\n')).toEqual([
      'Starts of PT30M in Europe/Vienna, and how many agents and resources are free:',
      'TIME   SAT 10-24  SUN 10-25',
      '09:00  2          1',
      '10:00  1          .',
      '',
    ]);
  });

  it('the table of a week has both starts of an hour that is repeated', () => {
    const offers = [offer('2026-10-25T02:00:00+02:00', ['a', 'b']), offer('2026-10-25T02:00:00+01:00', ['a'])];
    expect(weekTable(dates, 'Europe/Vienna', new Map([['PT30M', offers]]))).toContain('02:00  .          2, 1\n');
  });

  it('the table of a week says of each duration for itself that nothing is free', () => {
    const found = new Map([
      ['PT30M', []],
      ['PT1H', [offer('2026-10-24T09:00:00+02:00', ['a'])]],
    ]);
    const [nothing, ...rest] = weekTable(dates, 'UTC', found).split('\n');
    expect(nothing).toMatch(/^There is no free time of PT30M from 2026-10-24 to 2026-10-25;/);
    expect(rest.join('\n')).toContain('Starts of PT1H');
  });
});

describe('the table of reasons', () => {
  it('the table of reasons says what each means', () => {
    const text = reasonsTable({ free: false, reasons: timeReasonCodes.map((code) => ({ code })) });
    expect(text.trimEnd().split('\n').slice(2)).toHaveLength(timeReasonCodes.length);
    expect(text).toMatch(/OFF_GRID {2,}no start of the service is there/);
  });

  it('the table of reasons says who is free', () => {
    expect(reasonsTable({ free: true, actorIds: ['agent-1', 'room-1'] })).toBe('Free: agent-1, room-1\n');
  });
});
