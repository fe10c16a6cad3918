import { describe, expect, it } from 'vitest';
import { days, hours, lastInstant, minutes } from '@calends/model';
import { at, iso, service } from '../../../test/availability/sample-question.js';
import { serviceActorId } from '../../domain/appointments/participants.js';
import { type Asked, neededFacts } from './needed-facts.js';

const window = { from: at('2026-05-06T12:00:00Z'), to: at('2026-05-06T13:00:00Z') };

const needed = (rules: Parameters<typeof service>[0] = {}, more: Partial<Asked> = {}) =>
  neededFacts(service(rules), {
    applicationId: 'app-1',
    serviceId: 'consultation',
    window,
    minBuffer: 0,
    isChoosing: false,
    ...more,
  });

/** How far the time before and after is looked at. */
function reach(rules: Parameters<typeof service>[0], more: Partial<Asked> = {}): readonly [number, number] {
  const { busy } = needed(rules, more);
  return [window.from - busy.from, busy.to - window.to];
}

describe('What is busy is asked for', () => {
  it.each<[string, Parameters<typeof service>[0], Partial<Asked>, readonly [number, number]]>([
    ['in the time itself', {}, {}, [0, 0]],
    [
      'with the buffers',
      { bufferBefore: 'PT1H', bufferAfter: 'PT10M' },
      { minBuffer: minutes(20) },
      [hours(1), minutes(20)],
    ],
    [
      'with more than a day where a limit counts days',
      { limits: [{ per: 'agent', window: 'day', max: 1 }] },
      {},
      [days(2), days(2)],
    ],
    [
      'with more than a week where one counts weeks',
      { limits: [{ per: 'service', window: 'week', max: 1 }] },
      {},
      [days(8), days(8)],
    ],
    ['with more than a week to balance', {}, { isChoosing: true }, [days(8), days(8)]],
    ['with four weeks of turns', { assignment: { strategy: 'round-robin' } }, { isChoosing: true }, [days(28), 0]],
    ['without turns where nobody is chosen', { assignment: { strategy: 'round-robin' } }, {}, [0, 0]],
    ['no further for priority', { assignment: { strategy: 'priority' } }, { isChoosing: true }, [0, 0]],
  ])('what is busy is asked for %s', (_what, rules, more, expected) => {
    expect(reach(rules, more)).toEqual(expected);
  });

  it('what is busy is asked for of everybody who may come once, and of the service where its limits count', () => {
    const requirements = [
      { kind: 'agent' as const, anyOf: ['anna', 'ben'] },
      { kind: 'agent' as const, anyOf: ['anna'] },
      { kind: 'resource' as const, anyOf: ['room'] },
    ];
    const limits = [{ per: 'service' as const, window: 'day' as const, max: 1 }];
    expect(needed({ requirements }).busyActorIds).toEqual(['anna', 'ben', 'room']);
    expect(needed({ requirements, limits }, { agentIds: ['ben', 'eve'] })).toMatchObject({
      actorIds: ['ben', 'room'],
      busyActorIds: ['ben', 'room', serviceActorId('app-1', 'consultation')],
    });
  });
});

it('Other calendars are asked for the time with our buffers', () => {
  const { elsewhere } = needed({ bufferBefore: 'PT1H', limits: [{ per: 'agent', window: 'week', max: 1 }] });
  expect([iso(elsewhere.from), iso(elsewhere.to)]).toEqual(['2026-05-06T11:00:00.000Z', '2026-05-06T13:00:00.000Z']);
});

it('Exceptions are asked for from the days on which a shift may begin, in any zone', () => {
  expect(needed().days).toEqual({ from: '2026-05-03', until: '2026-05-07' });
  const last = { from: lastInstant - hours(1), to: lastInstant + days(7) };
  expect(needed({}, { window: last }).days).toEqual({ from: '9999-12-28', until: '9999-12-31' });
});
