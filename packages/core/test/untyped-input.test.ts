import { describe, expect, it } from 'vitest';
import type { AppointmentOperations } from '../src/index.js';
import { answerOrCode } from './error-of.js';
import { agentOne, booked, booking, fixture } from './fixtures.js';

const count = { organizationId: 'org-1', applicationId: 'app-1', timeFrame: 'PT1H' };

/** The operations as a host without types sees them. */
type Untyped = Readonly<Record<keyof AppointmentOperations, (...given: readonly unknown[]) => Promise<unknown>>>;

/** What such a host may hand over. */
const cases: readonly (readonly [string, (operations: Untyped, id: string) => Promise<unknown>, string])[] = [
  ['get without an id', (operations) => operations.get(agentOne, undefined), 'not_found'],
  ['get of a number', (operations) => operations.get(agentOne, 7), 'not_found'],
  ['cancel without an id', (operations) => operations.cancel(agentOne, {}), 'not_found'],
  ['update without an id', (operations) => operations.update(agentOne, {}), 'not_found'],
  [
    'list of durations as a text',
    (operations) => operations.list(agentOne, { durations: 'PT30M' }),
    'validation_failed',
  ],
  ['list of durations as numbers', (operations) => operations.list(agentOne, { durations: [5] }), 'validation_failed'],
  ['list of a range that is null', (operations) => operations.list(agentOne, { ranges: [null] }), 'validation_failed'],
  ['list of states as a text', (operations) => operations.list(agentOne, { states: 'X' }), 'validation_failed'],
  ['count without starts', (operations) => operations.count(agentOne, count), 'validation_failed'],
  [
    'count of starts as a text',
    (operations) => operations.count(agentOne, { ...count, starts: 'x' }),
    'validation_failed',
  ],
  [
    'schedule with rules as a text',
    (operations) => operations.schedule(agentOne, booking({ overrideRules: 'x' } as never)),
    'validation_failed',
  ],
  [
    'schedule with an interaction as a text',
    (operations) => operations.schedule(agentOne, booking({ interaction: 'x' } as never)),
    'validation_failed',
  ],
  [
    'a move by an actor that is null',
    (operations, id) => operations.moveInteraction(agentOne, { id, to: 'INITIATED', actor: null }),
    'validation_failed',
  ],
  [
    'a key for once that is a text',
    (operations, id) => operations.cancel(agentOne, { id }, { idempotency: 'x' }),
    'validation_failed',
  ],
  ['a list of nothing at all', (operations) => operations.list(agentOne), 'taken'],
  ...[{ correlationId: 7 }, { corelationId: 'x' }].map(
    (inherited) =>
      [
        `options of a call that it inherits: ${JSON.stringify(inherited)}`,
        (operations: Untyped, id: string) => operations.update(agentOne, { id, title: 'x' }, Object.create(inherited)),
        'validation_failed',
      ] as const,
  ),
  ...[
    { expectedVersion: [7] },
    { expectedVersions: '1' },
    { expectedVersions: 1 },
    { expectedVersions: ['1'] },
    { idempotncy: { key: 'k', operation: 'o' } },
    { idempotency: { key: 'k' } },
    { idempotency: { key: 'k', operation: '' } },
    { idempotency: { key: 'k', operation: 'o'.repeat(65) } },
    { idempotency: { key: 'k', operation: 'o\u0000' } },
    { signal: true },
    { idempotency: null },
    // One of the databases keeps no NUL: the call would fail there, and be cut short on another.
    { correlationId: 'a\u0000b' },
    { correlationId: '\ud800' },
    'correlation-1',
    null,
  ].map(
    (options) =>
      [
        `options of a call: ${JSON.stringify(options)}`,
        (operations: Untyped, id: string) => operations.update(agentOne, { id, title: 'x' }, options),
        'validation_failed',
      ] as const,
  ),
];

describe('What a host without types hands over', () => {
  it.each(cases)(
    'what a host without types hands over is refused as input of a client is: %s',
    async (_what, call, code) => {
      const base = fixture();
      const { id } = await booked(base);
      const answer = await answerOrCode(() => call(base.appointments as unknown as Untyped, id));
      expect(typeof answer === 'string' ? answer : 'taken').toBe(code);
      expect((await base.appointments.get(agentOne, id)).version).toBe(1);
    },
  );
});
