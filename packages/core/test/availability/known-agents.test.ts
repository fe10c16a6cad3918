import { describe, expect, it } from 'vitest';
import type { AgentDirectory } from '../../src/index.js';
import { answerOrCode, errorOf } from '../error-of.js';
import { booking, supervisor } from '../fixtures.js';
import { at, available, talk } from './sample-service.js';

/** Knows all but these, who have left. */
const without = (...gone: readonly string[]): AgentDirectory => ({
  standingOf: ({ agentId }) => (gone.includes(agentId) ? 'unknown' : 'agent'),
});

const slot = { start: at('10:00'), duration: 'PT30M' };
const bookingAt = (start = slot.start) =>
  booking({ serviceId: 'talk', start, duration: 'PT30M', targetAssignment: undefined });

describe('An agent who has left and still stands in a service (D22)', () => {
  it('an agent who has left gets no booking and no hold: the next one comes', async () => {
    const { appointments, scheduling } = available({}, { agentDirectory: without('agent-1') });
    expect((await appointments.schedule(supervisor, bookingAt())).organizer.id).toBe('agent-2');
    const held = await scheduling.availability.hold(supervisor, { ...talk, start: at('11:00'), duration: 'PT30M' });
    expect(held.agentIds).toEqual(['agent-2']);
  });

  it('a service has nobody where all of its agents have left', async () => {
    const { appointments, scheduling } = available({}, { agentDirectory: without('agent-1', 'agent-2') });
    for (const call of [
      () => appointments.schedule(supervisor, bookingAt()),
      () => scheduling.availability.hold(supervisor, { ...talk, ...slot }),
    ]) {
      const { code, reasons } = await errorOf(call);
      expect([code, reasons]).toEqual(['slot_conflict', [{ code: 'NO_ACTOR' }]]);
    }
  });

  it('an agent who has left is asked for by nobody twice, and keeps what was booked before', async () => {
    let isGone = false;
    const asked: string[] = [];
    const agentDirectory: AgentDirectory = {
      standingOf: ({ agentId }) => {
        asked.push(agentId);
        return isGone && agentId === 'agent-1' ? 'unknown' : 'agent';
      },
    };
    const { appointments } = available({}, { agentDirectory });
    const { id, organizer } = await appointments.schedule(supervisor, bookingAt());
    expect([organizer.id, asked]).toEqual(['agent-1', ['agent-1']]);
    isGone = true;
    const moved = await appointments.reschedule(supervisor, {
      id,
      start: at('11:00'),
      duration: 'PT30M',
      timezone: 'UTC',
    });
    expect(moved.organizer.id).toBe('agent-1');
    expect(await answerOrCode(() => appointments.schedule(supervisor, bookingAt(at('11:00'))))).toMatchObject({
      organizer: { id: 'agent-2' },
    });
  });
});
