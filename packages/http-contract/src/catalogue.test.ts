import { describe, expect, it } from 'vitest';
import { documentedOperations, type Operation, operationById, operations } from './catalogue.js';

/*
 * Tables written by hand from the documents, kept apart from the catalogue that they are compared with.
 * Roles: A agent, S supervisor, C client service, U customer, M administrator; a word after `:` is a condition.
 */
const FULL = '200 400 401 403 404 500';
const CREATE = '200 400 401 403 500';
const REMOVE = '204 401 403 404 500';
const SHOW = '200 401 403 500';

type Row = readonly [
  method: string,
  path: string,
  roles: string,
  statuses: string,
  additive: string,
  deprecated?: 'deprecated',
];

const V2: Readonly<Record<string, Row>> = {
  listAppointments: ['GET', '/api/v2/appointments/', 'A S C', FULL, '429 503'],
  createAppointment: ['POST', '/api/v2/appointments/', 'A C', CREATE, '404 409 413 415 422 429 503'],
  updateAppointment: ['PUT', '/api/v2/appointments/', 'A S C', FULL, '409 412 413 415 422 429 503'],
  activateAppointment: ['POST', '/api/v2/appointments/activate/{id}', 'A S C', FULL, '409 412 422 429 503'],
  createAppointmentAsCustomer: ['POST', '/api/v2/appointments/basic', '', CREATE, '404 409 413 415 422 429 503'],
  reassignAppointment: [
    'PUT',
    '/api/v2/appointments/reassign/',
    'A:agentReassignmentEnabled S',
    FULL,
    '409 412 413 415 422 429 503',
  ],
  rescheduleAppointment: [
    'PUT',
    '/api/v2/appointments/reschedule/',
    'A S C U:manageProof',
    FULL,
    '409 412 413 415 422 429 503',
  ],
  deleteAppointment: ['DELETE', '/api/v2/appointments/{id}', 'A S C', REMOVE, '400 409 412 422 429 503', 'deprecated'],
  getAppointment: ['GET', '/api/v2/appointments/{id}', 'A S C U:joinOrManageProof', FULL, '304 429 503'],
  cancelAppointment: [
    'PUT',
    '/api/v2/appointments/{id}/cancel',
    'A S C U:manageProofWhenClaimed',
    REMOVE,
    '400 409 412 413 415 422 429 503',
  ],
  countAppointments: ['GET', '/api/v2/appointments/count', 'A S C U:noManageClaims M', CREATE, '429 503'],
  listEligibleAppointments: ['GET', '/api/v2/appointments/eligible', 'C', CREATE, '429 503', 'deprecated'],
};

const V1: Readonly<Record<string, Row>> = {
  listAppointmentsV1: ['GET', '/api/appointments/', 'A S C', FULL, '429 503'],
  createAppointmentV1: ['POST', '/api/appointments/', 'A C', CREATE, '409 413 415 422 429 503'],
  updateAppointmentV1: ['PUT', '/api/appointments/', 'A S C', FULL, '409 412 413 415 422 429 503'],
  activateAppointmentV1: ['POST', '/api/appointments/activate/{id}', 'A S C', FULL, '409 412 422 429 503'],
  createAppointmentAsCustomerV1: ['POST', '/api/appointments/basic', '', CREATE, '409 413 415 422 429 503'],
  reassignAppointmentV1: ['PUT', '/api/appointments/reassign/', 'S', FULL, '409 412 413 415 422 429 503'],
  rescheduleAppointmentV1: ['PUT', '/api/appointments/reschedule/', 'A S C', FULL, '409 412 413 415 422 429 503'],
  deleteAppointmentV1: ['DELETE', '/api/appointments/{id}', 'A S C', REMOVE, '400 409 412 422 429 503'],
  getAppointmentV1: ['GET', '/api/appointments/{id}', 'A S C U:joinProof', FULL, '304 429 503'],
  countAppointmentsV1: ['GET', '/api/appointments/count', 'A S C U:noManageClaims M', CREATE, '429 503'],
  listEligibleAppointmentsV1: ['GET', '/api/appointments/eligible', 'C', CREATE, '429 503', 'deprecated'],
};

const NOTIFICATIONS: Readonly<Record<string, Row>> = {
  listNotifications: ['GET', '/api/notifications/', 'A S', SHOW, '400 429 503'],
  listNotificationEvents: ['GET', '/api/notifications/events', 'A S', SHOW, '400 429 503'],
  getPollProperties: ['GET', '/api/notifications/applications/{id}/poll', 'M', SHOW, '404 429 503'],
  listWebhookTypes: ['GET', '/api/notifications/webhooks/types', 'M', SHOW, '429 503'],
  retryNotification: ['PUT', '/api/notifications/{id}/retry', 'A S', FULL, '409 422 429 503'],
};

/** Beyond the document (D78). */
const ENDPOINTS: Readonly<Record<string, Row>> = {
  listWebhookEndpoints: ['GET', '/api/notifications/webhooks/endpoints', 'M', '200 400 401 403 500', '429 503'],
  getWebhookEndpoint: ['GET', '/api/notifications/webhooks/endpoints/{id}', 'M', FULL, '429 503'],
  enableWebhookEndpoint: ['PUT', '/api/notifications/webhooks/endpoints/{id}/enable', 'M', FULL, '409 422 429 503'],
  disableWebhookEndpoint: ['PUT', '/api/notifications/webhooks/endpoints/{id}/disable', 'M', FULL, '409 422 429 503'],
  testWebhookEndpoint: ['POST', '/api/notifications/webhooks/endpoints/{id}/test', 'M', FULL, '409 422 429 503'],
  replayWebhookEndpoint: ['POST', '/api/notifications/webhooks/endpoints/{id}/replay', 'M', FULL, '409 422 429 503'],
};

const WRITE = '400 409 412 422 429 503';
const SAVE = '400 409 412 413 415 422 429 503';
const SAVED = '200 401 403 404 500';
const GONE = '204 401 403 404 500';

/** Beyond the document. */
const AVAILABILITY: Readonly<Record<string, Row>> = {
  findTimes: ['GET', '/api/v2/availability', 'A S C U:manageLink', FULL, '429 503'],
  explainTime: ['GET', '/api/v2/availability/explain', 'A S C U:manageLink', FULL, '429 503'],
  holdTime: ['POST', '/api/v2/holds', 'A S C U:manageLink', FULL, '409 413 415 422 429 503'],
  releaseHold: ['DELETE', '/api/v2/holds/{id}', 'A S C U:manageLink', GONE, '400 429 503'],
  listServices: ['GET', '/api/v2/services', 'A S C', FULL, '429 503'],
  getService: ['GET', '/api/v2/services/{id}', 'A S C', FULL, '304 429 503'],
  saveService: ['PUT', '/api/v2/services/{id}', 'S', SAVED, SAVE],
  archiveService: ['DELETE', '/api/v2/services/{id}', 'S', GONE, WRITE],
  listHours: ['GET', '/api/v2/hours', 'A S C', FULL, '429 503'],
  getHours: ['GET', '/api/v2/hours/{actorId}', 'A S C', FULL, '429 503'],
  saveHours: ['PUT', '/api/v2/hours/{actorId}', 'S', SAVED, SAVE],
  removeHours: ['DELETE', '/api/v2/hours/{actorId}', 'S', GONE, WRITE],
  listExceptions: ['GET', '/api/v2/hours/{actorId}/exceptions', 'A S C', FULL, '429 503'],
  saveException: ['PUT', '/api/v2/hours/{actorId}/exceptions/{date}', 'S', SAVED, SAVE],
  removeException: ['DELETE', '/api/v2/hours/{actorId}/exceptions/{date}', 'S', GONE, WRITE],
};

const LETTERS: Readonly<Record<string, string>> = {
  ROLE_AGENT: 'A',
  ROLE_SUPERVISOR: 'S',
  ROLE_CLIENT_SERVICE: 'C',
  ROLE_CUSTOMER: 'U',
  ROLE_ADMIN: 'M',
};
const ORDER = 'ASCUM';

function rowOf(operation: Operation): Row {
  const roles = operation.roles
    .map(({ role, when }) => `${LETTERS[role]!}${when === undefined ? '' : `:${when}`}`)
    .sort((left, right) => ORDER.indexOf(left[0]!) - ORDER.indexOf(right[0]!));
  const { method, path, statuses, additiveStatuses, deprecated } = operation;
  const row = [method, path, roles.join(' '), statuses.join(' '), additiveStatuses.join(' ')] as const;
  return deprecated ? [...row, 'deprecated'] : row;
}

function namesWhere(condition: (operation: Operation) => boolean): readonly string[] {
  return documentedOperations.filter(condition).map(({ id }) => id);
}

const bothFamilies = (...names: readonly string[]) => [...names, ...names.map((name) => `${name}V1`)].sort();

describe('The operation catalogue', () => {
  it('the operation catalogue has 28 operations: 12 of v2, 11 of v1 (no cancel), 5 of notifications', () => {
    expect(documentedOperations).toHaveLength(28);
    expect(documentedOperations.filter(({ family }) => family === 'v2').map(({ id }) => id)).toEqual(Object.keys(V2));
    expect(documentedOperations.filter(({ family }) => family === 'v1').map(({ id }) => id)).toEqual(Object.keys(V1));
    expect(documentedOperations.filter(({ family }) => family === 'notifications').map(({ id }) => id)).toEqual(
      Object.keys(NOTIFICATIONS),
    );
  });

  it.each(Object.entries({ ...V2, ...V1, ...NOTIFICATIONS, ...ENDPOINTS, ...AVAILABILITY }))(
    '%s has the method, path, roles, statuses and deprecated mark of the document: %s',
    (id, row) => {
      expect(rowOf(operationById[id as keyof typeof operationById])).toEqual(row);
    },
  );

  it('what the documents do not have is optional and mounted only when the host turns it on (D29, D44, D45, D78)', () => {
    const optional = operations.flatMap((operation) => (operation.optional === undefined ? [] : [operation.id]));
    expect(optional).toEqual([
      'countOverlappingAppointments',
      ...Object.keys(ENDPOINTS),
      'requestOneTimePassword',
      'beginCustomerSession',
      'getCalendarFeed',
      ...Object.keys(AVAILABILITY),
    ]);
    expect(rowOf(operationById.countOverlappingAppointments)).toEqual([
      'GET',
      '/api/v2/appointments/count/overlapping',
      ...V2['countAppointments']!.slice(2),
    ]);
  });

  it('the operation catalogue keeps each operation under its own id, and no method and path twice', () => {
    for (const [id, operation] of Object.entries(operationById)) expect(operation.id).toBe(id);
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('customer-create takes a one-time password, count a token unless the host made it public (D28), all else a token', () => {
    const oneTime = namesWhere(({ authentication }) => authentication === 'one-time-password');
    const count = namesWhere(({ authentication }) => authentication === 'bearer-unless-public');
    expect([...oneTime].sort()).toEqual(bothFamilies('createAppointmentAsCustomer'));
    expect([...count].sort()).toEqual(bothFamilies('countAppointments'));
  });

  it('Idempotency-Key is accepted on every operation that writes (decisions, Across all; D74)', () => {
    const found = namesWhere(({ acceptsIdempotencyKey }) => acceptsIdempotencyKey);
    const writing = ['createAppointment', 'createAppointmentAsCustomer', 'activateAppointment', 'updateAppointment'];
    const others = ['reassignAppointment', 'rescheduleAppointment', 'deleteAppointment'];
    const all = [...bothFamilies(...writing, ...others), 'cancelAppointment', 'retryNotification'];
    expect([...found].sort()).toEqual(all.sort());
  });

  it('If-Match is accepted on every change of one existing appointment (decisions, Across all)', () => {
    const found = namesWhere(({ acceptsIfMatch }) => acceptsIfMatch);
    const changes = ['updateAppointment', 'activateAppointment', 'reassignAppointment', 'rescheduleAppointment'];
    expect([...found].sort()).toEqual([...bothFamilies(...changes, 'deleteAppointment'), 'cancelAppointment'].sort());
  });

  it('If-None-Match is accepted where one record is read whose version, or whose tag, tells all that is shown', () => {
    const found = operations.filter(({ acceptsIfNoneMatch }) => acceptsIfNoneMatch);
    expect(found.map(({ id }) => id)).toEqual(['getAppointment', 'getAppointmentV1', 'getCalendarFeed', 'getService']);
    for (const { method, answersETag } of found) expect([method, answersETag]).toEqual(['GET', true]);
  });

  it('an ETag is answered with every single appointment; v1 activation answers access details (decisions, Across all)', () => {
    const found = namesWhere(({ answersETag }) => answersETag);
    const expected = documentedOperations
      .filter(({ success }) => {
        const schema: unknown = success.schema;
        return (
          schema === operationById.getAppointment.success.schema ||
          schema === operationById.getAppointmentV1.success.schema
        );
      })
      .map(({ id }) => id);
    expect(found).toEqual(expected);
    expect(found).not.toContain('activateAppointmentV1');
    expect(found).toHaveLength(13);
  });

  it('only delete and cancel answer 204, without a body', () => {
    expect(namesWhere(({ success }) => success.status === 204)).toEqual([
      'deleteAppointment',
      'cancelAppointment',
      'deleteAppointmentV1',
    ]);
    for (const { success } of operations) {
      expect(success.schema === undefined && success.mediaType === undefined).toBe(success.status === 204);
    }
  });

  it('a body is required by every operation that takes one, except cancel (D2)', () => {
    expect(namesWhere(({ body, bodyRequired }) => body !== undefined && !bodyRequired)).toEqual(['cancelAppointment']);
    expect(namesWhere(({ body, bodyRequired }) => body === undefined && bodyRequired)).toEqual([]);
  });

  it('only what proves its caller by a secret in the request asks for no credentials', () => {
    const open = operations.filter(({ authentication }) => authentication === 'none').map(({ id }) => id);
    expect(open).toEqual(['requestOneTimePassword', 'beginCustomerSession', 'getCalendarFeed']);
  });

  it.each([
    ['nothing', 0, ''],
    ['a proof', 2_048, 'requestOneTimePassword beginCustomerSession'],
    [
      'a few fields',
      16_384,
      'reassignAppointment rescheduleAppointment cancelAppointment reassignAppointmentV1 rescheduleAppointmentV1 holdTime',
    ],
    ['a booking', 65_536, 'createAppointmentAsCustomer createAppointmentAsCustomerV1'],
    ['a set of rules', 131_072, 'saveService saveHours saveException'],
    ['an appointment', 262_144, 'createAppointment updateAppointment createAppointmentV1 updateAppointmentV1'],
  ])('a body that is %s has at most %i bytes (D8, D66): %s', (_, bytes, names) => {
    const found = operations.filter(({ body, bodyLimit }) => body !== undefined && bodyLimit === bytes);
    expect(found.map(({ id }) => id).join(' ')).toBe(names);
  });

  it('an operation has a limit for its body exactly where it takes one (D66)', () => {
    for (const { body, bodyLimit } of operations) expect(bodyLimit === 0).toBe(body === undefined);
  });

  it('without a token, what proves its caller is limited as a proof, and the rest as what anybody may send (D66)', () => {
    for (const { authentication, limiterClass, method, success } of operations) {
      const isOpen = authentication === 'none' || authentication === 'one-time-password';
      const classes = isOpen ? ['proof', 'unauthenticated'] : [method === 'GET' ? 'read' : 'write'];
      expect(classes).toContain(limiterClass);
      if (isOpen) expect(limiterClass === 'proof').toBe(method !== 'GET' && success.mediaType === undefined);
    }
  });

  it('every operation declares exactly the path parameters that its path has', () => {
    for (const { path, pathParameters } of operations) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(pathParameters.map(({ name }) => name)).toEqual(names);
    }
  });

  it('v1 knows nothing of services: neither its requests nor its answers name them', () => {
    const shapes = operations
      .filter(({ family }) => family === 'v1')
      .flatMap(({ body, success }) => [body, success.schema])
      .flatMap((schema) => (schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : []));
    expect(shapes).toContain('start');
    expect(shapes.filter((name) => /service|hold|rules/i.test(name))).toEqual([]);
  });

  it('v1 answers v1 shapes and v2 answers v2 shapes', () => {
    expect(operationById.createAppointment.body).not.toBe(operationById.createAppointmentV1.body);
    expect(operationById.updateAppointment.body).not.toBe(operationById.updateAppointmentV1.body);
    expect(operationById.reassignAppointment.body).toBe(operationById.reassignAppointmentV1.body);
    expect(operationById.rescheduleAppointment.body).not.toBe(operationById.rescheduleAppointmentV1.body);
    expect(Object.keys(operationById.activateAppointmentV1.success.schema.shape)).toEqual(['expires', 'url']);
  });
});
