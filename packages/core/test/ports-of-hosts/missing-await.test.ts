import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { createScheduling, type SchedulingOptions } from '../../src/index.js';
import { errorOf } from '../error-of.js';
import { agentOne, booking, secret } from '../fixtures.js';
import { now } from '../sample-appointments.js';
import { otpFixture } from '../customers/otp-fixture.js';
import { unhandledIn } from '../../../../scripts/unhandled.js';

const rejects = (): Promise<never> => Promise.reject(new Error('no'));

it('An observer that rejects takes nothing away, and ends no process', async () => {
  const unhandled = await unhandledIn(async () => {
    const observer = { observe: rejects };
    const { appointments } = createScheduling({ store: memoryStore(), secret, observer, clock: { now: () => now } });
    const { id } = await appointments.schedule(agentOne, booking());
    expect((await appointments.cancel(agentOne, { id })).state).toBe('CANCELLED');
  });
  expect(unhandled).toEqual([]);
});

it.each<[string, Partial<SchedulingOptions>]>([
  ['a clock', { clock: { now: rejects as () => never } }],
  ['a maker of ids', { ids: { next: rejects as () => never } }],
])(
  'A promise in the place of an answer fails the call, and ends no process where it rejects: of %s',
  async (_what, port) => {
    const unhandled = await unhandledIn(async () => {
      const { appointments } = createScheduling({ store: memoryStore(), secret, clock: { now: () => now }, ...port });
      expect((await errorOf(() => appointments.schedule(agentOne, booking()))).code).toBe('internal');
    });
    expect(unhandled).toEqual([]);
  },
);

it('A promise within the answer of a room service ends no process where it rejects', async () => {
  const unhandled = await unhandledIn(async () => {
    const room = { conferenceId: 'c-1', roomUrl: 'https://rooms.example.org/1' };
    let grant: unknown = { ...room, conferenceId: rejects() };
    const accessProvider = {
      conferenceIsAppointment: false,
      openRoom: async () => ({ status: 'opened', grant }) as never,
      details: () => ({ secureToken: rejects(), roomUrl: rejects(), expires: rejects() }) as never,
    };
    const options = { store: memoryStore(), secret, clock: { now: () => now }, accessProvider };
    const { appointments, access } = createScheduling(options);
    const { id } = await appointments.schedule(agentOne, booking());
    expect((await errorOf(() => appointments.activate(agentOne, id))).code).toBe('unavailable');
    grant = room;
    expect(await access.detailsOf(await appointments.activate(agentOne, id))).toBeUndefined();
  });
  expect(unhandled).toEqual([]);
});

it.each(['email', 'phone', 'locale'])(
  'A directory of the host that answers a contact with a promise ends no process where it rejects: %s',
  async (field) => {
    const base = otpFixture({ customerDirectory: { contactOf: () => ({ [field]: rejects() }) } });
    expect(await unhandledIn(() => base.request('maria'))).toEqual([]);
    expect(base.email.sent).toEqual([]);
  },
);
