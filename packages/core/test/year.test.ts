import { describe, expect, it } from 'vitest';
import { days, minutes, seconds } from '@calends/model';
import type { DomainEvent } from '../src/index.js';
import { cpuTime } from './cpu-time.js';
import { agentOne, booking, clientService, fixture, supervisor } from './fixtures.js';
import { quickest } from './quickest.js';

describe('A year of the life of appointments', () => {
  it('a year of the life of appointments passes in a moment: every day one is booked, moved, activated, attended, missed, failed or cancelled', async () => {
    const began = cpuTime();
    const base = fixture();
    const { appointments, clock, scheduling } = base;
    const delivered: DomainEvent[] = [];
    scheduling.events.subscribe((event) => void delivered.push(event));
    const first = Date.UTC(2031, 0, 1, 6);
    const fates = ['attended', 'missed', 'failed', 'cancelled', 'moved'] as const;
    const ended = new Map<string, number>();

    for (let day = 0; day < 365; day += 1) {
      clock.set(first + days(day));
      const date = new Date(clock.now()).toISOString().slice(0, 10);
      const { id } = await appointments.schedule(
        agentOne,
        booking({ start: `${date}T09:00:00Z`, timezone: 'Australia/Lord_Howe', title: date }),
      );
      const fate = fates[day % fates.length]!;
      if (fate === 'cancelled') await appointments.cancel(supervisor, { id });
      if (fate === 'moved') {
        await appointments.reschedule(agentOne, { id, start: `${date}T15:00:00Z`, duration: 'PT1H', timezone: 'UTC' });
      }
      const { schedule } = await appointments.get(supervisor, id);
      for (const time of [schedule.start - minutes(30), schedule.start]) {
        clock.set(time);
        await scheduling.workers.runOnce();
      }
      if (fate === 'attended') {
        await appointments.moveInteraction(agentOne, { id, to: 'IN_PROGRESS' });
        await appointments.moveInteraction(agentOne, { id, to: 'COMPLETED' });
      }
      if (fate === 'failed') {
        const errorData = { systemMessage: 'gateway', userMessage: 'Sorry' };
        await appointments.moveInteraction(clientService, { id, to: 'FAILED', errorData });
      }
      clock.set(first + days(day) + minutes(16 * 60));
      await scheduling.workers.runOnce();
      const { state, interaction } = await appointments.get(supervisor, id);
      const how = `${fate}: ${state} ${interaction.state}`;
      ended.set(how, (ended.get(how) ?? 0) + 1);
    }

    expect(Object.fromEntries(ended)).toEqual({
      'attended: ACTIVATED COMPLETED': 73,
      'missed: ACTIVATED NO_SHOW': 73,
      'failed: ABORTED FAILED': 73,
      'cancelled: CANCELLED CANCELLED': 73,
      'moved: ACTIVATED NO_SHOW': 73,
    });
    expect(delivered).toHaveLength(73 * (4 + 3 + 4 + 2 + 4));
    expect(delivered).toEqual(base.events());
    expect(cpuTime() - began).toBeLessThan(seconds(15));
  });

  it('a year of the life of appointments leaves nothing to do', async () => {
    const base = fixture();
    const { id } = await base.appointments.schedule(agentOne, booking());
    base.scheduling.events.subscribe(() => undefined);
    for (const time of [Date.UTC(2030, 4, 6, 10, 30), Date.UTC(2030, 4, 6, 11, 45)]) {
      base.clock.set(time);
      await base.scheduling.workers.runOnce();
    }
    expect((await base.appointments.get(agentOne, id)).interaction.state).toBe('NO_SHOW');
    expect(await base.store.nextWakeAt({ appointments: true, events: true, channels: [] })).toBeNull();
    expect(quickest(() => base.scheduling.workers.wake())).toBeLessThan(5);
  });
});
