import { describe, expect, it } from 'vitest';
import { days, formatInstant, limits, minutes, parseInstant } from '@calends/model';
import type { SchedulingStore } from '../../src/ports/store/store.js';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, agentTwo, booked, clientService, fixture, foreignSupervisor, supervisor } from '../fixtures.js';
import { caller } from '../sample-appointments.js';

const own = { agentId: 'agent-1' };

/** Books an appointment that starts so many minutes after the first one. */
const bookedAt = (base: ReturnType<typeof fixture>, minute: number, title = 'Consultation') =>
  booked(base, { title, start: formatInstant(parseInstant('2030-05-06T09:00:00Z')! + minutes(minute)) });

/** The whole text of a feed. */
async function textOf({ scheduling }: ReturnType<typeof fixture>, code: string): Promise<string> {
  const parts: string[] = [];
  for await (const part of (await scheduling.calendarFeeds.read(code)).body) parts.push(part);
  return parts.join('');
}

describe('The calendar feed of an agent', () => {
  it.each([0, 1, 19, 20, 21, 45])(
    'the calendar feed of an agent is one calendar, however many parts it comes in: %d',
    async (count) => {
      const base = fixture();
      for (let made = 0; made < count; made += 1) await booked(base, { title: `Number ${String(made)}` });
      const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
      const lines = (await textOf(base, code)).split('\r\n');
      const countOf = (line: string): number => lines.filter((each) => each === line).length;
      expect([lines[0], ...lines.slice(-2)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
      expect(['BEGIN:VCALENDAR', 'METHOD:PUBLISH', 'BEGIN:VEVENT', 'END:VEVENT'].map(countOf)).toEqual([
        1,
        1,
        count,
        count,
      ]);
      for (let made = 0; made < count; made += 1) expect(lines).toContain(`SUMMARY:Number ${String(made)}`);
    },
  );

  it('the calendar feed of an agent leaves others their turn between two of its parts', async () => {
    const base = fixture();
    for (let made = 0; made < 45; made += 1) await bookedAt(base, made);
    const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
    const { body } = await base.scheduling.calendarFeeds.read(code);
    let turns = 0;
    let isTaken = false;
    const count = (): void => {
      turns += 1;
      if (!isTaken) setImmediate(count);
    };
    setImmediate(count);
    let parts = 0;
    for await (const _part of body) parts += 1;
    isTaken = true;
    expect(parts).toBe(5);
    // The first part and the last one are there without anything read.
    expect(turns).toBeGreaterThanOrEqual(parts - 2);
  });

  it('the calendar feed of an agent is whole where more appointments start at one instant than are read at a time', async () => {
    const base = fixture();
    const count = limits.pageSizeMax + 5;
    for (let made = 0; made < count; made += 1) await booked(base, { title: `Number ${String(made)}` });
    const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
    const uids = (await textOf(base, code)).split('\r\n').filter((line) => line.startsWith('UID:'));
    expect([uids.length, new Set(uids).size]).toEqual([count, count]);
  });

  it('the calendar feed of an agent has the same text and tag over a store that tells no versions', async () => {
    const base = fixture();
    for (let made = 0; made < limits.pageSizeMax + 25; made += 1) await bookedAt(base, made, `Number ${String(made)}`);
    const { listVersions: _, ...appointments } = base.store.appointments;
    const store: SchedulingStore = { ...base.store, appointments };
    const other = fixture({ store, ids: base.ids, clock: base.clock });
    const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
    expect(await textOf(other, code)).toBe(await textOf(base, code));
    const { etag } = await base.scheduling.calendarFeeds.read(code);
    expect((await other.scheduling.calendarFeeds.read(code)).etag).toBe(etag);
  });

  it('the calendar feed of an agent has a tag that is never newer than its text: what changes meanwhile changes the next one', async () => {
    const base = fixture();
    const made = await Promise.all(Array.from({ length: 45 }, (_, minute) => bookedAt(base, minute)));
    const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
    const { body, etag } = await base.scheduling.calendarFeeds.read(code);
    let text = '';
    for await (const part of body) {
      if (text === '') await base.appointments.update(agentOne, { id: made[44]!.id, title: 'Changed meanwhile' });
      text += part;
    }
    expect(text).toContain('SUMMARY:Changed meanwhile');
    const next = await base.scheduling.calendarFeeds.read(code);
    expect(next.etag).not.toBe(etag);
  });

  it('the calendar feed of an agent has nothing twice, and nothing of others, whatever is moved while it is written', async () => {
    const base = fixture();
    const made = [];
    for (let minute = 0; minute < 45; minute += 1) made.push(await bookedAt(base, minute));
    const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
    const { body } = await base.scheduling.calendarFeeds.read(code);
    let text = '';
    let parts = 0;
    for await (const part of body) {
      text += part;
      parts += 1;
      if (parts === 2)
        await base.appointments.reschedule(agentOne, {
          id: made[0]!.id,
          start: '2030-05-06T09:30:00Z',
          duration: 'PT30M',
          timezone: 'Europe/Athens',
        });
    }
    const uids = text.split('\r\n').filter((line) => line.startsWith('UID:'));
    expect(uids).toEqual([...new Set(uids)]);
    expect(uids).toHaveLength(45);
  });

  it('the calendar feed of an agent is read no further once nobody takes it', async () => {
    const base = fixture();
    for (let minute = 0; minute < 45; minute += 1) await bookedAt(base, minute);
    let lists = 0;
    const { list } = base.store.appointments;
    const appointments: SchedulingStore['appointments'] = {
      ...base.store.appointments,
      list: (...given) => {
        lists += 1;
        return list(...given);
      },
    };
    const other = fixture({ store: { ...base.store, appointments }, ids: base.ids, clock: base.clock });
    const { code } = await other.scheduling.calendarFeeds.issue(agentOne, own);
    const { body } = await other.scheduling.calendarFeeds.read(code);
    let parts = 0;
    for await (const _part of body) {
      parts += 1;
      if (parts === 2) break;
    }
    expect([parts, lists]).toEqual([2, 1]);
  });

  it('the calendar feed of an agent shows what the agent organizes or is assigned to, and nothing of customers', async () => {
    const base = fixture();
    await booked(base, { title: 'Mine' });
    await booked(base, { title: 'Not mine' }, agentTwo);
    const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
    const body = await textOf(base, code);
    expect(body).toContain('METHOD:PUBLISH');
    expect(body).toContain('SUMMARY:Mine');
    expect(body).not.toMatch(/Not mine|maria|example\.org/i);
  });

  it('the calendar feed of an agent shows a cancelled appointment as cancelled, under the same UID', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
    expect(await textOf(base, code)).toContain('STATUS:CONFIRMED');
    await base.appointments.cancel(agentOne, { id });
    const body = await textOf(base, code);
    expect(body).toContain('STATUS:CANCELLED');
    expect(body).toContain(`UID:${id}@calends`);
  });

  it('the calendar feed of an agent has the same tag while nothing changes, and another one when something does', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const { calendarFeeds } = base.scheduling;
    const { code } = await calendarFeeds.issue(agentOne, own);
    const first = await calendarFeeds.read(code);
    base.clock.advance(minutes(5));
    expect((await calendarFeeds.read(code)).etag).toBe(first.etag);
    await base.appointments.update(agentOne, { id, title: 'Changed' });
    expect((await calendarFeeds.read(code)).etag).not.toBe(first.etag);
  });

  it('the calendar feed of an agent reaches from 30 days ago to a year ahead', async () => {
    const base = fixture();
    await booked(base, { title: 'Here' });
    const { start } = (await booked(base, { title: 'There', start: '2030-05-08T09:00:00Z' })).schedule;
    const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
    base.clock.set(start + days(30));
    expect(await textOf(base, code)).toContain('SUMMARY:There');
    base.clock.set(start + days(30) + 1);
    expect(await textOf(base, code)).not.toContain('SUMMARY:');
  });

  it('the calendar feed of an agent ends when it is issued again or revoked; every other text is the same unknown feed', async () => {
    const { scheduling } = fixture();
    const { calendarFeeds } = scheduling;
    const first = await calendarFeeds.issue(agentOne, own);
    const second = await calendarFeeds.issue(supervisor, own);
    await calendarFeeds.read(second.code);
    await calendarFeeds.revoke(agentOne, own);
    await calendarFeeds.revoke(agentOne, own);
    const [ticket = '', agent = '', organization = ''] = second.code.split('.');
    const texts = [
      first.code,
      second.code,
      '',
      '..',
      `${second.code}A`,
      `${second.code}.`,
      `${ticket}.${Buffer.from('agent-2').toString('base64url')}.${organization}`,
      `${ticket}.${agent}.${Buffer.from('org-2').toString('base64url')}`,
      `${ticket}.${Buffer.from('a\u0000').toString('base64url')}.${organization}`,
      'x'.repeat(100_000),
    ];
    for (const text of texts) {
      const error = await errorOf(() => calendarFeeds.read(text));
      expect([error.code, error.message]).toEqual(['not_found', 'There is no such calendar feed.']);
    }
  });

  it.each([
    ['another agent', agentTwo],
    ['a client service', clientService],
    ['a customer', caller('ROLE_CUSTOMER', { id: 'agent-1' })],
  ])('the calendar feed of an agent is not issued or revoked by %s', async (_who, by) => {
    const { calendarFeeds } = fixture().scheduling;
    expect(await answerOrCode(() => calendarFeeds.issue(by, own))).toBe('forbidden');
    expect(await answerOrCode(() => calendarFeeds.revoke(by, own))).toBe('forbidden');
  });

  it('the calendar feed of an agent is of all applications: a token that covers some of them only gets none, and can end one', async () => {
    const base = fixture();
    await booked(base);
    const { calendarFeeds } = base.scheduling;
    const { code } = await calendarFeeds.issue(agentOne, own);
    const limited = { ...agentOne, applicationIds: ['app-1'] };
    expect(await answerOrCode(() => calendarFeeds.issue(limited, own))).toBe('forbidden');
    expect(await textOf(base, code)).toContain('BEGIN:VEVENT');
    await calendarFeeds.revoke(limited, own);
    expect(await answerOrCode(() => calendarFeeds.read(code))).toBe('not_found');
  });

  it('the calendar feed of an agent belongs to its organization', async () => {
    const base = fixture();
    await booked(base, { title: 'Ours' });
    const { code } = await base.scheduling.calendarFeeds.issue(foreignSupervisor, own);
    expect(await textOf(base, code)).not.toContain('SUMMARY:');
  });
});
