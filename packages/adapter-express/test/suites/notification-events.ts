import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, people, type Person } from '../support/host.js';
import { type NotifiedHost, startNotifiedHost } from '../support/notified-host.js';
import { created, creation, creationV1 } from '../support/requests.js';

const v2 = '/api/v2/appointments';
const v1 = '/api/appointments';
const { agent, supervisor } = people;

const everywhere = { EMAIL: 1, SMS: 1, WEBHOOKS: 1 } as const;
const hooks = { WEBHOOKS: 1 } as const;
const moved = { start: '2030-01-04T10:00:00Z', duration: 'PT1H', timezone: 'UTC' };
const same = { start: '2030-01-02T09:00:00Z', duration: 'PT30M', timezone: 'Europe/Athens' };
const participantOf = (appointment: { readonly participants: readonly { id: string; type: string }[] }) =>
  appointment.participants.find(({ type }) => type === 'CUSTOMER')?.id;

type Send = (host: NotifiedHost, appointment: { readonly id: string }) => Promise<{ readonly status: number }>;
const put =
  (path: string, fields: object, as: Person = supervisor): Send =>
  (host, { id }) =>
    host.call('PUT', `${path}/`, { as, json: { id, ...fields } });
const cancel: Send = (host, { id }) => host.call('PUT', `${v2}/${id}/cancel`, { as: agent });
const remove =
  (base: string): Send =>
  (host, { id }) =>
    host.call('DELETE', `${base}/${id}`, { as: supervisor });
const activate =
  (base: string): Send =>
  (host, { id }) =>
    host.call('POST', `${base}/activate/${id}`, { as: agent });

interface Case {
  readonly what: string;
  /** What comes before; its rows do not count. */
  readonly before?: readonly Send[];
  readonly send: Send;
  /** The events of the appointment that it adds. */
  readonly events: readonly string[];
  /** New rows by type and channel. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** From operation to event to messages (appointment document: Events; D46, D49). */
const cases: readonly Case[] = [
  ...[v2, v1].flatMap((base): readonly Case[] => [
    { what: `${base} update`, send: put(base, { title: 'x' }), events: ['APUpdatedEvent'], rows: { UPDATE: hooks } },
    {
      what: `${base} reschedule`,
      send: put(`${base}/reschedule`, moved),
      events: ['APRescheduledEvent'],
      rows: { RESCHEDULE: everywhere },
    },
    { what: `${base} identical reschedule`, send: put(`${base}/reschedule`, same), events: [], rows: {} },
    {
      what: `${base} reassign`,
      send: put(`${base}/reassign`, { userId: 'agent-2' }),
      events: ['APReassignedEvent'],
      rows: { REASSIGN: hooks },
    },
    {
      what: `${base} reassign to the same agent`,
      before: [put(`${base}/reassign`, { userId: 'agent-2' })],
      send: put(`${base}/reassign`, { userId: 'agent-2' }),
      events: [],
      rows: {},
    },
    {
      what: `${base} explicit activation (D19)`,
      send: activate(base),
      events: ['APActivatedEvent'],
      rows: { ROOM: everywhere },
    },
    {
      what: `${base} explicit activation again`,
      before: [activate(base)],
      send: activate(base),
      events: [],
      rows: {},
    },
  ]),
  { what: 'v2 cancel', send: cancel, events: ['APCancelledEvent'], rows: { CANCELLED: everywhere } },
  { what: 'v2 cancel again', before: [cancel], send: cancel, events: [], rows: {} },
  { what: 'v2 delete', send: remove(v2), events: ['APDeletedEvent'], rows: { CANCELLED: everywhere } },
  { what: 'v2 delete again', before: [remove(v2)], send: remove(v2), events: [], rows: {} },
  { what: 'v2 delete after cancel', before: [cancel], send: remove(v2), events: [], rows: {} },
  { what: 'v2 cancel after delete', before: [remove(v2)], send: cancel, events: [], rows: {} },
  { what: 'v1 delete', send: remove(v1), events: ['APDeletedEvent'], rows: { CANCELLED: everywhere } },
  {
    what: 'v1 delete of a cancelled one, whose customers know already',
    before: [cancel],
    send: remove(v1),
    events: ['APDeletedEvent'],
    rows: { CANCELLED: hooks },
  },
];

/** One set of messages for one event, over HTTP, on any store. */
export function notificationEventsSuite(name: string, open: OpenStore): void {
  describe(`from events to notifications on ${name}`, () => {
    let host: NotifiedHost;
    beforeAll(async () => {
      host = await startNotifiedHost(open);
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    /** Rows by type and channel. */
    async function counts(id: string, since: ReadonlySet<string> = new Set()) {
      const found: Record<string, Record<string, number>> = {};
      for (const row of await host.statuses(id)) {
        if (since.has(row.id)) continue;
        const [type, channel] = [String(row['type']), String(row['channel'])];
        found[type] = { ...found[type], [channel]: (found[type]?.[channel] ?? 0) + 1 };
      }
      return found;
    }
    const eventsOf = (id: string) =>
      host.events.filter(({ appointmentId }) => appointmentId === id).map(({ type }) => type);

    it.each([
      ['v2', v2, creation],
      ['v1', v1, creationV1],
    ] as const)('create (%s) tells by every channel once, and plans the timed ones', async (_, base, request) => {
      const json = request({ applicationId: 'app-n' });
      const { body } = await host.call('POST', `${base}/`, { as: agent, json });
      expect(eventsOf(body.id)).toEqual(['APCreatedEvent']);
      expect(await counts(body.id)).toEqual({
        CREATE: everywhere,
        REMINDER: { EMAIL: 2, SMS: 2, WEBHOOKS: 2 },
        FOLLOW_UP: everywhere,
      });
    });

    it('two customers are told each for themselves, a subscriber once', async () => {
      const people_ = ['one', 'two', 'three'].map((username, index) => ({
        username,
        contact: {
          primaryEmail: `${username}@example.org`,
          ...(index > 0 && { primaryPhone: `+30690000000${index}` }),
        },
      }));
      const { id } = await created(host, { applicationId: 'app-untimed', customers: people_ });
      expect(await counts(id)).toEqual({ CREATE: { EMAIL: 3, SMS: 2, WEBHOOKS: 1 } });
    });

    it('a customer without address or phone gets nothing, the subscriber does', async () => {
      const { id } = await created(host, { applicationId: 'app-untimed', customers: [{ username: 'only' }] });
      expect(await counts(id)).toEqual({ CREATE: hooks });
    });

    it.each(cases)('$what: $events', async ({ before = [], send, events, rows }) => {
      const appointment = await created(host, { applicationId: 'app-untimed', ...same });
      for (const step of before) expect([200, 204]).toContain((await step(host, appointment)).status);
      const known = new Set((await host.statuses(appointment.id)).map(({ id }) => id));
      const eventsBefore = eventsOf(appointment.id).length;
      expect([200, 204]).toContain((await send(host, appointment)).status);
      expect(eventsOf(appointment.id).slice(eventsBefore)).toEqual(events);
      expect(await counts(appointment.id, known)).toEqual(rows);
    });

    it('v2 customer change tells subscribers only', async () => {
      const appointment = await created(host, { applicationId: 'app-untimed' });
      const known = new Set((await host.statuses(appointment.id)).map(({ id }) => id));
      const customer = { id: participantOf(appointment), name: { firstName: 'Augusta' } };
      const json = { id: appointment.id, customer };
      expect((await host.call('PUT', `${v2}/`, { as: agent, json })).status).toBe(200);
      expect(Object.values(await counts(appointment.id, known))).toEqual([hooks]);
    });

    it('automatic activation tells nobody (D19)', async () => {
      const { id } = await created(host, { applicationId: 'app-untimed', start: '2030-01-01T12:00:00Z' });
      const before = host.clock.time;
      host.clock.time = Date.UTC(2030, 0, 1, 11, 30);
      await host.work();
      host.clock.time = before;
      expect(eventsOf(id)).toEqual(['APCreatedEvent', 'APActivatedEvent']);
      expect(await counts(id)).toEqual({ CREATE: everywhere });
    });

    it('a reschedule takes back the timed ones and plans them again, in one step (D20)', async () => {
      const { id } = await created(host, { applicationId: 'app-n', ...same });
      await put(`${v2}/reschedule`, moved)(host, { id });
      const timed = await host.statuses(id, 'type=REMINDER,FOLLOW_UP&channel=EMAIL');
      expect(timed.map(({ status, scheduledFor }) => `${String(status)} ${String(scheduledFor)}`).sort()).toEqual([
        ...['CANCELLED 2030-01-01T09:00:00Z', 'CANCELLED 2030-01-02T08:30:00Z', 'CANCELLED 2030-01-02T10:30:00Z'],
        ...['INITIALIZED 2030-01-03T10:00:00Z', 'INITIALIZED 2030-01-04T09:30:00Z', 'INITIALIZED 2030-01-04T12:00:00Z'],
      ]);
    });

    it('what is cancelled takes back all that was not sent, in the same step', async () => {
      const { id } = await created(host, { applicationId: 'app-n', ...same });
      await cancel(host, { id });
      const rows = await host.statuses(id);
      expect(rows.filter(({ status }) => status !== 'CANCELLED').map(({ type }) => type)).toEqual(
        Object.keys(everywhere).map(() => 'CANCELLED'),
      );
      const sentBefore = host.email.sent.length;
      await host.work(72 * 3_600_000);
      host.clock.time -= 72 * 3_600_000;
      const ofThis = host.email.sent.slice(sentBefore).filter(({ message }) => message.appointmentId === id);
      expect(ofThis.map(({ message }) => message.type)).toEqual(['CANCELLED']);
    });

    it('while the switch of the application is off nobody is told anything (D12)', async () => {
      const appointment = await created(host, { applicationId: 'app-silent' });
      expect(appointment.notificationsActive).toBe(false);
      await put(`${v2}/reschedule`, moved)(host, appointment);
      await activate(v2)(host, appointment);
      await cancel(host, appointment);
      expect(eventsOf(appointment.id)).toHaveLength(4);
      expect(await counts(appointment.id)).toEqual({});
    });

    it('what fails or is refused tells nobody', async () => {
      const { id } = await created(host, { applicationId: 'app-untimed' });
      const replies = [
        await put(`${v2}/reschedule`, { ...moved, duration: 'PT25H' })(host, { id }),
        await put(`${v2}/reassign`, { userId: 'nobody' })(host, { id }),
        await host.call('PUT', `${v2}/`, { as: supervisor, json: { id, title: 'x' }, headers: { 'if-match': '"9"' } }),
        await host.call('PUT', `${v2}/${id}/cancel`, { as: people.otherAgent }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([400, 404, 412, 403]);
      expect(await counts(id)).toEqual({ CREATE: everywhere });
    });
  });
}
