import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, type OpenStore, type Person, people, start, startHost } from '../support/host.js';
import { created, creationV1, customer, joining, managing, oneTimePassword, unknownId } from '../support/requests.js';

const base = '/api/appointments';
const { agent, supervisor, service } = people;

/** The sentences about v1 and its differences from v2, over HTTP, on any store. */
export function v1AppointmentSuite(name: string, open: OpenStore): void {
  describe(`v1 appointments on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startHost({ open });
    });
    afterAll(() => host.close());

    async function createdV1(changes: object = {}) {
      const reply = await host.call('POST', `${base}/`, { as: agent, json: creationV1(changes) });
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    }

    it('create takes a single customer object and answers the v1 shape', async () => {
      const { status, body, headers } = await host.call('POST', `${base}/`, {
        as: agent,
        json: creationV1({ targetAssignment: { id: 'agent-2', type: 'AGENT' }, locale: 'en-GB' }),
      });
      expect([status, headers['etag']]).toEqual([200, '"1"']);
      expect(body).toEqual({
        applicationId: 'app-1',
        duration: 'PT30M (30 minutes)',
        end: '2030-01-02T09:30:00Z',
        id: expect.any(String),
        interaction: { customFields: {}, properties: {}, routing: null, state: 'PENDING' },
        locale: 'en_GB',
        metadata: {},
        notes: '',
        notificationHeaders: '{}',
        notificationsActive: false,
        organizer: { id: 'agent-1', type: 'AGENT', state: 'ACTIVE' },
        participantIds: [
          { id: 'agent-2', type: 'AGENT' },
          { id: expect.any(String), type: 'CUSTOMER' },
        ],
        start: '2030-01-02T09:00:00Z',
        timezone: 'Europe/Athens',
        title: '',
      });
    });

    it.each([
      ['PROVIDERA_CLOUD_FLOW', { deploymentId: 'd' }, 'providerA-cloud'],
      ['PROVIDERB_DIGITAL_CONNECT', { touchpointId: 't' }, 'providerB-digital-connect'],
      ['PROVIDERA_CLOUD_FLOW', { deploymentId: 'd', chatMode: 'providerA-web-messaging' }, 'providerA-web-messaging'],
    ])('chatMode of %s with %j is %s', async (type, properties, chatMode) => {
      const { interaction } = await createdV1({ interaction: { routing: { type, properties } } });
      expect(interaction.routing.properties.chatMode).toBe(chatMode);
    });

    it('a list of customers is not taken; faults point into the one customer', async () => {
      const post = async (json: object) => {
        const { status, body } = await host.call('POST', `${base}/`, { as: agent, json });
        return [status, ...(body.errors ?? []).map((each: { pointer: string }) => each.pointer)];
      };
      expect(await post({ ...creationV1(), customer: undefined, customers: [customer] })).toEqual([400, '/customer']);
      expect(await post(creationV1({ customer: { name: { firstName: 'x' } } }))).toEqual([400, '/customer']);
      expect(await post(creationV1({ customer: { contact: { primaryPhone: '12' } } }))).toEqual([
        400,
        '/customer/contact/primaryPhone',
      ]);
    });

    it('customer-create takes a single customer, too', async () => {
      const { status, body } = await host.call('POST', `${base}/basic`, {
        headers: oneTimePassword('otp-v1'),
        json: creationV1({ customer: { username: 'otp-v1' } }),
      });
      expect([status, body.organizer]).toEqual([200, { id: 'agent-3', type: 'AGENT', state: 'ACTIVE' }]);
    });

    it('the update customer uses participantId instead of id', async () => {
      const { id, participantIds } = await createdV1();
      const update = (json: object) => host.call('PUT', `${base}/`, { as: agent, json: { id, ...json } });
      const name = { firstName: 'Augusta' };
      const right = await update({ title: 'New', customer: { participantId: participantIds[0].id, name } });
      expect([right.status, right.body.title]).toEqual([200, 'New']);
      const wrong = await update({ customer: { participantId: 'nobody', name } });
      expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '/customer/participantId']);
      const missing = await update({ customer: { id: participantIds[0].id, name } });
      expect([missing.status, missing.body.errors[0].pointer]).toEqual([400, '/customer/participantId']);
    });

    it('activation answers expires and url, the same each time; get shows them as roomAccess', async () => {
      const { id } = await createdV1();
      const first = await host.call('POST', `${base}/activate/${id}`, { as: agent });
      expect(first.body).toEqual({
        expires: '2030-01-02T10:30:00Z',
        url: expect.stringMatching(/^https:\/\/rooms\.example\/r\/[\w-]{22}$/),
      });
      expect((await host.call('POST', `${base}/activate/${id}`, { as: agent })).body).toEqual(first.body);
      expect((await host.call('GET', `${base}/${id}`, { as: agent })).body.roomAccess).toEqual(first.body);
    });

    it('room access is there at once where activation is due already (D18)', async () => {
      const body = await createdV1({ start: new Date(start + 60_000).toISOString() });
      expect(body.roomAccess.url).toMatch(/^https:/);
    });

    it('there is no v1 cancel operation', async () => {
      const { id } = await createdV1();
      const reply = await host.call('PUT', `${base}/${id}/cancel`, { as: agent });
      expect([reply.status, reply.headers['x-request-id']]).toEqual([404, undefined]);
    });

    it('DELETE permanently removes the appointment, from any state (204)', async () => {
      const { id } = await createdV1();
      await host.call('PUT', `/api/v2/appointments/${id}/cancel`, { as: agent });
      expect((await host.call('DELETE', `${base}/${id}`, { as: agent })).status).toBe(204);
      expect((await host.call('GET', `/api/v2/appointments/${id}`, { as: agent })).status).toBe(404);
      expect((await host.call('DELETE', `${base}/${id}`, { as: agent })).status).toBe(404);
      const types = host.events.filter((event) => event.appointmentId === id).map(({ type }) => type);
      expect(types).toEqual(['APCreatedEvent', 'APCancelledEvent', 'APDeletedEvent']);
    });

    it('get, update, activate, reassign and reschedule of a retained CANCELLED appointment are 404 (D25)', async () => {
      const { id, ...made } = await created(host);
      await host.call('DELETE', `/api/v2/appointments/${id}`, { as: agent });
      const { start: at, duration, timezone } = made;
      const replies = [
        await host.call('GET', `${base}/${id}`, { as: agent }),
        await host.call('PUT', `${base}/`, { as: agent, json: { id, title: 'x' } }),
        await host.call('POST', `${base}/activate/${id}`, { as: agent }),
        await host.call('PUT', `${base}/reassign/`, { as: supervisor, json: { id, userId: 'agent-2' } }),
        await host.call('PUT', `${base}/reschedule/`, { as: agent, json: { id, start: at, duration, timezone } }),
      ];
      expect(replies.map(({ status, body }) => [status, body.code])).toEqual(replies.map(() => [404, 'not_found']));
    });

    it('get by id with ROLE_CUSTOMER requires the conferenceId claim to match; manage claims do not count', async () => {
      const { id, participantIds } = await createdV1();
      const get = async (as: Person) => (await host.call('GET', `${base}/${id}`, { as })).status;
      expect(await get(joining(id))).toBe(200);
      expect(await get(joining(unknownId))).toBe(403);
      expect(await get(managing(id, participantIds[0].id))).toBe(403);
      expect(await get({ ...managing(id, participantIds[0].id), conferenceId: id })).toBe(200);
    });

    it('reassign is for supervisors only, whatever agentReassignmentEnabled says', async () => {
      const { id } = await createdV1({ applicationId: 'app-open' });
      const reassign = async (as: Person) =>
        (await host.call('PUT', `${base}/reassign/`, { as, json: { id, userId: 'agent-2' } })).status;
      expect(await reassign(agent)).toBe(403);
      expect(await reassign(service)).toBe(403);
      expect(await reassign(supervisor)).toBe(200);
    });

    it('reschedule accepts agents, supervisors and client services only', async () => {
      const { id, participantIds } = await createdV1();
      const json = { id, start: '2030-01-05T09:00:00Z', duration: 'PT30M', timezone: 'UTC' };
      const as = managing(id, participantIds[0].id);
      expect((await host.call('PUT', `${base}/reschedule/`, { as, json })).status).toBe(403);
      const { body } = await host.call('PUT', `${base}/reschedule/`, { as: service, json });
      expect(body).toMatchObject({ start: '2030-01-05T09:00:00Z', participantIds });
    });

    it('eligible answers v1 appointments without access details', async () => {
      const { id } = await createdV1();
      const { body } = await host.call('GET', `${base}/eligible`, { as: service });
      const item = body.find((each: { id: string }) => each.id === id);
      expect(item).toHaveProperty('participantIds');
      expect(item).not.toHaveProperty('roomAccess');
    });
  });
}
