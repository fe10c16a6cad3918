import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { days, hours, minutes } from '@calends/model';
import { ask, at, booked, everyDay, hoursOf, iso, service } from '../../test/availability/sample-question.js';
import type { ActorHours, KnownService } from '../ports/availability-source.js';
import { decideSlot } from './decide-slot.js';
import { findSlots } from './find-slots.js';
import { actorReasons, isFree } from './slot-rules.js';
import { compileQuestion } from './question.js';

const open = { from: '00:00', until: '24:00' };
const always = (actorId: string, timezone: string): ActorHours =>
  hoursOf(actorId, { timezone, weekly: [{ days: [...everyDay], ...open }] });

/** Starts of half an hour that a zone's grid has between two instants, while Anna works day and night. */
function starts(timezone: string, step: string, [from, to]: readonly [string, string]): readonly string[] {
  const window = { from: at(from), to: at(to) };
  const question = ask({
    service: service({ timezone, grid: { step } }),
    hours: [always('anna', timezone)],
    now: 0,
    window: { from: window.from, to: window.to + hours(1) },
  });
  const { slots } = findSlots(question, { ...window, duration: minutes(30), max: 100 });
  return slots.map(({ start }) => iso(start).slice(11, 16));
}

describe('The grid of the wall clock', () => {
  it.each<[string, string, readonly [string, string], readonly string[]]>([
    ['Europe/Berlin', 'PT1H', ['2026-03-29T00:00Z', '2026-03-29T03:00Z'], ['00:00', '01:00', '02:00']],
    ['Europe/Berlin', 'PT2H', ['2026-03-28T22:00Z', '2026-03-29T05:00Z'], ['23:00', '02:00', '04:00']],
    ['Europe/Berlin', 'PT1H', ['2026-10-24T23:00Z', '2026-10-25T03:00Z'], ['23:00', '00:00', '01:00', '02:00']],
    ['Europe/Berlin', 'PT2H', ['2026-10-24T21:00Z', '2026-10-25T04:00Z'], ['22:00', '00:00', '01:00', '03:00']],
    // Half an hour: 01:30 to 02:00 twice, 02:00 to 02:30 skipped.
    ['Australia/Lord_Howe', 'PT1H', ['2026-04-04T13:00Z', '2026-04-04T17:00Z'], ['13:00', '14:00', '15:30', '16:30']],
    ['Australia/Lord_Howe', 'PT30M', ['2026-04-04T14:30Z', '2026-04-04T16:00Z'], ['14:30', '15:00', '15:30']],
    ['Australia/Lord_Howe', 'PT1H', ['2026-10-03T14:30Z', '2026-10-03T17:00Z'], ['14:30', '16:00']],
    // Two hours at once: 01:00 to 03:00 skipped, and repeated.
    ['Antarctica/Troll', 'PT1H', ['2026-03-29T00:00Z', '2026-03-29T03:00Z'], ['00:00', '01:00', '02:00']],
    ['Antarctica/Troll', 'PT3H', ['2026-03-28T23:30Z', '2026-03-29T05:00Z'], ['00:00', '01:00', '04:00']],
    ['Antarctica/Troll', 'PT3H', ['2026-10-24T21:30Z', '2026-10-25T06:30Z'], ['22:00', '03:00', '06:00']],
    // At midnight: 00:00 is skipped, and the last hour of a day repeated.
    ['Africa/Cairo', 'PT12H', ['2026-04-23T20:00Z', '2026-04-24T20:00Z'], ['09:00']],
    ['Africa/Cairo', 'PT30M', ['2026-04-23T21:30Z', '2026-04-23T22:30Z'], ['21:30', '22:00']],
    ['Africa/Cairo', 'PT12H', ['2026-10-29T20:00Z', '2026-10-30T20:00Z'], ['22:00', '10:00']],
    ['America/St_Johns', 'PT1H', ['2026-03-08T04:00Z', '2026-03-08T07:00Z'], ['04:30', '05:30', '06:30']],
    ['America/St_Johns', 'PT2H', ['2026-11-01T02:00Z', '2026-11-01T09:00Z'], ['02:30', '05:30', '07:30']],
  ])('the grid of the wall clock in %s with steps of %s in %j begins at %j', (timezone, step, span, expected) => {
    expect(starts(timezone, step, span)).toEqual(expected);
  });
});

it('The grid of openings begins again with each opening of each agent, in the time that passes', () => {
  const berlin = { timezone: 'Europe/Berlin' };
  const weekly = (from: string, until: string) => ({ ...berlin, weekly: [{ days: [...everyDay], from, until }] });
  const question = ask({
    service: service({
      grid: { step: 'PT45M', anchor: 'opening' },
      requirements: [{ kind: 'agent', anyOf: ['anna', 'ben'] }],
    }),
    hours: [hoursOf('anna', weekly('01:20', '04:00')), hoursOf('ben', weekly('04:00', '05:00'))],
    window: { from: at('2026-03-28T12:00Z'), to: at('2026-03-29T12:00Z') },
    now: 0,
  });
  const search = { from: at('2026-03-28T12:00Z'), to: at('2026-03-29T12:00Z'), duration: minutes(30), max: 100 };
  expect(findSlots(question, search).slots.map(({ start, actorIds }) => [iso(start).slice(11, 16), actorIds])).toEqual([
    ['00:20', ['anna']],
    ['01:05', ['anna']],
    ['02:00', ['ben']],
  ]);
  expect(decideSlot(question, { start: at('2026-03-29T00:30Z'), end: at('2026-03-29T01:00Z') })).toMatchObject({
    free: false,
  });
});

describe('An answer of free times', () => {
  const search = { from: at('2026-05-04T00:00Z'), to: at('2026-05-05T00:00Z'), duration: minutes(30) };

  it('an answer of free times goes on at the first free start that had no place, and ends where there is none', () => {
    const first = findSlots(ask(), { ...search, max: 30 });
    expect(first.slots).toHaveLength(30);
    expect(first.next).toBe(at('2026-05-04T16:30Z'));
    const second = findSlots(ask(), { ...search, from: first.next!, max: 30 });
    expect(second).toEqual({ slots: [{ start: first.next, end: first.next! + minutes(30), actorIds: ['anna'] }] });
    expect(findSlots(ask(), { ...search, max: 31 })).not.toHaveProperty('next');
  });

  it('an answer of free times names everybody who is free once, by code point', () => {
    const rooms = ['room', '\u{1F3E0}', '\uFF21', 'Zoe'];
    const requirements: KnownService['requirements'] = [
      { kind: 'agent', anyOf: ['zoe', 'anna'] },
      { kind: 'resource', anyOf: rooms },
      { kind: 'resource', anyOf: rooms },
    ];
    const question = ask({ service: service({ requirements }), hours: [hoursOf('anna'), hoursOf('zoe')] });
    const [slot] = findSlots(question, { ...search, max: 1 }).slots;
    expect(slot?.actorIds).toEqual(['Zoe', 'anna', 'room', 'zoe', '\uFF21', '\u{1F3E0}']);
  });
});

describe('Whatever is booked', () => {
  const zones = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Antarctica/Troll', 'Africa/Cairo', 'America/St_Johns'];
  const ids = ['a', 'b', 'c', 'd'];
  const from = at('2026-10-23T00:00Z');
  const span = days(4);
  const quarter = fc.integer({ min: -40, max: (span / minutes(15)) | 0 }).map((count) => from + minutes(15) * count);
  const buffer = fc.constantFrom(0, minutes(10), minutes(45));
  const entry = fc
    .record({
      actorId: fc.constantFrom(...ids),
      start: quarter,
      length: fc.integer({ min: 1, max: 12 }),
      before: buffer,
      after: buffer,
      blocks: fc.boolean(),
      isHold: fc.boolean(),
      id: fc.uuid(),
    })
    .map(({ actorId, start, length, before, after, blocks, isHold, id }) => {
      const end = start + length * minutes(15);
      const own = isHold ? { holdId: id, appointmentId: undefined } : { appointmentId: id };
      return booked(actorId, iso(start), { end, busy: { from: start - before, to: end + after }, blocks, ...own });
    });
  const other = fc
    .record({ actorId: fc.constantFrom(...ids), from: quarter, length: fc.integer({ min: 1, max: 12 }) })
    .map(({ length, ...each }) => ({ ...each, to: each.from + length * minutes(15) }));
  const wall = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '20', '45'))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
  const timezone = fc.constantFrom(...zones);
  const world = fc.record({
    timezone,
    hours: fc.tuple(
      ...ids.map((id) =>
        fc.record({ timezone, begin: wall, end: wall }).map(({ timezone: zone, begin, end }) =>
          hoursOf(id, {
            timezone: zone,
            weekly: begin === end ? [] : [{ days: [...everyDay], from: begin, until: end }],
          }),
        ),
      ),
    ),
    busy: fc.array(entry, { maxLength: 25 }),
    elsewhere: fc.array(other, { maxLength: 5 }),
    staleActorIds: fc.subarray(['d'], { minLength: 0 }).map((stale) => new Set(stale)),
    step: fc.constantFrom('PT15M', 'PT45M', 'PT1H'),
    isByOpening: fc.boolean(),
    bufferBefore: fc.constantFrom('PT0S', 'PT20M'),
    bufferAfter: fc.constantFrom('PT0S', 'PT30M'),
    max: fc.integer({ min: 1, max: 5 }),
    duration: fc.constantFrom(minutes(15), minutes(30), hours(3)),
    now: quarter,
    overrides: fc.subarray(['LEAD_TIME', 'OUTSIDE_HOURS', 'CLOSED', 'LIMIT'] as const, { maxLength: 2 }),
    hasRoom: fc.boolean(),
  });
  type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

  function questionOf({ timezone: zone, step, isByOpening, hasRoom, bufferBefore, bufferAfter, max, ...parts }: World) {
    const requirements: KnownService['requirements'] = isByOpening
      ? [{ kind: 'agent', anyOf: ids }]
      : [
          ...(hasRoom ? [{ kind: 'resource' as const, anyOf: ['room'] }] : []),
          { kind: 'agent', anyOf: ['a', 'b', 'c'], count: 2 },
          { kind: 'agent', anyOf: ['c', 'd'] },
        ];
    const asked = service({
      timezone: zone,
      requirements,
      bufferBefore,
      bufferAfter,
      limits: [{ per: 'agent', window: 'day', max }],
      grid: { step, anchor: isByOpening ? 'opening' : 'midnight' },
    });
    const window = { from, to: from + span + hours(3) };
    return compileQuestion({
      ...{
        ...parts,
        service: asked,
        window,
        applicationId: 'app-1',
        minBuffer: 0,
      },
    });
  }

  const offered = (given: World): readonly number[] =>
    findSlots(questionOf(given), { from, to: from + span, duration: given.duration, max: 5000 }).slots.map(
      ({ start }) => start,
    );

  it('a time is offered exactly when the decision calls it free, and else has reasons', () => {
    fc.assert(
      fc.property(world, fc.array(fc.integer({ min: 0, max: span / minutes(5) - 1 })), (given, places) => {
        const question = questionOf(given);
        const starts = new Set(offered(given));
        const asked = [...starts, ...places.map((place) => from + minutes(5) * place)];
        const wrong = asked.filter((start) => {
          const decision = decideSlot(question, { start, end: start + given.duration });
          return decision.free !== starts.has(start) || (!decision.free && decision.reasons().length === 0);
        });
        expect(wrong).toEqual([]);
      }),
    );
  });

  it('an actor is free exactly when there is no reason against them, whatever is booked', () => {
    fc.assert(
      fc.property(world, fc.array(fc.integer({ min: 0, max: span / minutes(5) - 1 })), (given, places) => {
        const question = questionOf(given);
        for (const start of places.map((place) => from + minutes(5) * place)) {
          const slot = { start, end: start + given.duration };
          for (const actor of question.requirements.flatMap(({ candidates }) => candidates)) {
            expect(isFree(actor, slot, question)).toBe(actorReasons(actor, slot, question).length === 0);
          }
        }
      }),
    );
  });

  it('nothing that was free is taken by one booking less', () => {
    fc.assert(
      fc.property(world, fc.nat(), (given, place) => {
        const busy = given.busy.filter((_, at) => at !== place % Math.max(1, given.busy.length));
        const less = new Set(offered({ ...given, busy }));
        expect(offered(given).filter((start) => !less.has(start))).toEqual([]);
      }),
    );
  });

  it('the pages of an answer are the answer', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 1, max: 20 }), (given, max) => {
        const question = questionOf(given);
        const starts: number[] = [];
        for (let next: number | undefined = from; next !== undefined;) {
          const page = findSlots(question, { from: next, to: from + span, duration: given.duration, max });
          starts.push(...page.slots.map(({ start }) => start));
          next = page.next;
        }
        expect(starts).toEqual(offered(given));
      }),
    );
  });
});

it('A search over very many actors and starts is broken off, and says from where to go on', () => {
  const names = Array.from({ length: 50 }, (_, index) => `agent-${String(index)}`);
  const day = { from: at('2026-03-01T00:00Z'), to: at('2026-04-01T00:00Z') };
  const question = ask({
    service: service({ timezone: 'UTC', grid: { step: 'PT1M' }, requirements: [{ kind: 'agent', anyOf: names }] }),
    hours: names.map((name) => always(name, 'UTC')),
    busy: names.map((name) => booked(name, iso(day.from), { end: day.to + days(1) })),
    window: { from: day.from, to: day.to + hours(1) },
    now: 0,
  });
  const answer = findSlots(question, { ...day, duration: minutes(30), max: 100 });
  expect(answer.slots).toEqual([]);
  expect(iso(answer.next ?? 0)).toBe(iso(day.from + minutes(20_000)));
});
