import { operationById, operations } from '@calends/http-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consultation, mornings, openService, startAvailableHost } from '../support/availability.js';
import { type Host, type OpenStore, type Person, people } from '../support/host.js';
import { created, creation, creationV1, joining, managing } from '../support/requests.js';

/**
 * Who may do what, written by hand from the documents (appointment document: Authentication, rule 2; notification
 * document: Authentication; D28), and kept apart from the catalogue that it is compared with.
 *
 * A agent, S supervisor, C client service, K customer (with the proof that the operation asks for), M admin.
 * The application has `agentReassignmentEnabled` on.
 */
const policy: Readonly<Record<string, string>> = {
  'GET /api/v2/appointments/': 'ASC',
  'POST /api/v2/appointments/': 'AC',
  'PUT /api/v2/appointments/': 'ASC',
  'POST /api/v2/appointments/activate/{id}': 'ASC',
  'PUT /api/v2/appointments/reassign/': 'AS',
  'PUT /api/v2/appointments/reschedule/': 'ASCK',
  'DELETE /api/v2/appointments/{id}': 'ASC',
  'GET /api/v2/appointments/{id}': 'ASCK',
  'PUT /api/v2/appointments/{id}/cancel': 'ASCK',
  'GET /api/v2/appointments/count': 'ASCKM',
  'GET /api/v2/appointments/count/overlapping': 'ASCKM',
  'GET /api/v2/appointments/eligible': 'C',
  'GET /api/appointments/': 'ASC',
  'POST /api/appointments/': 'AC',
  'PUT /api/appointments/': 'ASC',
  'POST /api/appointments/activate/{id}': 'ASC',
  'PUT /api/appointments/reassign/': 'S',
  'PUT /api/appointments/reschedule/': 'ASC',
  'DELETE /api/appointments/{id}': 'ASC',
  'GET /api/appointments/{id}': 'ASCK',
  'GET /api/appointments/count': 'ASCKM',
  'GET /api/appointments/eligible': 'C',
  'GET /api/notifications/': 'AS',
  'GET /api/notifications/events': 'AS',
  'GET /api/notifications/applications/{id}/poll': 'M',
  'GET /api/notifications/webhooks/types': 'M',
  'PUT /api/notifications/{id}/retry': 'AS',
  'GET /api/notifications/webhooks/endpoints': 'M',
  'GET /api/notifications/webhooks/endpoints/{id}': 'M',
  'PUT /api/notifications/webhooks/endpoints/{id}/enable': 'M',
  'PUT /api/notifications/webhooks/endpoints/{id}/disable': 'M',
  'POST /api/notifications/webhooks/endpoints/{id}/test': 'M',
  'POST /api/notifications/webhooks/endpoints/{id}/replay': 'M',
  'GET /api/v2/availability': 'ASCK',
  'GET /api/v2/availability/explain': 'ASCK',
  'POST /api/v2/holds': 'ASCK',
  'DELETE /api/v2/holds/{id}': 'ASCK',
  'GET /api/v2/services': 'ASC',
  'GET /api/v2/services/{id}': 'ASC',
  'PUT /api/v2/services/{id}': 'S',
  'DELETE /api/v2/services/{id}': 'S',
  'GET /api/v2/hours': 'ASC',
  'GET /api/v2/hours/{actorId}': 'ASC',
  'PUT /api/v2/hours/{actorId}': 'S',
  'DELETE /api/v2/hours/{actorId}': 'S',
  'GET /api/v2/hours/{actorId}/exceptions': 'ASC',
  'PUT /api/v2/hours/{actorId}/exceptions/{date}': 'S',
  'DELETE /api/v2/hours/{actorId}/exceptions/{date}': 'S',
};

/** Basic credentials and no role at all (rule 2: "no bearer token"). */
const withoutBearer = ['POST /api/v2/appointments/basic', 'POST /api/appointments/basic'];

const callers = {
  A: people.agent,
  S: people.supervisor,
  C: people.service,
  K: people.customer,
  M: people.admin,
} as const satisfies Record<string, Person>;
const withoutRole: Person = { sub: 'x', roles: [], organizationId: 'org-1' };
type Letter = keyof typeof callers;
const letters = Object.keys(callers) as Letter[];

/** Every operation × every role, on any store. */
export function roleMatrixSuite(name: string, open: OpenStore): void {
  describe(`who may do what on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startAvailableHost({ open, http: { countOverlapping: true, webhookEndpoints: true } });
      await openService(host, 'consultation', { applicationId: 'app-open' });
      await created(host, { applicationId: 'app-open' });
    });
    afterAll(() => host.close());

    const asked = operations.filter(({ authentication }) => authentication !== 'none');
    const rows = asked.map(({ id, method, path }) => ({ id, row: `${method} ${path}`, method, path }));

    it('every operation of the catalogue has a row in the policy, and every row an operation', () => {
      expect(rows.map(({ row }) => row).sort()).toEqual([...Object.keys(policy), ...withoutBearer].sort());
    });

    const cells = rows
      .filter(({ row }) => row in policy)
      .flatMap((row) => letters.map((letter) => ({ ...row, letter, allowed: policy[row.row]!.includes(letter) })));

    it.each(cells)('$row as $letter: $allowed', async ({ method, path, letter, allowed }) => {
      const { status, body } = await attempt(host, method, path, letter);
      if (allowed)
        expect([200, 204], JSON.stringify(body)).toContain(status === 404 && namesNothing(path) ? 200 : status);
      // A manage link is refused in the same words wherever it is replayed (D42).
      else expect([status, body.code]).toEqual([403, letter === 'K' && isManaged(path) ? 'stale_ticket' : 'forbidden']);
    });

    const conditional = cells.filter(({ id }) => operationById[id].acceptsIfNoneMatch);
    it.each(conditional)('$row as $letter who has it already (304): $allowed', async ({ path, letter, allowed }) => {
      const { status, headers } = await attempt(host, 'GET', path, letter, { 'if-none-match': '*' });
      const told = namesNothing(path) ? [404, false] : [304, true];
      expect([status, 'etag' in headers]).toEqual(allowed ? told : [403, false]);
    });

    it.each(rows)('$row without credentials, with a token without roles, and with another scheme', async (row) => {
      const path = row.path.replaceAll(/\{\w+\}/g, 'some-id');
      const none = await host.call(row.method, path);
      expect([none.status, none.body.code]).toEqual([401, 'unauthenticated']);
      const expected = withoutBearer.includes(row.row) ? 'Basic' : 'Bearer';
      expect(none.headers['www-authenticate']).toMatch(new RegExp(`^${expected} `));
      const powerless = await host.call(row.method, path, { as: withoutRole });
      // What every role may do a token without one may do as well, and is told what is missing (D28).
      const isForAll = policy[row.row]?.length === letters.length;
      expect(powerless.status).toBe(withoutBearer.includes(row.row) ? 401 : isForAll ? 400 : 403);
      const basic = { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
      const other = await host.call(row.method, path, withoutBearer.includes(row.row) ? {} : { headers: basic });
      expect(other.status).toBe(401);
    });

    it.each<[readonly unknown[]]>([[[]], [['ROLE_FOO']]])(
      'a token of no known role counts in its organization (D28): %j',
      async (roles) => {
        const as = { ...withoutRole, roles: roles as Person['roles'] };
        const window = 'start=2030-01-01T00:00:00Z&timeFrame=P1D';
        for (const path of ['/api/v2/appointments/count', '/api/appointments/count']) {
          const asked = `${path}?applicationId=app-open&organizationId=`;
          expect((await host.call('GET', `${asked}org-1&${window}`, { as })).status).toBe(200);
          expect((await host.call('GET', `${asked}org-2&${window}`, { as })).status).toBe(403);
        }
      },
    );

    it('a caller with several roles gets the widest (D34)', async () => {
      const as = { ...people.customer, roles: ['ROLE_CUSTOMER', 'ROLE_SUPERVISOR'] } as const;
      const { id } = await created(host);
      expect((await host.call('GET', `/api/v2/appointments/${id}`, { as })).status).toBe(200);
    });
  });
}

/** What customers do with a manage link rather than a join claim. */
function isManaged(path: string): boolean {
  return /reschedule|cancel|v2\/availability|v2\/holds/.test(path);
}

/** The id of an appointment is none of a notification, of an endpoint, of a hold or of a service; nor has it a service. */
function namesNothing(path: string): boolean {
  return (
    path.endsWith('/retry') || path.includes('/endpoints/') || /v2\/(?:availability|holds|services|hours)/.test(path)
  );
}

/** Sends a request that succeeds for anyone who may send it, for an appointment made for the purpose. */
async function attempt(host: Host, method: string, path: string, letter: Letter, headers = {}) {
  const { id, start, duration, timezone, participants } = await created(host, { applicationId: 'app-open' });
  const route = path.replace(/^\/api\/(v2\/)?/, '');
  const v2 = path.startsWith('/api/v2/');
  const proof = isManaged(path) ? managing(id, participants[0].id) : joining(id);
  const question = {
    applicationId: 'app-open',
    serviceId: 'consultation',
    ...(letter === 'K' ? { appointmentId: id } : {}),
  };
  const free = `2030-01-${String(14 + letters.indexOf(letter))}T08:00:00Z`;
  const window = 'organizationId=org-1&start=2030-01-01T00:00:00Z&timeFrame=P1D';
  const bodies: Readonly<Record<string, object>> = {
    'POST appointments/': v2 ? creation({ applicationId: 'app-open' }) : creationV1({ applicationId: 'app-open' }),
    'PUT appointments/': { id, title: 'x' },
    'PUT appointments/reassign/': { id, userId: 'agent-2' },
    'PUT appointments/reschedule/': { id, start, duration, timezone },
    'POST holds': { ...question, start: free, duration },
    'PUT services/{id}': consultation,
    'PUT hours/{actorId}': mornings,
    'PUT hours/{actorId}/exceptions/{date}': { open: [] },
  };
  const query = route.includes('count') ? `?applicationId=app-open&${window}` : '?applicationId=app-open';
  const json = bodies[`${method} ${route}`];
  const endpointQuery = route.endsWith('/replay') ? `${query}&since=2030-01-01T00:00:00Z` : query;
  const asked = {
    ...question,
    ...(route.endsWith('/explain')
      ? { start: free, duration }
      : { from: '2030-01-14T00:00:00Z', to: '2030-01-15T00:00:00Z' }),
  };
  const takesQuery = method === 'GET' || /endpoints\/|services\//.test(route);
  return host.call(
    method,
    path.replace('{id}', id).replace('{actorId}', 'agent-1').replace('{date}', '2030-05-01') +
      (route.startsWith('availability')
        ? `?${new URLSearchParams(asked).toString()}`
        : takesQuery
          ? endpointQuery
          : ''),
    {
      as: letter === 'K' ? proof : callers[letter],
      headers,
      ...(json === undefined ? {} : { json }),
    },
  );
}
