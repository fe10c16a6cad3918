import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AppointmentOperations, Scheduling } from '../src/index.js';
import { answerOrCode, errorOf } from './error-of.js';
import { caller } from './sample-appointments.js';
import { agentOne, booked, booking, customerOf, fixture, maria, supervisor } from './fixtures.js';
import { at, available, talk } from './availability/sample-service.js';

const administrator = caller('ROLE_ADMIN', { id: 'admin-1' });

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
  ...(['agentIds', 'organizerIds', 'durations', 'ranges', 'states'] as const).flatMap((name) =>
    [null, '', () => 'x'].map(
      (given) =>
        [
          `list of ${name} that are ${String(given)}`,
          (operations: Untyped) => operations.list(supervisor, { [name]: given }),
          'validation_failed',
        ] as const,
    ),
  ),
  [
    'list of durations in a form that there is none of',
    (operations) => operations.list(agentOne, { durations: ['P1Y'], durationForms: 'iso' }),
    'validation_failed',
  ],
  [
    'count of starts of which none was filled in',
    (operations) => operations.count(agentOne, { ...count, starts: new Array(3) }),
    'validation_failed',
  ],
  [
    'schedule with customers of whom none was filled in',
    (operations) => operations.schedule(agentOne, booking({ customers: new Array(2) as never })),
    'validation_failed',
  ],
  ...[undefined, null, 'maria', { username: null, code: '1' }, { username: 'maria', code: 123456 }, { code: '1' }].map(
    (credentials) =>
      [
        `schedule with the credentials ${JSON.stringify(credentials)}`,
        (operations: Untyped) => operations.scheduleAsCustomer(credentials, booking()),
        'unauthenticated',
      ] as const,
  ),
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
  ['activate with null for an id', (operations) => operations.activate(agentOne, null), 'not_found'],
  ['cancel with null for a command', (operations) => operations.cancel(agentOne, null), 'not_found'],
  ...[null, 7].map(
    (agentId) =>
      [
        `an agent to add whose id is ${String(agentId)}`,
        (operations: Untyped, id: string) => operations.addParticipant(agentOne, { id, agentId }),
        'invalid_agent',
      ] as const,
  ),
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

  it.each<[string, string, object]>([
    ['metadata that are a promise', '/metadata', { metadata: Promise.resolve({ a: 1 }) }],
    ['metadata that are a map', '/metadata', { metadata: new Map([['a', 1]]) }],
    ['headers that are a map', '/notificationHeaders', { notificationHeaders: new Map([['a', '1']]) }],
    ['a customer that is a promise', '/customer', { customer: Promise.resolve({}) }],
    ['a customer that is an empty text', '/customer', { customer: '' }],
    ['a customer that is false', '/customer', { customer: false }],
    ['a contact that is a promise', '/customer/contact', { customer: { contact: Promise.resolve(maria.contact) } }],
    ['a contact that is a date', '/customer/contact', { customer: { contact: new Date(0) } }],
    ['a name that is a map', '/customer/name', { customer: { name: new Map([['firstName', 'Maria']]) } }],
    ['metadata of a customer that are a map', '/customer/metadata', { customer: { metadata: new Map([['a', '1']]) } }],
  ])('what a host without types hands over clears nothing by an update: %s', async (_what, pointer, changes) => {
    const base = fixture();
    const before = await booked(base, { metadata: { a: 0 } });
    const { customer } = changes as { readonly customer?: unknown };
    const isPlain = typeof customer === 'object' && !(customer instanceof Promise);
    const named = isPlain ? { customer: { id: customerOf(before), ...customer } } : {};
    const command = { id: before.id, ...changes, ...named };
    const { code, issues } = await errorOf(() => base.appointments.update(agentOne, command));
    expect([code, issues.map((issue) => issue.pointer)]).toEqual(['validation_failed', [pointer]]);
    expect(await base.appointments.get(agentOne, before.id)).toMatchObject({ version: 1, metadata: { a: 0 } });
  });

  it.each<[string, unknown]>([
    ['a text', 'PROVIDERA_CLOUD_FLOW'],
    ['an empty text', ''],
    ['a list', ['PROVIDERA_CLOUD_FLOW']],
    ['a promise', Promise.resolve({ type: 'PROVIDERA_CLOUD_FLOW' })],
  ])('what a host without types hands over as routing is refused where it is none: %s', async (_what, routing) => {
    const base = fixture();
    const { issues } = await errorOf(() =>
      base.appointments.schedule(agentOne, booking({ interaction: { routing: routing as never } })),
    );
    expect(issues).toMatchObject([{ pointer: '/interaction/routing', code: 'invalid_type' }]);
  });

  it.each<[string, (scheduling: Scheduling) => unknown, unknown]>([
    [
      'a list of the audit record of what is no appointment',
      ({ audit }) => audit.list(supervisor, { appointmentId: 'a\u0000' }),
      { items: [], total: 0, pageCount: 0 },
    ],
    [
      'a window of the audit record that is null',
      ({ audit }) => audit.list(supervisor, { from: null as never }),
      'validation_failed',
    ],
    [
      'a window of messages that is null',
      ({ notifications }) => notifications.listStatuses(supervisor, { applicationId: 'app-1', to: null as never }),
      'validation_failed',
    ],
    [
      'polling settings of null',
      ({ notifications }) => notifications.pollProperties(administrator, null as never),
      'not_found',
    ],
    [
      'a receipt of what is no organization',
      ({ notifications }) =>
        notifications.receive({ organizationId: 'o\u0000', notificationId: randomUUID(), report: { state: 'sent' } }),
      false,
    ],
    ...[null, undefined, 7, []].map((given): [string, (scheduling: Scheduling) => unknown, unknown] => [
      `a receipt that is ${given === undefined ? 'not given' : JSON.stringify(given)}`,
      ({ notifications }) => notifications.receive(given as never),
      'validation_failed',
    ]),
    [
      'a one-time password in the language null',
      ({ customers }) =>
        customers.requestOtp({ applicationId: 'app-1', username: 'a@example.org', locale: null as never }),
      undefined,
    ],
    ['the end of a session of a number', ({ customers }) => customers.endSession(7 as never), undefined],
    ['a token of a customer that is null', ({ customers }) => customers.verifyCustomerToken(null as never), undefined],
    [
      'a search for durations that are numbers',
      ({ availability }) =>
        availability.find(agentOne, { ...talk, from: at('09:00'), to: at('12:00'), durations: [5] as never }),
      'validation_failed',
    ],
    ...(['agentIds', 'durations'] as const).flatMap((name) =>
      [null, '', 'agent-1', 7, {}, new Array(2)].map(
        (given): [string, (scheduling: Scheduling) => unknown, unknown] => [
          `a search for ${name} that are ${JSON.stringify(given)}`,
          ({ availability }) =>
            availability.find(agentOne, { ...talk, from: at('09:00'), to: at('12:00'), [name]: given as never }),
          name === 'agentIds' && Array.isArray(given) ? 'not_found' : 'validation_failed',
        ],
      ),
    ),
    [
      'a hold of an agent who is no list',
      ({ availability }) =>
        availability.hold(agentOne, { ...talk, start: at('09:00'), duration: 'PT30M', agentIds: 'agent-1' as never }),
      'validation_failed',
    ],
    ...['maria@example.org', 7, null].flatMap((selection): [string, (scheduling: Scheduling) => unknown, unknown][] => [
      [
        `an export of ${JSON.stringify(selection)}`,
        ({ customers }) => customers.export(supervisor, selection as never),
        'validation_failed',
      ],
      [
        `an erasure of ${JSON.stringify(selection)}`,
        ({ customers }) => customers.erase(supervisor, selection as never),
        'validation_failed',
      ],
    ]),
    ...[undefined, null, { applicationId: 'app-1', username: 'a@example.org', source: { ip: '192.0.2.1' } }].map(
      (command): [string, (scheduling: Scheduling) => unknown, unknown] => [
        `a one-time password for ${JSON.stringify(command)}`,
        ({ customers }) => customers.requestOtp(command as never),
        'validation_failed',
      ],
    ),
    [
      'a hold to be given up with a number for a token',
      ({ availability }) => availability.release(agentOne, { id: randomUUID(), token: 7 as never }),
      'not_found',
    ],
  ])('what a host without types hands over is no fault of the library: %s', async (_what, call, expected) => {
    const { scheduling } = available();
    const answer = await answerOrCode(async () => await call(scheduling));
    if (typeof expected === 'object') expect(answer).toMatchObject(expected as object);
    else expect(answer).toBe(expected);
  });
});
