import { describe, expect, it } from 'vitest';
import { days, minutes } from '@calends/model';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, agentTwo, booked, clientService, fixture, foreignSupervisor, supervisor } from '../fixtures.js';
import { caller } from '../sample-appointments.js';

const own = { agentId: 'agent-1' };

/** The whole text of a feed. */
async function textOf({ scheduling }: ReturnType<typeof fixture>, code: string): Promise<string> {
  const parts: string[] = [];
  for await (const part of (await scheduling.calendarFeeds.read(code)).body) parts.push(part);
  return parts.join('');
}

describe('The calendar feed of an agent', () => {
  it.each([0, 1, 9, 10, 11, 25])(
    'the calendar feed of an agent is one calendar, however many parts it comes in: %d',
    async (count) => {
      const base = fixture();
      for (let made = 0; made < count; made += 1) await booked(base, { title: `Number ${String(made)}` });
      const { code } = await base.scheduling.calendarFeeds.issue(agentOne, own);
      const lines = (await textOf(base, code)).split('\r\n');
      const countOf = (line: string): number => lines.filter((each) => each === line).length;
      expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR']);
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
    for (let made = 0; made < 25; made += 1) await booked(base);
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
    expect(turns).toBeGreaterThanOrEqual(parts);
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

  it('the calendar feed of an agent belongs to its organization', async () => {
    const base = fixture();
    await booked(base, { title: 'Ours' });
    const { code } = await base.scheduling.calendarFeeds.issue(foreignSupervisor, own);
    expect(await textOf(base, code)).not.toContain('SUMMARY:');
  });
});
