import { describe, expect, it } from 'vitest';
import { decodeBody } from '../decode.js';
import {
  cancelAppointmentBodySchema,
  reassignAppointmentRequestSchema,
  rescheduleAppointmentRequestSchema,
  scheduleAppointmentRequestSchema,
  scheduleAppointmentRequestV1Schema,
  updateAppointmentRequestSchema,
  updateAppointmentRequestV1Schema,
} from './appointment-requests.js';

const customer = { contact: { primaryEmail: 'ada@example.org' } };
const schedule = {
  applicationId: 'app-1',
  start: '2030-01-01T09:00:00Z',
  duration: 'PT30M',
  timezone: 'Europe/Vienna',
};
const create = { ...schedule, customers: [customer] };
const reschedule = { id: 'a', start: schedule.start, duration: 'PT5M', timezone: 'UTC' };

/** The faults of a body as `pointer code`. */
function faults(schema: Parameters<typeof decodeBody>[0], body: unknown): readonly string[] {
  const decoded = decodeBody(schema, body);
  return decoded.ok ? [] : decoded.errors.map(({ pointer, code }) => `${pointer ?? '?'} ${code}`);
}

const createFaults = (changes: object) => faults(scheduleAppointmentRequestSchema, { ...create, ...changes });

function entries(count: number, value: unknown = 'v'): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
}

describe('Required fields (D1, D2): missing → one entry per field', () => {
  it.each([
    ['v2 create', scheduleAppointmentRequestSchema, create],
    ['v1 create', scheduleAppointmentRequestV1Schema, { ...schedule, customer }],
    ['v2 update', updateAppointmentRequestSchema, { id: 'a' }],
    ['v1 update', updateAppointmentRequestV1Schema, { id: 'a' }],
    ['reassign', reassignAppointmentRequestSchema, { id: 'a', userId: 'agent-1' }],
    ['reschedule', rescheduleAppointmentRequestSchema, reschedule],
  ])('required fields that are missing from a %s have one entry per field', (_name, schema, smallest) => {
    expect(decodeBody(schema, smallest)).toEqual({ ok: true, value: smallest });
    const required = Object.keys(smallest).map((field) => `/${field} required`);
    expect([...faults(schema, {})].sort()).toEqual([...required].sort());
    for (const field of Object.keys(smallest)) {
      expect(faults(schema, { ...smallest, [field]: undefined })).toEqual([`/${field} required`]);
      expect(faults(schema, { ...smallest, [field]: null })).toEqual([`/${field} required`]);
    }
  });

  it('cancel needs nothing in its body', () => {
    expect(decodeBody(cancelAppointmentBodySchema, {})).toEqual({ ok: true, value: {} });
    expect(decodeBody(cancelAppointmentBodySchema, { cancelReason: null }).ok).toBe(true);
  });

  it.each([
    ['an e-mail address', { contact: { primaryEmail: 'a@b' } }],
    ['a phone number', { contact: { primaryPhone: '+43 1 234' } }],
    ['a user name', { username: 'ada' }],
  ])('a customer needs %s', (_name, way) => {
    expect(createFaults({ customers: [way] })).toEqual([]);
    expect(faults(scheduleAppointmentRequestV1Schema, { ...schedule, customer: way })).toEqual([]);
  });

  it.each([
    ['nothing', {}],
    ['a name only', { name: { firstName: 'Ada' } }],
    ['empty ways', { username: '', contact: { primaryEmail: '', primaryPhone: ' ' } }],
    ['null ways', { username: null, contact: null }],
  ])('a customer with %s is refused', (_name, way) => {
    expect(createFaults({ customers: [customer, way] })).toEqual(['/customers/1 required']);
    expect(faults(scheduleAppointmentRequestV1Schema, { ...schedule, customer: way })).toEqual(['/customer required']);
  });

  it('the customer of an update is addressed: v2 by id, v1 by participantId', () => {
    const update = (addressed: object) => ({ id: 'a', customer: addressed });
    expect(faults(updateAppointmentRequestSchema, update({ id: 'p' }))).toEqual([]);
    expect(faults(updateAppointmentRequestSchema, update({ participantId: 'p' }))).toEqual(['/customer/id required']);
    expect(faults(updateAppointmentRequestV1Schema, update({ participantId: 'p' }))).toEqual([]);
    expect(faults(updateAppointmentRequestV1Schema, update({ id: 'p' }))).toEqual(['/customer/participantId required']);
  });
});

describe('Size limits (D2, D8): over → 400', () => {
  const text = (length: number) => 'x'.repeat(length);

  it.each([
    ['title', 200, (value: string) => ({ title: value }), '/title'],
    ['notes', 4000, (value: string) => ({ notes: value }), '/notes'],
    ['locale', 35, (value: string) => ({ locale: value }), '/locale'],
    [
      'deploymentId',
      1024,
      (value: string) => ({ interaction: { routing: { properties: { deploymentId: value } } } }),
      '/interaction/routing/properties/deploymentId',
    ],
    ['timezone', 64, (value: string) => ({ timezone: value }), '/timezone'],
    ['duration', 128, (value: string) => ({ duration: value }), '/duration'],
    ['start', 64, (value: string) => ({ start: value }), '/start'],
    ['applicationId', 64, (value: string) => ({ applicationId: value }), '/applicationId'],
    ['notificationHeaders', 16_384, (value: string) => ({ notificationHeaders: value }), '/notificationHeaders'],
    ['username', 254, (value: string) => ({ customers: [{ username: value }] }), '/customers/0/username'],
    [
      'first name',
      100,
      (value: string) => ({ customers: [{ ...customer, name: { firstName: value } }] }),
      '/customers/0/name/firstName',
    ],
    [
      'last name',
      100,
      (value: string) => ({ customers: [{ ...customer, name: { lastName: value } }] }),
      '/customers/0/name/lastName',
    ],
    [
      'a customFields value',
      1024,
      (value: string) => ({ interaction: { customFields: { a: value } } }),
      '/interaction/customFields',
    ],
    [
      'a customFields name',
      64,
      (value: string) => ({ interaction: { customFields: { [value]: 'a' } } }),
      '/interaction/customFields',
    ],
    ['a metadata name', 64, (value: string) => ({ metadata: { [value]: 1 } }), '/metadata'],
    [
      'a customer metadata value',
      1024,
      (value: string) => ({ customers: [{ ...customer, metadata: { a: value } }] }),
      '/customers/0/metadata',
    ],
  ])('%s has at most %i characters', (_name, max, change, pointer) => {
    expect(createFaults(change(text(max)))).toEqual([]);
    expect(createFaults(change(text(max + 1)))).toEqual([`${pointer} too_long`]);
  });

  it('an e-mail address has at most 254 characters', () => {
    const withEmail = (length: number) => ({
      customers: [{ contact: { primaryEmail: `${text(length - 4)}@b.c` } }],
    });
    expect(createFaults(withEmail(254))).toEqual([]);
    expect(createFaults(withEmail(255))).toEqual(['/customers/0/contact/primaryEmail too_long']);
  });

  it('cancelReason has at most 1000 characters', () => {
    expect(faults(cancelAppointmentBodySchema, { cancelReason: text(1000) })).toEqual([]);
    expect(faults(cancelAppointmentBodySchema, { cancelReason: text(1001) })).toEqual(['/cancelReason too_long']);
  });

  it('there are 1 to 20 customers', () => {
    expect(createFaults({ customers: Array(20).fill(customer) })).toEqual([]);
    expect(createFaults({ customers: [] })).toEqual(['/customers too_few']);
    expect(createFaults({ customers: Array(21).fill(customer) })).toEqual(['/customers too_many']);
  });

  it('metadata and customFields have at most 64 names', () => {
    expect(createFaults({ metadata: entries(64), interaction: { customFields: entries(64) } })).toEqual([]);
    expect(createFaults({ metadata: entries(65) })).toEqual(['/metadata too_many']);
    expect(createFaults({ interaction: { customFields: entries(65) } })).toEqual([
      '/interaction/customFields too_many',
    ]);
  });

  it('metadata has at most 16 KiB in all', () => {
    const around = '{"a":""}'.length;
    expect(createFaults({ metadata: { a: text(16_384 - around) } })).toEqual([]);
    expect(createFaults({ metadata: { a: text(16_385 - around) } })).toEqual(['/metadata too_large']);
    expect(createFaults({ metadata: { a: 'é'.repeat(8200) } })).toEqual(['/metadata too_large']);
  });

  it('notification headers of an update have at most 32 entries and 8 KiB (D7)', () => {
    const headers = (map: object) => faults(updateAppointmentRequestSchema, { id: 'a', notificationHeaders: map });
    expect(headers(entries(32))).toEqual([]);
    expect(headers(entries(33))).toEqual(['/notificationHeaders too_many']);
    expect(headers({ a: text(8193) })).toEqual(['/notificationHeaders too_long']);
    expect(headers({ a: text(8192), b: text(8192) })).toEqual(['/notificationHeaders too_large']);
    expect(headers({ a: 1 })).toEqual(['/notificationHeaders invalid_type']);
  });

  it.each([
    ['a text of 250,000 characters', { notes: text(250_000) }],
    ['an e-mail address of 250,000 characters', { customers: [{ contact: { primaryEmail: '@'.repeat(250_000) } }] }],
    ['100,000 customers of the wrong type', { customers: Array(100_000).fill(1) }],
    ['40,000 metadata names', { metadata: entries(40_000) }],
    ['40,000 customFields of the wrong type', { interaction: { customFields: entries(40_000, 1) } }],
  ])('%s are one fault, found without looking at each part', (_name, change) => {
    expect(createFaults(change)).toHaveLength(1);
  });
});

describe('Forms of fields', () => {
  it.each([
    ['a body that is an array', [], ' invalid_type'],
    ['a body that is a text', 'x', ' invalid_type'],
    ['a body that is null', null, ' required'],
    ['a number for a text', { ...create, title: 5 }, '/title invalid_type'],
    ['a number for an id', { ...create, applicationId: 0 }, '/applicationId invalid_type'],
    ['a text for an array', { ...create, customers: 'x' }, '/customers invalid_type'],
    ['a text for a map', { ...create, metadata: 'x' }, '/metadata invalid_type'],
    ['an array for a map', { ...create, metadata: [] }, '/metadata invalid_type'],
    ['a map for notificationHeaders', { ...create, notificationHeaders: {} }, '/notificationHeaders invalid_type'],
    ['an empty text where one is required', { ...create, start: '' }, '/start too_short'],
    [
      'a number in customFields',
      { ...create, interaction: { customFields: { a: 1 } } },
      '/interaction/customFields invalid_type',
    ],
    [
      'an unknown routing type',
      { ...create, interaction: { routing: { type: 'OTHER' } } },
      '/interaction/routing/type invalid_value',
    ],
    [
      'a routing type in lower case',
      { ...create, interaction: { routing: { type: 'providera_cloud_flow' } } },
      '/interaction/routing/type invalid_value',
    ],
    [
      'an unknown chatMode',
      { ...create, interaction: { routing: { properties: { chatMode: 'x' } } } },
      '/interaction/routing/properties/chatMode invalid_value',
    ],
    ['a target without id', { ...create, targetAssignment: { type: 'AGENT' } }, '/targetAssignment/id required'],
    [
      'a target of an unknown type',
      { ...create, targetAssignment: { id: 'queue-1', type: 'QUEUE' } },
      '/targetAssignment/type invalid_value',
    ],
    ['nesting', { ...create, metadata: { a: JSON.parse('['.repeat(15) + ']'.repeat(15)) } }, null],
  ])('%s → 400', (_name, body, fault) => {
    const found = faults(scheduleAppointmentRequestSchema, body);
    if (fault === null) expect(found).toHaveLength(1);
    else expect(found).toEqual([fault]);
  });

  it.each(['no-at', '@', 'a@', '@b', 'a b@c', 'a@b\nBcc: x@y', 'a@b,c@d', 'A <a@b>', 'a@b@c', '"a"@b'])(
    'an e-mail address is one mailbox: %j is refused',
    (primaryEmail) => {
      expect(createFaults({ customers: [{ contact: { primaryEmail } }] })).toContain(
        '/customers/0/contact/primaryEmail invalid_format',
      );
    },
  );

  it('unknown fields are ignored, never kept (D8)', () => {
    const decoded = decodeBody(scheduleAppointmentRequestSchema, {
      ...create,
      organizationId: 'other',
      role: 'ROLE_ADMIN',
      customers: [{ ...customer, id: 'p', admin: true }],
    });
    expect(decoded).toEqual({ ok: true, value: create });
  });

  it('metadata keeps what it holds', () => {
    const metadata = { a: { b: [1, null, 'c'] }, 'd e': true };
    expect(decodeBody(scheduleAppointmentRequestSchema, { ...create, metadata })).toMatchObject({
      value: { metadata },
    });
  });

  it('__proto__, constructor and prototype as names → 400, and no prototype is touched', () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const body: unknown = JSON.parse(`{"id":"a","metadata":{"x":{"${name}":{"polluted":1}}}}`);
      expect(faults(updateAppointmentRequestSchema, body)).toEqual(['/metadata reserved_name']);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('values that were sent are never echoed (D36)', () => {
    const secret = 'swordfish';
    const decoded = decodeBody(scheduleAppointmentRequestSchema, {
      ...create,
      title: { [secret]: 1 },
      customers: [{ contact: { primaryEmail: secret } }],
      interaction: { routing: { type: secret }, customFields: { [secret]: 1 } },
      metadata: { [secret.repeat(10)]: 1 },
    });
    expect(decoded.ok).toBe(false);
    expect(JSON.stringify(decoded)).not.toContain(secret);
  });
});

describe('Null and empty values', () => {
  it('null is absent in create requests', () => {
    const nulls = { title: null, notes: null, metadata: null, locale: null, interaction: null };
    expect(createFaults({ ...nulls, notificationHeaders: null, targetAssignment: null })).toEqual([]);
    expect(createFaults({ interaction: { customFields: null, routing: null } })).toEqual([]);
    expect(createFaults({ interaction: { routing: { type: null, properties: { chatMode: null } } } })).toEqual([]);
    expect(createFaults({ customers: [{ ...customer, name: null, metadata: null, username: null }] })).toEqual([]);
  });

  it.each([
    ['""', { title: '', notes: '' }],
    ['{}', { metadata: {}, notificationHeaders: {} }],
    ['null', { title: null, notes: null, metadata: null, notificationHeaders: null }],
  ])('%s is kept in update requests, where it clears (D2)', (_name, cleared) => {
    const body = { id: 'a', ...cleared };
    expect(decodeBody(updateAppointmentRequestSchema, body)).toEqual({ ok: true, value: body });
    expect(decodeBody(updateAppointmentRequestV1Schema, body)).toEqual({ ok: true, value: body });
  });

  it('an empty text clears a map or an object of an update too (D2)', () => {
    const customer = { id: 'p', metadata: '', contact: '', name: '' };
    const body = { id: 'a', metadata: '', notificationHeaders: '', customer };
    const cleared = { id: 'p', metadata: null, contact: null, name: null };
    expect(decodeBody(updateAppointmentRequestSchema, body)).toEqual({
      ok: true,
      value: { id: 'a', metadata: null, notificationHeaders: null, customer: cleared },
    });
    expect(decodeBody(updateAppointmentRequestSchema, { id: 'a', customer: { id: 'p' } })).toEqual({
      ok: true,
      value: { id: 'a', customer: { id: 'p' } },
    });
  });

  it('empty contact and name of an updated customer are kept, where they clear', () => {
    const addressed = { id: 'p', contact: { primaryEmail: '', primaryPhone: null }, name: {}, username: '' };
    const body = { id: 'a', customer: addressed };
    expect(decodeBody(updateAppointmentRequestSchema, body)).toEqual({ ok: true, value: body });
  });
});
