import { describe, expect, it } from 'vitest';
import type { AccessProvider, LinkSource } from '../../src/index.js';
import { agentOne, booked, fixture } from '../fixtures.js';
import { everything, notified, reachable } from '../notifications/notified.js';

/** Writes over a value as a host in plain JavaScript may that makes it into a form of its own. */
const writeOver = (value: object): void => void Object.assign(value, { start: 0, timezone: 'Moon', conferenceId: 'x' });

describe('What a part of the host writes into what it is given', () => {
  it('what a part of the host writes into what it is given moves no appointment whose room it opens', async () => {
    const accessProvider: AccessProvider = {
      conferenceIsAppointment: false,
      openRoom: async ({ schedule }) => {
        writeOver(schedule);
        return { status: 'opened', grant: { conferenceId: 'room-1', roomUrl: 'https://rooms.example.org/1' } };
      },
      details: (grant, { schedule }) => {
        const details = { secureToken: 't', roomUrl: grant.roomUrl, expires: schedule.end };
        for (const given of [grant, schedule]) writeOver(given);
        return details;
      },
    };
    const { scheduling, appointments, ...base } = fixture({ accessProvider });
    const { id, schedule } = await booked({ ...base, scheduling, appointments });
    const activated = await appointments.activate(agentOne, id);
    expect(await scheduling.access.detailsOf(activated)).toMatchObject({ secureToken: 't' });
    for (const appointment of [activated, await appointments.get(agentOne, id)]) {
      expect(appointment).toMatchObject({ schedule, access: { conferenceId: 'room-1' } });
    }
  });

  it('what a part of the host writes into what it is given stands in no message that it makes links for', async () => {
    const linkSource: LinkSource = {
      linksFor: ({ appointment }) => {
        writeOver(appointment.schedule);
        return { page: 'https://clinic.example/1' };
      },
    };
    const base = notified({ ...everything, reminders: [], sms: undefined, webhooks: [] }, { linkSource });
    await booked(base, { customers: [reachable] });
    await base.work();
    expect(base.email.sent.map(({ message }) => message.text)).toEqual([expect.stringContaining('6 May 2030, 14:00')]);
  });

  it('what a part of the host writes into what it is given does not come again with the next call of a web hook', async () => {
    const base = notified({ ...everything, reminders: [], email: undefined, sms: undefined });
    const urls: string[] = [];
    base.webhooks.answers(({ endpoint }) => {
      urls.push(endpoint.url);
      Object.assign(endpoint, { url: `${endpoint.url}?seen` });
      return { status: 'delivered' };
    });
    for (let time = 0; time < 2; time += 1) await booked(base);
    await base.work();
    expect(urls).toEqual(['https://crm.example/hooks', 'https://crm.example/hooks']);
  });
});
