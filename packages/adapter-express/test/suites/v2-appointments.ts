import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, type OpenStore, type Person, people, start, startHost } from '../support/host.js';
import { created, creation, customer, joining, managing, oneTimePassword, unknownId } from '../support/requests.js';

const base = '/api/v2/appointments';
const { agent, otherAgent, supervisor, service } = people;

/** The sentences of the appointment document for v2, over HTTP, on any store. */
export function v2AppointmentSuite(name: string, open: OpenStore): void {
  describe(`v2 appointments on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startHost({ open });
    });
    afterAll(() => host.close());
    const eventsOf = (id: string): string[] =>
      host.events.filter((event) => event.appointmentId === id).map((event) => event.type);

    describe('create (rule 2)', () => {
      it('create answers the AppointmentResponse of the document', async () => {
        const { status, body, headers } = await host.call('POST', `${base}/`, {
          as: agent,
          json: creation({
            title: 'Advice',
            notes: 'Bring the papers',
            locale: 'en-us',
            metadata: { topic: { id: 7 } },
            notificationHeaders: '{"X-Campaign":"spring"}',
            interaction: {
              customFields: { queue: 'vip' },
              routing: { type: 'PROVIDERB_DIGITAL_CONNECT', properties: { touchpointId: 't-1' } },
            },
            targetAssignment: { id: 'agent-2', type: 'AGENT' },
            duration: 'PT90M',
          }),
        });
        expect(status).toBe(200);
        expect(headers['etag']).toBe('"1"');
        expect(body).toEqual({
          applicationId: 'app-1',
          cancellationReason: null,
          cancelledAt: null,
          cancelledBy: null,
          duration: 'PT1H30M (1 hour 30 minutes)',
          end: '2030-01-02T10:30:00Z',
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          interaction: {
            acceptedBy: [],
            initiatedBy: null,
            customFields: { queue: 'vip' },
            properties: {},
            errorData: null,
            routing: {
              type: 'PROVIDERB_DIGITAL_CONNECT',
              properties: { touchpointId: 't-1', chatMode: 'providerB-digital-connect' },
            },
            state: 'PENDING',
          },
          locale: 'en_US',
          metadata: { topic: { id: 7 } },
          notes: 'Bring the papers',
          notificationHeaders: '{"X-Campaign":"spring"}',
          notificationsActive: false,
          organizer: { id: 'agent-1', type: 'AGENT' },
          participants: [
            { id: 'agent-2', type: 'AGENT' },
            { id: expect.any(String), type: 'CUSTOMER' },
          ],
          start: '2030-01-02T09:00:00Z',
          targetAssignment: { id: 'agent-2', type: 'AGENT' },
          timezone: 'Europe/Athens',
          title: 'Advice',
        });
        expect(eventsOf(body.id)).toEqual(['APCreatedEvent']);
      });

      it('v2 takes a list of customers, and answers none of their data', async () => {
        const body = await created(host, { customers: [customer, { username: 'charles' }] });
        expect(body.participants).toHaveLength(2);
        expect(JSON.stringify(body)).not.toMatch(/\bada\b|charles|example\.org|Lovelace|identity/i);
      });

      it.each([
        ['PROVIDERA_CLOUD_FLOW', { deploymentId: 'd' }, 'providerA-web-messaging'],
        ['PROVIDERB_DIGITAL_CONNECT', { touchpointId: 't' }, 'providerB-digital-connect'],
        ['PROVIDERA_CLOUD_FLOW', { deploymentId: 'd', chatMode: 'providerA-cloud' }, 'providerA-cloud'],
      ])('chatMode of %s with %j is %s', async (type, properties, chatMode) => {
        const { interaction } = await created(host, { interaction: { routing: { type, properties } } });
        expect(interaction.routing.properties.chatMode).toBe(chatMode);
      });

      it('routing that is omitted is the application’s, or none when it has none (D11)', async () => {
        expect((await created(host)).interaction.routing).toBeNull();
        expect((await created(host, { applicationId: 'app-routed' })).interaction.routing).toEqual({
          type: 'PROVIDERA_CLOUD_FLOW',
          properties: { deploymentId: 'd-1', chatMode: 'providerA-web-messaging' },
        });
      });

      it('missing required fields are 400 with one entry per field (D1)', async () => {
        const { status, body } = await host.call('POST', `${base}/`, { as: agent, json: {} });
        expect(status).toBe(400);
        expect(body.errors.map((each: { pointer: string }) => each.pointer).sort()).toEqual(
          ['/applicationId', '/customers', '/duration', '/start', '/timezone'].sort(),
        );
        expect(new Set(body.errors.map((each: { code: string }) => each.code))).toEqual(new Set(['required']));
      });

      it('a customer needs an e-mail address, a phone number or a user name (D1)', async () => {
        const json = creation({ customers: [{ name: { firstName: 'Ada' } }] });
        const { status, body } = await host.call('POST', `${base}/`, { as: agent, json });
        expect([status, body.errors[0].pointer]).toEqual([400, '/customers/0']);
      });

      it('a start more than 60 s in the past is 400 invalid_schedule (D3)', async () => {
        const json = creation({ start: new Date(start - 61_000).toISOString() });
        const { status, body } = await host.call('POST', `${base}/`, { as: agent, json });
        expect([status, body.code]).toEqual([400, 'invalid_schedule']);
        await created(host, { start: new Date(start - 59_000).toISOString() });
      });

      it('the answered forms of duration and locale can be sent back (D4, D6)', async () => {
        const body = await created(host, { duration: 'PT5M (5 minutes)', locale: 'el_GR' });
        expect([body.duration, body.locale]).toEqual(['PT5M (5 minutes)', 'el_GR']);
      });

      it('an application of another organization is 403', async () => {
        const json = creation({ applicationId: 'app-foreign' });
        const { status, body } = await host.call('POST', `${base}/`, { as: agent, json });
        expect([status, body.code]).toEqual([403, 'forbidden']);
      });

      it('an application that the token does not cover is 403 (D34)', async () => {
        const as = { ...agent, applicationIds: ['app-open'] };
        const { status } = await host.call('POST', `${base}/`, { as, json: creation() });
        expect(status).toBe(403);
      });

      it('access details appear only after activation, which is at once when its instant has passed (D18)', async () => {
        expect(await created(host)).not.toHaveProperty('secureToken');
        const soon = await created(host, { start: new Date(start + 10 * 60_000).toISOString() });
        expect(soon.secureToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      });

      it('an overlap is 409 slot_conflict with the ids and the reasons that the caller may see (D26, D75)', async () => {
        const first = await created(host, { applicationId: 'app-guarded', start: '2030-05-02T09:00:00Z' });
        const json = creation({ applicationId: 'app-guarded', start: '2030-05-02T09:29:00Z' });
        const { status, body } = await host.call('POST', `${base}/`, { as: agent, json });
        expect([status, body.code, body.conflictingAppointmentIds]).toEqual([409, 'slot_conflict', [first.id]]);
        expect(body.reasons).toEqual([{ code: 'BUSY', actorId: 'agent-1', appointmentId: first.id }]);
        const forOther = { ...json, targetAssignment: { id: 'agent-1', type: 'AGENT' } };
        const other = await host.call('POST', `${base}/`, { as: otherAgent, json: forOther });
        expect([other.status, other.body.conflictingAppointmentIds, other.body.reasons]).toEqual([
          409,
          [],
          [{ code: 'BUSY' }],
        ]);
      });
    });

    describe('customer-create (rule 5)', () => {
      it('customer-create takes basic credentials with one-time password; the organizer is the default agent (D10, D44)', async () => {
        const { status, body } = await host.call('POST', `${base}/basic`, {
          headers: oneTimePassword('otp-user'),
          json: creation({ customers: [{ username: 'otp-user' }] }),
        });
        expect(status).toBe(200);
        expect(body.organizer).toEqual({ id: 'agent-3', type: 'AGENT' });
        const again = await host.call('POST', `${base}/basic`, {
          headers: oneTimePassword('otp-user'),
          json: creation({ customers: [{ username: 'otp-user' }] }),
        });
        expect([again.status, again.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic /)]);
      });

      it('no bearer token: one is 401 (D44)', async () => {
        const { status, headers } = await host.call('POST', `${base}/basic`, { as: agent, json: creation() });
        expect([status, headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic /)]);
      });

      it.each<[string, string, object]>([
        ['a number with blanks in both places', '+49 30 1234567', { primaryPhone: '+49 30 1234567' }],
        ['a number with blanks beside one without', '+49 30 1234568', { primaryPhone: '+49301234568' }],
        ['an address in other letter case', 'Ann@Example.org', { primaryEmail: 'ann@example.org' }],
        ['an address with blanks around it in both places', ' ann@example.org', { primaryEmail: ' ann@example.org' }],
      ])('a user name is the same one however it is written: %s (D44)', async (_what, username, contact) => {
        const json = creation({ customers: [{ contact }] });
        const { status } = await host.call('POST', `${base}/basic`, { headers: oneTimePassword(username), json });
        expect(status).toBe(200);
      });

      it.each(['ann', ' Ann', 'ann@example.com', '+49301234567'])(
        'a user name that is only close, "%s", is 403',
        async (username) => {
          const json = creation({ customers: [{ username: 'Ann', contact: { primaryEmail: 'ann@example.org' } }] });
          const { status } = await host.call('POST', `${base}/basic`, { headers: oneTimePassword(username), json });
          expect(status).toBe(403);
        },
      );

      it('a user name that is not the first customer’s is 403', async () => {
        const { status } = await host.call('POST', `${base}/basic`, {
          headers: oneTimePassword('someone-else'),
          json: creation(),
        });
        expect(status).toBe(403);
      });
    });

    describe('get by id (rule 9)', () => {
      it('access details are only for activated appointments', async () => {
        const { id } = await created(host);
        expect((await host.call('GET', `${base}/${id}`, { as: agent })).body).not.toHaveProperty('secureToken');
        await host.call('POST', `${base}/activate/${id}`, { as: agent });
        expect((await host.call('GET', `${base}/${id}`, { as: agent })).body.secureToken).toEqual(expect.any(String));
      });

      it('v2 can return retained CANCELLED and ABORTED records, without access details (D41)', async () => {
        const cancelled = await created(host);
        await host.call('POST', `${base}/activate/${cancelled.id}`, { as: agent });
        await host.call('PUT', `${base}/${cancelled.id}/cancel`, { as: agent, json: { cancelReason: 'ill' } });
        expect((await host.call('GET', `${base}/${cancelled.id}`, { as: agent })).body).toMatchObject({
          cancellationReason: 'ill',
          cancelledAt: '2030-01-01T08:00:00Z',
          cancelledBy: 'agent-1',
        });
        const aborted = await created(host);
        const caller = { id: 'service-1', organizationId: 'org-1', roles: ['ROLE_CLIENT_SERVICE'] } as const;
        await host.scheduling.appointments.abort(caller, { id: aborted.id, reason: 'no room' });
        for (const { id } of [cancelled, aborted]) {
          const { status, body } = await host.call('GET', `${base}/${id}`, { as: agent });
          expect(status).toBe(200);
          expect(body).not.toHaveProperty('secureToken');
        }
      });

      it('there is no state field on the wire (D13)', async () => {
        expect(await created(host)).not.toHaveProperty('state');
      });

      it('a customer needs a join claim for this appointment (D43)', async () => {
        const { id } = await created(host);
        const get = async (as: Person) => (await host.call('GET', `${base}/${id}`, { as })).status;
        expect(await get(joining(id))).toBe(200);
        expect(await get(joining(unknownId))).toBe(403);
        expect(await get(people.customer)).toBe(403);
      });

      it('ROLE_CUSTOMER may have manage-link claims, and sees only their own participant then (D42)', async () => {
        const { id, participants } = await created(host, { customers: [customer, { username: 'charles' }] });
        const [first] = participants;
        const { status, body } = await host.call('GET', `${base}/${id}`, { as: managing(id, first.id) });
        expect(status).toBe(200);
        expect(body.participants).toEqual([first]);
        const stale = await host.call('GET', `${base}/${id}`, { as: managing(unknownId, first.id) });
        expect([stale.status, stale.body.code]).toEqual([403, 'stale_ticket']);
      });

      it('a wrong join claim is refused without a look-up', async () => {
        const { id } = await created(host);
        host.store.statements();
        await host.call('GET', `${base}/${id}`, { as: joining(unknownId) });
        // Refusals of before are written together, a while later.
        const own = host.store.statements().filter((each) => !each.startsWith('audit.recordRefusals'));
        expect(own).toEqual([]);
      });

      it('HEAD is answered like GET, without a body', async () => {
        const { id } = await created(host);
        const head = await host.call('HEAD', `${base}/${id}`, { as: agent });
        const get = await host.call('GET', `${base}/${id}`, { as: agent });
        expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', '"1"']);
        expect(head.headers['content-length']).toBe(get.headers['content-length']);
      });

      it('another agent’s appointment is 403 not_assigned (D23)', async () => {
        const { id } = await created(host);
        const { status, body } = await host.call('GET', `${base}/${id}`, { as: otherAgent });
        expect([status, body.code]).toEqual([403, 'not_assigned']);
      });
    });

    describe('activate (rule 4)', () => {
      it('activate activates and answers access details; a second call answers the same and creates nothing', async () => {
        const { id } = await created(host);
        const first = await host.call('POST', `${base}/activate/${id}`, { as: agent });
        const second = await host.call('POST', `${base}/activate/${id}`, { as: supervisor });
        expect(first.body.secureToken).toEqual(expect.any(String));
        expect(second.body).toEqual(first.body);
        expect(eventsOf(id)).toEqual(['APCreatedEvent', 'APActivatedEvent']);
      });

      it('activate is 404 when the appointment is unknown; 400 invalid_state when it is cancelled (D18)', async () => {
        expect((await host.call('POST', `${base}/activate/${unknownId}`, { as: agent })).status).toBe(404);
        const { id } = await created(host);
        await host.call('PUT', `${base}/${id}/cancel`, { as: agent });
        const { status, body } = await host.call('POST', `${base}/activate/${id}`, { as: agent });
        expect([status, body.code]).toEqual([400, 'invalid_state']);
      });
    });

    describe('update (rule 3)', () => {
      it('update changes what is sent, keeps what is absent and clears what is empty', async () => {
        const { id, participants } = await created(host, { title: 'Old', notes: 'Keep', metadata: { a: 1 } });
        const { body, headers } = await host.call('PUT', `${base}/`, {
          as: agent,
          json: {
            id,
            title: 'New',
            metadata: {},
            notificationHeaders: { 'X-Campaign': 'autumn' },
            customer: { id: participants[0].id, name: { firstName: 'Augusta' } },
          },
        });
        expect(body).toMatchObject({
          title: 'New',
          notes: 'Keep',
          metadata: {},
          notificationHeaders: '{"X-Campaign":"autumn"}',
        });
        expect(headers['etag']).toBe('"2"');
        const cleared = await host.call('PUT', `${base}/`, { as: agent, json: { id, title: '', notes: null } });
        expect(cleared.body).toMatchObject({ title: '', notes: '', metadata: {} });
      });

      it('a customer id that is not a participant is 400 (D2)', async () => {
        const { id } = await created(host);
        const json = { id, customer: { id: 'nobody', username: 'x' } };
        const { status, body } = await host.call('PUT', `${base}/`, { as: agent, json });
        expect([status, body.errors[0].pointer]).toEqual([400, '/customer/id']);
      });
    });

    describe('reassign (rule 6)', () => {
      it('reassign replaces the organizer and the AGENT participants', async () => {
        const { id } = await created(host, { targetAssignment: { id: 'agent-1', type: 'AGENT' } });
        const { status, body } = await host.call('PUT', `${base}/reassign/`, {
          as: supervisor,
          json: { id, userId: 'agent-2' },
        });
        expect(status).toBe(200);
        expect(body.organizer).toEqual({ id: 'agent-2', type: 'AGENT' });
        expect(body.targetAssignment).toEqual({ id: 'agent-2', type: 'AGENT' });
        expect(body.participants.filter((each: { type: string }) => each.type === 'AGENT')).toEqual([
          { id: 'agent-2', type: 'AGENT' },
        ]);
      });

      it('reassigning to the agent already assigned changes nothing', async () => {
        const { id } = await created(host);
        const again = await host.call('PUT', `${base}/reassign`, { as: supervisor, json: { id, userId: 'agent-1' } });
        expect([again.status, again.headers['etag']]).toEqual([200, '"1"']);
        expect(eventsOf(id)).toEqual(['APCreatedEvent']);
      });

      it('reassign is 400 when the agent id is invalid; 404 when appointment or agent is unknown', async () => {
        const { id } = await created(host);
        const reassign = async (json: object) => {
          const { status, body } = await host.call('PUT', `${base}/reassign/`, { as: supervisor, json });
          return [status, body.code];
        };
        expect(await reassign({ id })).toEqual([400, 'validation_failed']);
        for (const userId of ['', 'a b\u2028', 'a\u0000', 'x'.repeat(129), '\ud800']) {
          expect(await reassign({ id, userId })).toEqual([400, 'invalid_agent']);
        }
        expect(await reassign({ id, userId: 'agent-77' })).toEqual([404, 'not_found']);
        expect(await reassign({ id: unknownId, userId: 'agent-2' })).toEqual([404, 'not_found']);
      });

      it('agents may reassign when the application setting agentReassignmentEnabled is on', async () => {
        const closed = await created(host);
        const open = await created(host, { applicationId: 'app-open' });
        const reassign = async (id: string) =>
          (await host.call('PUT', `${base}/reassign/`, { as: agent, json: { id, userId: 'agent-2' } })).status;
        expect([await reassign(closed.id), await reassign(open.id)]).toEqual([403, 200]);
      });
    });

    describe('reschedule (rule 7)', () => {
      const to = { start: '2030-01-03T12:00:00Z', duration: 'PT1H', timezone: 'UTC', locale: 'el' };

      it('reschedule changes start, duration, timezone and locale; the access URL stays, access details follow', async () => {
        const { id } = await created(host);
        const before = (await host.call('POST', `${base}/activate/${id}`, { as: agent })).body;
        const { body } = await host.call('PUT', `${base}/reschedule/`, { as: agent, json: { id, ...to } });
        expect(body).toMatchObject({
          start: '2030-01-03T12:00:00Z',
          end: '2030-01-03T13:00:00Z',
          duration: 'PT1H (1 hour)',
          timezone: 'UTC',
          locale: 'el',
        });
        expect(body.secureToken).not.toBe(before.secureToken);
        const room = async () => (await host.call('POST', `/api/appointments/activate/${id}`, { as: agent })).body;
        expect(await room()).toEqual({ expires: '2030-01-03T14:00:00Z', url: expect.stringMatching(/^https:/) });
      });

      it('an identical schedule is 200 with nothing written (D20)', async () => {
        const { id, start: at, duration, timezone } = await created(host);
        const json = { id, start: at, duration, timezone };
        const { status, headers } = await host.call('PUT', `${base}/reschedule/`, { as: agent, json });
        expect([status, headers['etag']]).toEqual([200, '"1"']);
      });

      it('reschedule is 400 for a missing field or invalid schedule', async () => {
        const { id } = await created(host);
        const reschedule = async (json: object) => {
          const { status, body } = await host.call('PUT', `${base}/reschedule/`, { as: agent, json });
          return [status, body.code];
        };
        expect(await reschedule({ id, ...to, start: undefined })).toEqual([400, 'validation_failed']);
        expect(await reschedule({ id, ...to, start: '2029-12-31T00:00:00Z' })).toEqual([400, 'invalid_schedule']);
        expect(await reschedule({ id, ...to, duration: 'PT25H' })).toEqual([400, 'invalid_schedule']);
      });

      it('customers may reschedule, with manage-ticket proof', async () => {
        const { id, participants } = await created(host);
        const reschedule = async (as: Person) =>
          (await host.call('PUT', `${base}/reschedule/`, { as, json: { id, ...to } })).status;
        expect(await reschedule(joining(id))).toBe(403);
        expect(await reschedule(managing(unknownId, participants[0].id))).toBe(403);
        expect(await reschedule(managing(id, participants[0].id))).toBe(200);
      });
    });

    describe('cancel (rule 10) and delete (rule 8)', () => {
      it('PUT cancel keeps the record and emits APCancelledEvent only; 204', async () => {
        const { id } = await created(host);
        expect((await host.call('PUT', `${base}/${id}/cancel`, { as: agent })).status).toBe(204);
        expect((await host.call('PUT', `${base}/${id}/cancel`, { as: agent })).status).toBe(204);
        expect(eventsOf(id)).toEqual(['APCreatedEvent', 'APCancelledEvent']);
      });

      it('DELETE keeps the record and emits APDeletedEvent only; a repeated call is a no-op; 204', async () => {
        const { id } = await created(host);
        await host.call('POST', `${base}/activate/${id}`, { as: agent });
        expect((await host.call('DELETE', `${base}/${id}`, { as: agent })).status).toBe(204);
        expect((await host.call('DELETE', `${base}/${id}`, { as: agent })).status).toBe(204);
        expect(eventsOf(id)).toEqual(['APCreatedEvent', 'APActivatedEvent', 'APDeletedEvent']);
        expect((await host.call('GET', `${base}/${id}`, { as: agent })).body).toMatchObject({
          cancelledBy: 'agent-1',
          cancellationReason: null,
        });
      });

      it('COMPLETED is 409 invalid_state for both (D16)', async () => {
        const { id } = await created(host);
        const caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;
        await host.scheduling.appointments.moveInteraction(caller, { id, to: 'IN_PROGRESS' });
        await host.scheduling.appointments.moveInteraction(caller, { id, to: 'COMPLETED' });
        for (const [method, path] of [
          ['PUT', `${base}/${id}/cancel`],
          ['DELETE', `${base}/${id}`],
        ] as const) {
          const { status, body } = await host.call(method, path, { as: agent });
          expect([status, body.code]).toEqual([409, 'invalid_state']);
        }
      });

      it('customers use cancel too, with the claims for this appointment', async () => {
        const { id, participants } = await created(host);
        const cancel = async (as: Person) => (await host.call('PUT', `${base}/${id}/cancel`, { as })).status;
        expect(await cancel(people.customer)).toBe(403);
        expect(await cancel(managing(unknownId, participants[0].id))).toBe(403);
        expect(await cancel(managing(id, participants[0].id))).toBe(204);
      });

      it('the body is optional; a reason over 1000 characters is 400 (D2)', async () => {
        const { id } = await created(host);
        const json = { cancelReason: 'x'.repeat(1001) };
        expect((await host.call('PUT', `${base}/${id}/cancel`, { as: agent, json })).status).toBe(400);
        expect((await host.call('PUT', `${base}/${id}/cancel`, { as: agent, json: {} })).status).toBe(204);
      });
    });

    describe('eligible (rule 12)', () => {
      it('items are appointments that are not activated, without access details', async () => {
        const waiting = await created(host, { applicationId: 'app-open' });
        const active = await created(host, { applicationId: 'app-open' });
        await host.call('POST', `${base}/activate/${active.id}`, { as: agent });
        const { body } = await host.call('GET', `${base}/eligible?timeFrame=PT1H`, { as: service });
        const ids = body.map((each: { id: string }) => each.id);
        expect(ids).toContain(waiting.id);
        expect(ids).not.toContain(active.id);
        expect(body.every((each: object) => !('secureToken' in each))).toBe(true);
      });

      it('a timeFrame that is no duration is 400 (D24)', async () => {
        const { status, body } = await host.call('GET', `${base}/eligible?timeFrame=1h`, { as: service });
        expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'timeFrame' })]]);
      });
    });
  });
}
