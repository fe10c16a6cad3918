import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CustomerHost, startCustomerHost } from '../support/customer-host.js';
import { type OpenStore, people } from '../support/host.js';
import { created, creation, creationV1, oneTimePassword } from '../support/requests.js';

const { service, supervisor } = people;
const v2 = '/api/v2/appointments';
const hour = 3_600_000;
const caller = { id: 'supervisor-1', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] } as const;

/** What an anonymous booking sets in motion: messages (D62) and recognition (D64), on any store. */
export function customerCreateSuite(name: string, open: OpenStore): void {
  describe(`customer-create on ${name}`, () => {
    let host: CustomerHost;
    beforeAll(async () => {
      host = await startCustomerHost(open);
    });
    afterAll(() => host.close());

    let made = 0;
    const someone = (): string => `proven-${String((made += 1))}@example.org`;

    /** Books with a code for a name; the code comes by mail. */
    const booking = async (username: string, changes: object, family: 'v1' | 'v2' = 'v2') => {
      const all = { applicationId: 'app-told', ...changes };
      const code = await host.codeFor(username, all.applicationId);
      const path = family === 'v2' ? `${v2}/basic` : '/api/appointments/basic';
      const json = family === 'v2' ? creation(all) : creationV1(all);
      return host.call('POST', path, { headers: oneTimePassword(username, code), json });
    };
    const booked = async (username: string, changes: object): Promise<string> => {
      const { status, body, text } = await booking(username, changes);
      if (status !== 200) throw new Error(`The booking answered ${String(status)}: ${text}`);
      return body.id as string;
    };
    const byMail = (address: string) => ({ contact: { primaryEmail: address } });
    const strangers = (count: number, at: string) =>
      Array.from({ length: count }, (_, index) => ({
        contact: {
          primaryEmail: `stranger-${String(index)}@${at}`,
          primaryPhone: `+30690${String(1_000_000 + index)}`,
        },
      }));

    /** Addresses and numbers that messages went to since the last look, codes left out. */
    const told = async (milliseconds = 0): Promise<readonly string[]> => {
      host.clock.time += milliseconds;
      for (let pass = 0; pass < 3; pass += 1) await host.scheduling.workers.runOnce();
      const mails = host.email.sent.slice(seen.mails).map(({ message }) => message);
      const texts = host.sms.sent.slice(seen.texts).map(({ message }) => message);
      seen = { mails: host.email.sent.length, texts: host.sms.sent.length };
      const messages = mails.filter(({ type }) => type !== 'ONE_TIME_PASSWORD');
      return [
        ...messages.map(({ to, type }) => `${type} ${to.address}`),
        ...texts.map(({ to, type }) => `${type} ${to}`),
      ];
    };
    let seen = { mails: 0, texts: 0 };
    const statuses = async (id: string, query = ''): Promise<readonly string[]> => {
      const path = `/api/notifications/?applicationId=app-told&pageSize=100&sortField=id&sortOrder=desc&${query}`;
      const { body } = await host.call('GET', path, { as: supervisor });
      const rows = body.content as { appointmentId: string; type: string; channel: string; status: string }[];
      return rows
        .filter(({ appointmentId }) => appointmentId === id)
        .map(({ type, channel, status }) => `${type} ${channel} ${status}`)
        .sort();
    };
    const customersOf = async (id: string) => {
      const found = await host.store.store.appointments.find('org-1', id);
      return found?.participants.filter(({ type }) => type === 'CUSTOMER') ?? [];
    };
    const move = (id: string, days: number, as: string | typeof supervisor = supervisor) => {
      const start = new Date(Date.UTC(2030, 1, 1 + days, 9)).toISOString();
      return host.call('PUT', `${v2}/reschedule/`, { as, json: { id, start, duration: 'PT30M', timezone: 'UTC' } });
    };
    const update = (id: string, customer: object, changes: object = {}) =>
      host.call('PUT', `${v2}/`, { as: supervisor, json: { id, customer, ...changes } });

    describe('messages of a booking (D62)', () => {
      it('messages of a booking reach nobody but who proved the address, through 20 customers, moves by the mailed link, and the cancel', async () => {
        const me = someone();
        await told();
        const customers = [byMail(me), ...strangers(19, 'elsewhere.example')];
        const title = 'Your account will be closed, call 0900';
        const id = await booked(me, { customers, title, start: '2030-02-01T09:00:00Z' });
        expect(await told()).toEqual([`CREATE ${me}`]);
        const link = /#([\w.-]+)/.exec(host.email.sent.at(-1)?.message.text ?? '')?.[1] ?? '';
        const token = await host.session(link);
        for (const days of [1, 2, 3, 4, 5]) {
          expect((await move(id, days, token)).status).toBe(200);
          expect(await told()).toEqual([`RESCHEDULE ${me}`]);
        }
        const sixth = await move(id, 6, token);
        expect([sixth.status, sixth.body.code]).toEqual([403, 'reschedule_limit']);
        await host.call('PUT', `${v2}/${id}/cancel`, { as: token });
        expect(await told()).toEqual([`CANCELLED ${me}`]);
        const profiles = await host.store.store.customers.list('org-1', id);
        expect(profiles).toHaveLength(20);
        expect(profiles.filter(({ primaryPhone }) => primaryPhone !== undefined)).toHaveLength(19);
      });

      it('messages of a booking leave out the number beside a proven address, in v1 too', async () => {
        const me = someone();
        await told();
        const customer = { contact: { primaryEmail: me, primaryPhone: '+306900000009' } };
        const { status, body } = await booking(me, { customer }, 'v1');
        expect(status).toBe(200);
        const id = body.id as string;
        expect(await told()).toEqual([`CREATE ${me}`]);
        await move(id, 10);
        expect(await told()).toEqual([`RESCHEDULE ${me}`]);
        expect((await statuses(id)).filter((row) => row.includes('SMS'))).toEqual([]);
        const [first] = await customersOf(id);
        const json = { id, customer: { participantId: first?.id } };
        expect((await host.call('PUT', '/api/appointments/', { as: supervisor, json })).status).toBe(200);
        await move(id, 11);
        expect((await told()).toSorted()).toEqual(['RESCHEDULE +306900000009', `RESCHEDULE ${me}`]);
      });

      it('messages of a booking go where the directory had the code of a user name sent, and only there', async () => {
        await told();
        const hers = 'known-maria@directory.example';
        const elsewhere = { username: 'known-maria', contact: { primaryEmail: 'not-hers@example.org' } };
        await booked('known-maria', { customers: [elsewhere] });
        expect(await told()).toEqual([]);
        host.clock.time += 61_000;
        const hersToo = { username: 'known-maria', contact: { primaryEmail: hers.toUpperCase() } };
        await booked('known-maria', { customers: [hersToo], start: '2030-01-03T09:00:00Z' });
        expect(await told()).toEqual([`CREATE ${hers.toUpperCase()}`]);
      });

      it('messages of a booking begin for whom staff confirms by an update that changes nothing, with what lies ahead and no CREATE', async () => {
        const me = someone();
        const id = await booked(me, {
          customers: [byMail(me), ...strangers(2, 'confirmed.example')],
          start: '2030-03-01T09:00:00Z',
        });
        await told();
        host.events.length = 0;
        const [, second] = await customersOf(id);
        const participantId = second?.id ?? '';
        const before = (await statuses(id)).length;
        const reply = await update(id, { id: participantId });
        expect(reply.status).toBe(200);
        expect(host.events.map(({ type, data }) => [type, data.participantId])).toEqual([
          ['APParticipantUpdatedEvent', participantId],
        ]);
        expect((await statuses(id)).length - before).toBe(4);
        expect(await told()).toEqual([]);
        const again = await update(id, { id: participantId });
        expect(again.headers['etag']).toBe(reply.headers['etag']);
        expect(host.events).toHaveLength(1);
        await move(id, 40);
        expect((await told()).toSorted()).toEqual(
          ['RESCHEDULE +306901000000', `RESCHEDULE ${me}`, 'RESCHEDULE stranger-0@confirmed.example'].toSorted(),
        );
        expect(await statuses(id, 'type=CREATE')).toEqual(['CREATE EMAIL DELIVERED']);
      });

      it('messages of a booking begin for whom the library confirms, once', async () => {
        const me = someone();
        const id = await booked(me, { customers: [byMail(me), ...strangers(1, 'by-call.example')] });
        await told();
        const [first, second] = await customersOf(id);
        expect([first?.confirmed, first?.toldOver, second?.confirmed, second?.toldOver]).toEqual([
          false,
          ['EMAIL'],
          false,
          [],
        ]);
        host.events.length = 0;
        const command = { id, participantId: second?.id ?? '' };
        const confirmed = await host.scheduling.appointments.confirmParticipant(caller, command);
        expect(await host.scheduling.appointments.confirmParticipant(caller, command)).toEqual(confirmed);
        expect(host.events.map(({ type }) => type)).toEqual(['APParticipantUpdatedEvent']);
        expect((await customersOf(id))[1]).toEqual({ id: second?.id, type: 'CUSTOMER', identity: expect.any(String) });
      });

      it('messages of a booking are those of the interface document where the application says notifyOthers', async () => {
        const me = someone();
        await told();
        const customers = [
          { contact: { primaryEmail: me, primaryPhone: '+306900000010' } },
          byMail('other@telling.example'),
        ];
        await booked(me, { applicationId: 'app-telling', customers });
        const all = [`CREATE ${me}`, 'CREATE other@telling.example', 'CREATE +306900000010'];
        expect((await told()).toSorted()).toEqual(all.toSorted());
      });

      it('messages of a booking of an appointment that staff made go to everybody, as ever', async () => {
        await told();
        await created(host, { applicationId: 'app-told', customers: strangers(2, 'staff.example') });
        expect(await told()).toHaveLength(4);
      });
    });

    describe('recognition (D64)', () => {
      const application = { applicationId: 'app-customers' };
      const busy = { ...application, start: '2030-04-01T09:00:00Z' };
      const stranger = (me: string) => ({
        username: 'victim',
        contact: { primaryEmail: me, primaryPhone: '+306900000011' },
      });

      it('recognition does not fill the time of a user name that was not proven', async () => {
        const me = someone();
        expect((await booking(me, { ...busy, customers: [stranger(me)] })).status).toBe(200);
        const theirs = await host.call('POST', `${v2}/`, {
          as: service,
          json: creation({ ...busy, customers: [{ username: 'victim' }] }),
        });
        expect(theirs.status).toBe(200);
      });

      it('recognition does not tell a stranger when somebody is busy', async () => {
        const at = { ...application, start: '2030-04-02T09:00:00Z' };
        const victim = { username: 'victim', contact: { primaryPhone: '+306900000011' } };
        await created(host, { ...at, customers: [victim] }, service);
        await created(
          host,
          { ...at, start: '2030-04-02T12:00:00Z', customers: [byMail('busy@victim.example')] },
          service,
        );
        const me = someone();
        const [first, second] = [stranger(me), { ...byMail('busy@victim.example'), username: 'other' }];
        expect((await booking(me, { ...at, customers: [first, second] })).status).toBe(200);
        const other = someone();
        const noon = { ...at, start: '2030-04-02T12:00:00Z' };
        expect((await booking(other, { ...noon, customers: [byMail(other), second] })).status).toBe(200);
      });

      it('recognition is by the address that was proven, in any letter case', async () => {
        const me = someone();
        const at = { ...application, start: '2030-04-03T09:00:00Z' };
        expect((await booking(me, { ...at, customers: [{ ...byMail(me), username: 'a name' }] })).status).toBe(200);
        host.clock.time += 61_000;
        const again = await booking(me, { ...at, customers: [byMail(me.toUpperCase())] });
        expect([again.status, again.body.code]).toEqual([409, 'slot_conflict']);
        host.clock.time += 61_000;
        const same = await booking(me, { ...at, customers: [{ ...byMail(me), username: 'another' }] });
        expect([same.status, same.body.code]).toEqual([409, 'slot_conflict']);
        expect([same.body.conflictingAppointmentIds, same.body.reasons]).toEqual([[], [{ code: 'BUSY' }]]);
      });

      it('recognition is by whatever staff confirms', async () => {
        const me = someone();
        const at = { ...application, start: '2030-04-04T09:00:00Z' };
        const id = await booked(me, { ...at, customers: [{ ...byMail(me), username: 'later-known' }] });
        const own = { ...at, customers: [{ username: 'later-known' }] };
        await created(host, own, service);
        const [customer] = await customersOf(id);
        expect((await update(id, { id: customer?.id })).status).toBe(200);
        const third = await host.call('POST', `${v2}/`, {
          as: service,
          json: creation({ ...own, start: '2030-04-04T09:15:00Z' }),
        });
        expect(third.status).toBe(409);
        await host.scheduling.appointments.cancel(caller, { id });
      });
    });

    describe('personal data of customers who proved nothing (D64)', () => {
      it('personal data of customers who proved nothing is exported and erased by an address', async () => {
        const me = someone();
        const theirs = 'named@nothing-proven.example';
        const id = await booked(me, { customers: [byMail(me), byMail(theirs)] });
        const { customers } = host.scheduling;
        const { records } = await customers.export(caller, { primaryEmail: theirs });
        expect(records.map(({ profile }) => [profile.appointmentId, profile.primaryEmail])).toEqual([[id, theirs]]);
        expect(await customers.erase(caller, { primaryEmail: theirs })).toBe(1);
        const [, second] = await customersOf(id);
        expect(second).toEqual({ id: second?.id, type: 'CUSTOMER' });
        expect((await customers.export(caller, { primaryEmail: theirs })).records).toEqual([]);
      });

      it('personal data of customers who proved nothing goes at the end of retention, also when nobody else is left to recognise', async () => {
        const me = someone();
        const id = await booked(me, {
          applicationId: 'app-kept',
          customers: [byMail(me), byMail('kept@nothing-proven.example')],
        });
        const [first] = await customersOf(id);
        await host.scheduling.customers.erase(caller, { appointmentId: id, participantId: first?.id ?? '' });
        host.clock.time = Date.parse('2030-01-02T09:30:00Z') + 24 * hour;
        for (let pass = 0; pass < 5; pass += 1) await host.scheduling.workers.runOnce();
        const profiles = await host.store.store.customers.list('org-1', id);
        expect(profiles.map(({ removal }) => removal?.reason).toSorted()).toEqual(['PDM_ERASED', 'PDM_EXPIRED']);
        const found = await host.store.store.appointments.find('org-1', id);
        await host.scheduling.workers.runOnce();
        expect((await host.store.store.appointments.find('org-1', id))?.version).toBe(found?.version);
      });
    });
  });
}
