import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '@calends/model';
import { reminderDueAt } from './wanted.js';

const start = Date.UTC(2030, 4, 6, 11);
const schedule = { start, end: start + minutes(30), timezone: 'UTC' };
const lead = start - minutes(30);

describe('A reminder', () => {
  it.each([
    ['whose room opens at the same instant', lead, lead, minutes(5), lead + seconds(60)],
    ['whose room opens shortly before', lead + seconds(20), lead, minutes(5), lead + seconds(60)],
    ['whose room has had its minute', lead + seconds(60), lead, minutes(5), lead + seconds(60)],
    ['long after its room opens', lead + minutes(15), lead, minutes(5), lead + minutes(15)],
    ['whose room opens later', lead, lead + 1, minutes(5), lead],
    ['whose room is open, or opens by a call', lead, undefined, minutes(5), lead],
    ['that may be 30 s late', lead, lead, seconds(30), lead + seconds(15)],
    ['that may not be late', lead, lead, 0, lead],
    ['40 s before the start', start - seconds(40), start - seconds(40), minutes(5), start - seconds(20)],
    ['at the start', start, start, minutes(5), start],
  ] as const)('a reminder %s is due when it should', (_case, scheduledFor, activation, reminder, due) => {
    const settings = { lateness: { reminder, room: minutes(5), followUp: minutes(5) } };
    expect(reminderDueAt({ scheduledFor, schedule, settings }, activation)).toBe(due);
  });
});
