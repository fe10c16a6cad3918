import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { createScheduling, type SchedulingOptions } from '../../src/index.js';
import { answerOrCode, errorOf } from '../error-of.js';
import { CountingRooms } from '../counting-rooms.js';
import { agentOne, booked, booking, fixture, secret, supervisor } from '../fixtures.js';
import { now } from '../sample-appointments.js';

const rejects = (): Promise<never> => Promise.reject(new Error('no'));

describe('An answer of a part of the host that is none', () => {
  it.each([[undefined], [null], ['unknown']])(
    'an answer of the host that is none is an agent that nobody knows: %s',
    async (standing) => {
      const base = fixture({ agentDirectory: { standingOf: () => standing as 'unknown' } });
      const { id } = await booked(base);
      const reassign = (): Promise<unknown> => base.appointments.reassign(supervisor, { id, userId: 'agent-2' });
      expect(await answerOrCode(reassign)).toBe('not_found');
      const assigned = booking({ targetAssignment: { id: 'agent-2' } });
      expect(await answerOrCode(() => base.appointments.schedule(agentOne, assigned))).toBe('invalid_agent');
      expect(base.newEvents()).toEqual([]);
    },
  );

  it.each([[true], [false], ['Agent'], [''], [1], [{ standing: 'agent' }]])(
    'an answer of the host that is none is no standing of an agent, and the fault of the host: %j',
    async (standing) => {
      const base = fixture({ agentDirectory: { standingOf: () => Promise.resolve(standing as 'agent') } });
      const { id } = await booked(base);
      for (const call of [
        () => base.appointments.reassign(supervisor, { id, userId: 'agent-2' }),
        () => base.appointments.schedule(agentOne, booking({ targetAssignment: { id: 'agent-2' } })),
      ]) {
        const { code, cause } = await errorOf(call);
        expect(code).toBe('internal');
        expect(cause).toEqual(
          new TypeError('agentDirectory: standingOf must answer "agent", "not-an-agent" or "unknown"'),
        );
      }
      expect(base.newEvents()).toEqual([]);
    },
  );

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an unknown status', { status: 'ok', grant: { conferenceId: 'c', roomUrl: 'https://rooms.example/c' } }],
    ['a grant of numbers', { status: 'opened', grant: { conferenceId: 5, roomUrl: 7 } }],
    ['an empty id', { status: 'opened', grant: { conferenceId: '', roomUrl: 'https://rooms.example/c' } }],
    ['no grant', { status: 'opened' }],
  ])(
    'an answer of the host that is none neither ends an appointment nor is kept as its room: %s',
    async (_what, opening) => {
      const rooms = new CountingRooms();
      rooms.openRoom = () => Promise.resolve(opening as never);
      const base = fixture({ accessProvider: rooms });
      const { id } = await booked(base);
      expect((await errorOf(() => base.appointments.activate(agentOne, id))).code).toBe('unavailable');
      expect(base.signals).toContainEqual(expect.objectContaining({ type: 'activationFailed' }));
      expect((await base.appointments.get(agentOne, id)).state).toBe('SCHEDULED');
    },
  );

  it.each<[string, (length: number) => unknown]>([
    ['a string', (length) => 'x'.repeat(length)],
    ['nothing', () => undefined],
    ['a list', (length) => Array.from({ length }, () => 1)],
    ['too few bytes', (length) => new Uint8Array(length - 1)],
    ['too many bytes', (length) => new Uint8Array(length + 1)],
    ['a promise', (length) => Promise.resolve(new Uint8Array(length))],
    ['a promise that rejects', rejects],
  ])('an answer of the host that is none is no secret: %s', async (_what, bytes) => {
    const { appointments, scheduling } = fixture({ secureRandom: { bytes: bytes as () => Uint8Array } });
    const { id, participants } = await appointments.schedule(agentOne, booking());
    const participantId = participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
    const link = { appointmentId: id, participantId, actions: ['get' as const] };
    const { code, cause } = await errorOf(() => scheduling.customers.issueManageLink(agentOne, link));
    expect([code, (cause as Error).message]).toEqual([
      'internal',
      'secureRandom: bytes must answer a Uint8Array of so many bytes',
    ]);
  });

  it.each<[string, unknown]>([
    ['NaN', NaN],
    ['an endless one', Infinity],
    ['nothing', undefined],
    ['a string', '2030'],
    ['a Date', new Date(now)],
  ])('an answer of the host that is none is no time: %s', async (_what, time) => {
    const options: SchedulingOptions = { store: memoryStore(), secret, clock: { now: () => time as number } };
    const { appointments } = createScheduling(options);
    const error = await errorOf(() => appointments.schedule(agentOne, booking()));
    expect([error.code, (error.cause as Error).message]).toEqual([
      'internal',
      'clock: now must answer epoch milliseconds',
    ]);
  });
});
