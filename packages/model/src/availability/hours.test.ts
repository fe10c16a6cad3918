import { describe, expect, it } from 'vitest';
import { exceptionSchema, hoursSchema } from './hours.js';

const rule = { days: ['MO'], from: '09:00', until: '17:00' };

const toldOf = (changes: object): readonly string[] =>
  hoursSchema
    .safeParse({ timezone: 'UTC', weekly: [{ ...rule, ...changes }] })
    .error?.issues.map(({ path, message }) => `${path.slice(2).join('.')}: ${message}`) ?? [];

const noDate = 'Must be a date, YYYY-MM-DD.';

describe('Hours', () => {
  it.each<[string, object, readonly string[]]>([
    ['a last day that is no date', { validFrom: '2999-01-01', validUntil: 'soon' }, [`validUntil: ${noDate}`]],
    [
      'a last day that no calendar has',
      { validFrom: '2999-03-01', validUntil: '2999-02-30' },
      [`validUntil: ${noDate}`],
    ],
    ['a first day that is no date', { validFrom: 'soon', validUntil: '2999-01-01' }, [`validFrom: ${noDate}`]],
    [
      'times that are none',
      { from: 'nine', until: 'nine' },
      ['from: Must be a time of day, HH:MM.', 'until: Must be a time of day, HH:MM, or 24:00.'],
    ],
  ])('hours with %s are told that, and nothing that follows from it', (_what, changes, told) => {
    expect(toldOf(changes)).toEqual(told);
  });

  it.each<[string, object, readonly string[]]>([
    ['end when they begin', { until: '09:00' }, ['until: Never opens: from and until are the same.']],
    [
      'end before their first day',
      { validFrom: '2999-03-01', validUntil: '2999-02-01' },
      ['validUntil: Never opens: validUntil is before validFrom.'],
    ],
    [
      'have no day in their time',
      { validFrom: '2999-01-01', validUntil: '2999-01-02' },
      ['days: Never opens: none of its days lies from validFrom to validUntil.'],
    ],
    ['are every second week of nothing', { everyWeeks: 2 }, ['validFrom: Must be there where everyWeeks is.']],
  ])('hours that %s are told where they never open', (_what, changes, told) => {
    expect(toldOf(changes)).toEqual(told);
  });

  it('an exception with times that are none is told that, and nothing that follows from it', () => {
    const { error } = exceptionSchema.safeParse({ open: [{ from: 'nine', until: 'nine' }] });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['open.0.from', 'open.0.until']);
  });
});
