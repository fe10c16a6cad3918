import type { Appointment } from '@calends/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agent, hour, minute, now, type PagesHost, startHost } from './pages-host.js';
import { fieldsOf, heading, noticeOf, type Reply, titleOf } from './visitor.js';

const page = '/manage/appointment';
const isOver = 'This appointment is over.';
const actor = { id: 'agent-1', type: 'AGENT' } as const;

describe('An appointment whose end is past, and which nobody has closed yet', () => {
  let host: PagesHost;
  let made: Appointment;
  beforeEach(async () => {
    host = await startHost();
    made = await host.book({ start: new Date(now + hour).toISOString() });
  });
  afterEach(() => host.close());

  const untilEnd = hour + 45 * minute;
  const offered = ({ text }: Reply): readonly string[] =>
    Array.from(text.matchAll(/href="\/manage\/appointment\/(\w+)"/g), ([, way = '']) => way);

  it('is offered to be moved and cancelled up to its end, and not any more from then on', async () => {
    host.advance(untilEnd - 1);
    const visitor = await host.arrived(made);
    const before = await visitor.get(page);
    expect([offered(before), before.text.includes(isOver)]).toEqual([['reschedule', 'cancel'], false]);
    host.advance(1);
    const after = await visitor.get(page);
    expect([after.status, offered(after), after.text.includes(isOver)]).toEqual([200, [], true]);
    expect(after.text).not.toMatch(/Confirmed|You can join from/);
  });

  it('says that it is over, and leads back, on the pages that ask for another time and whether to cancel', async () => {
    host.advance(untilEnd);
    const visitor = await host.arrived(made);
    for (const way of ['reschedule', 'cancel']) {
      const reply = await visitor.get(`${page}/${way}`);
      expect([reply.status, heading(reply), titleOf(reply)]).toEqual([409, 'That did not work', 'That did not work']);
      expect(reply.text).toContain(isOver);
      expect(reply.text).toContain(`href="${page}"`);
      expect(reply.text).not.toContain('<form');
    }
  });

  it('is judged by the library where a form comes that was shown before', async () => {
    host.advance(untilEnd - 1);
    const visitor = await host.arrived(made);
    const [move, cancel] = [await visitor.get(`${page}/reschedule`), await visitor.get(`${page}/cancel`)].map(fieldsOf);
    host.advance(1);
    const later = { date: '2030-05-09', time: '15:00' };
    expect((await visitor.post(`${page}/reschedule`, { ...move, ...later })).headers['location']).toBe(`${page}?moved`);
    const refused = await visitor.post(`${page}/cancel`, { ...cancel, reason: 'Ill' });
    expect([refused.status, noticeOf(refused)?.startsWith('That did not work')]).toEqual([412, true]);
  });

  it('can still be joined while its room is open, and is not over while it runs', async () => {
    const { appointments } = host.scheduling;
    await appointments.activate(agent, made.id);
    host.advance(untilEnd);
    const visitor = await host.arrived(made);
    const open = await visitor.get(page);
    expect(open.text).toContain('Join now');
    expect(open.text).toContain(isOver);
    for (const to of ['INITIATED', 'IN_PROGRESS'] as const) {
      await appointments.moveInteraction(agent, { id: made.id, to, actor });
    }
    const running = await visitor.get(page);
    expect(running.text).toContain('Ready to join');
    expect(running.text).not.toContain(isOver);
  });
});
