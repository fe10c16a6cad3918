import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../support/client.js';
import { type Host, type OpenStore, people, startHost, tokenOf } from '../support/host.js';
import { quickestOf } from '../support/quickest.js';
import { created, creation, customer } from '../support/requests.js';

const base = '/api/v2/appointments';
const { agent } = people;

const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const text = (value: object): string => JSON.stringify(value);
/** A creation with one member written by hand. */
const written = (member: string): string => text(creation()).replace(/}$/, `,${member}}`);

const bodies: readonly (readonly [string, Call, number])[] = [
  ['broken JSON', { raw: '{"a":' }, 400],
  ['a trailing comma', { raw: '{"a":1,}' }, 400],
  ['a single quote', { raw: "{'a':1}" }, 400],
  ['null', { raw: 'null' }, 400],
  ['a text', { raw: '"x"' }, 400],
  ['a number', { raw: '0' }, 400],
  ['true', { raw: 'true' }, 400],
  ['an array', { raw: '[]' }, 400],
  ['no body', {}, 400],
  ['an empty body', { raw: '' }, 400],
  ['an empty chunked body', { raw: '', chunked: true }, 400],
  ['3 MB', { raw: `{"a":"${'x'.repeat(3_000_000)}"}` }, 413],
  ['3 MB in chunks', { raw: `{"a":"${'x'.repeat(3_000_000)}"}`, chunked: true }, 413],
  ['one byte over 256 KiB', { raw: `"${'x'.repeat(262_143)}"` }, 413],
  ['nested 5,000 deep', { raw: nested(5000) }, 400],
  ['nested 40,000 deep', { raw: nested(40_000) }, 400],
  ['brackets 200,000 deep', { raw: '['.repeat(200_000) }, 400],
  ['metadata nested 17 deep', { raw: written(`"metadata":${nested(17)}`) }, 400],
  ['no UTF-8', { raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }, 400],
  ['a byte order mark', { raw: `\ufeff${text(creation())}` }, 400],
  ['text/plain', { json: creation(), headers: { 'content-type': 'text/plain' } }, 415],
  ['a form', { raw: 'applicationId=app-1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
  ['no media type', { json: creation(), headers: { 'content-type': '' } }, 415],
  [
    'JSON, and plain text as well',
    { json: creation(), headers: { 'content-type': ['application/json', 'text/plain'] } },
    415,
  ],
  ['UTF-16', { json: creation(), headers: { 'content-type': 'application/json; charset=utf-16' } }, 415],
  ['gzip', { raw: 'xx', headers: { 'content-encoding': 'gzip' } }, 415],
  ['a NUL', { raw: written(String.raw`"title":"a\u0000b"`) }, 400],
  ['a control character', { raw: written(String.raw`"notes":"a\u0008b"`) }, 400],
  ['a lone surrogate', { raw: written(String.raw`"title":"\ud800"`) }, 400],
  ['a NUL in a name', { raw: written(String.raw`"metadata":{"a\u0000":1}`) }, 400],
  ['a lone surrogate in a name', { raw: written(String.raw`"metadata":{"\udc00":1}`) }, 400],
  ['__proto__', { raw: written('"__proto__":{"polluted":1}') }, 400],
  ['__proto__ in metadata', { raw: written('"metadata":{"__proto__":{"polluted":1}}') }, 400],
  ['constructor', { raw: written('"metadata":{"constructor":{"prototype":{"polluted":1}}}') }, 400],
  ['prototype', { raw: written('"interaction":{"customFields":{"prototype":"x"}}') }, 400],
  ['a number that is too large', { raw: written('"metadata":{"a":1e999}') }, 400],
  ['metadata of 17 KiB', { json: creation({ metadata: { a: 'x'.repeat(17_000) } }) }, 400],
  ['65 keys of metadata', { json: creation({ metadata: Object.fromEntries(range(65)) }) }, 400],
  ['a title of 201 characters', { json: creation({ title: 'x'.repeat(201) }) }, 400],
  ['a title of 100 KB', { json: creation({ title: 'x'.repeat(100_000) }) }, 400],
  ['21 customers', { json: creation({ customers: Array.from({ length: 21 }, () => customer) }) }, 400],
  ['no customer', { json: creation({ customers: [] }) }, 400],
  ['5,000 customers', { json: creation({ customers: Array.from({ length: 5000 }, () => ({})) }) }, 400],
];

function range(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`k${index}`, index]);
}

/** Values for one field of a create request, all of them refused with 400. */
const fields: Readonly<Record<string, readonly unknown[]>> = {
  applicationId: ['', 7, null, {}, 'x'.repeat(65), 'a\u0001'],
  start: [
    ...['', 'tomorrow', '2030-01-02', '2030-01-02T09:00:00', '2030-02-30T09:00:00Z', '2030-01-02T24:00:00Z'],
    ...['2030-06-30T23:59:60Z', '0000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', '10000-01-01T00:00:00Z'],
    ...['2030-01-02T09:00:00+25:00', '2030-1-2T9:00:00Z', 1893574800000, 'x'.repeat(100_000)],
  ],
  duration: [
    ...['', 'P999999999D', 'PT99999999999999999999S', 'PT0S', 'PT', 'P', '-P1D', 'P-1D', '+P1D', 'P1W', 'P1M', 'P1Y'],
    ...['PT1E5S', 'pt5m', 'PT5', '5M', 'PT1M1H', 'PT1.5H30M', 'PT59S', 'PT24H1S', 30, 'P1D'.repeat(50_000)],
    ...['PT5M (', 'PT5M (5 minutes', 'PTInfinityS', 'PTNaNS', 'PT0x10S', 'PT٣M'],
  ],
  timezone: [
    ...[
      '',
      'local',
      'Local',
      'system',
      '../../etc/passwd',
      '+05:30',
      'GMT+2',
      'Etc/Nowhere',
      'Europe/Atlantis',
      'null',
    ],
    ...['x'.repeat(65), 'x'.repeat(1000), 'Europe/Athens\u0000', ' UTC', 7],
  ],
  locale: ['x', 'en-', 'e'.repeat(36), 'en US', '../en', 'english!', 7],
  notificationHeaders: [
    ...['{', '[]', 'null', '"x"', '{"a":1}', '{"a":{"b":"c"}}', '{"a b":"c"}', '{"":"c"}', '{"x":"a\\r\\nHost: evil"}'],
    ...['{"Authorization":"x"}', '{"cookie":"x"}', '{"HOST":"x"}', '{"Content-Type":"x"}', '{"webhook-id":"x"}'],
    ...['{"X-Forwarded-For":"x"}', '{"Transfer-Encoding":"x"}', '{"X-Signature":"x"}', '{"__proto__":"x"}'],
    ...[text(Object.fromEntries(range(33).map(([key]) => [key, 'x']))), `{"a":"${'x'.repeat(9000)}"}`, { a: 'b' }],
  ],
  interaction: [
    ...[{ routing: { type: 'OTHER' } }, { routing: { type: 'PROVIDERA_CLOUD_FLOW' } }, { customFields: { a: 1 } }],
    ...[{ routing: { type: 'PROVIDERA_CLOUD_FLOW', properties: { deploymentId: 'd', chatMode: 'other' } } }],
    ...[{ customFields: { a: 'x'.repeat(1025) } }, 'x', []],
  ],
  targetAssignment: [{}, { id: '' }, { id: 7, type: 'AGENT' }, { id: 'x'.repeat(65), type: 'AGENT' }, 'agent-1'],
  customers: [
    ...[{}, 'x', [null], ['x'], [[]], [{}], [{ username: '' }], [{ username: 'x'.repeat(255) }]],
    ...[[{ contact: { primaryEmail: 'no address' } }], [{ contact: { primaryEmail: 'a@b\r\nBcc: c@d' } }]],
    ...[[{ contact: { primaryPhone: '12345' } }], [{ contact: { primaryPhone: '+' + '1'.repeat(60) } }]],
    ...[[{ username: 'x', name: { firstName: 'x'.repeat(101) } }], [{ username: 'x', metadata: { a: 1 } }]],
  ],
  metadata: [[], 'x', 7, { ['k'.repeat(65)]: 1 }],
};

const fieldRows = Object.entries(fields).flatMap(([field, values]) => values.map((value) => ({ field, value })));

/** Hostile input is a clear 4xx as a problem, never a 5xx, never HTML (security model), on any store. */
export function hostileInputSuite(name: string, open: OpenStore): void {
  describe(`hostile input on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startHost({ open });
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      await host.close();
    });

    it.each<[string, string, string | undefined, string]>([
      ['a NUL', 'agentId=a%00', 'agentId', 'Values must be percent-encoded UTF-8 text without control characters.'],
      ['no UTF-8', 'agentId=%ff', 'agentId', 'Values must be percent-encoded UTF-8 text without control characters.'],
      ['201 parameters', 'agentId=a&'.repeat(201), undefined, 'The query must have at most 200 parameters.'],
      [
        'a NUL of what nobody asked for',
        'tell%3Cme=%00',
        undefined,
        'Values must be percent-encoded UTF-8 text without control characters.',
      ],
    ])(
      'a query of %s is refused with its parameter where there is one, in true words',
      async (_, query, parameter, detail) => {
        const { status, body } = await host.call('GET', `${base}/?${query}`, { as: agent });
        expect([status, body.errors]).toEqual([
          400,
          [{ ...(parameter && { parameter }), code: 'invalid_format', detail }],
        ]);
      },
    );

    it('a cancel body that is null is no object, and is not required', async () => {
      const { id } = await created(host);
      const { status, body } = await host.call('PUT', `${base}/${String(id)}/cancel`, { as: agent, raw: 'null' });
      expect([status, body.errors]).toEqual([
        400,
        [{ pointer: '', code: 'invalid_type', detail: 'Must be an object.' }],
      ]);
    });

    it.each(bodies)('%s as the body of a creation is refused', async (_, call, status) => {
      const reply = await host.call('POST', `${base}/`, { as: agent, ...call });
      expect(reply.status, reply.text).toBe(status);
    });

    it.each(fieldRows)('$field is refused where it is $value', async ({ field, value }) => {
      const { status, body } = await host.call('POST', `${base}/`, { as: agent, json: creation({ [field]: value }) });
      expect(status).toBe(400);
      const places = (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
      expect(places.every((pointer) => pointer.startsWith(`/${field}`))).toBe(true);
    });

    it('no value that was sent is in the answer (D36)', async () => {
      const marker = 'zq9marker';
      for (const field of Object.keys(fields)) {
        for (const value of [marker, { [marker]: marker }, [marker], [{ [marker]: marker }]]) {
          const json = creation({ [field]: value });
          const { status, text: sent } = await host.call('POST', `${base}/`, { as: agent, json });
          if (status !== 200) expect(sent).not.toContain(marker);
        }
      }
      const places = [`${base}/?${marker}=%00`, `${base}/?pageSize=${marker}`, `${base}/${marker}`];
      for (const path of places) expect((await host.call('GET', path, { as: agent })).text).not.toContain(marker);
    });

    it.each(['title', 'notes'])('text with markup, templates and formulas is kept as given: %s', async (field) => {
      const value = '<script>alert(1)</script> {{7*7}} ${7*7} =cmd|calc BEGIN:VCALENDAR\r\n\t"';
      const json = creation({ [field]: value, metadata: { value } });
      const { body } = await host.call('POST', `${base}/`, { as: agent, json });
      expect([body[field], body.metadata]).toEqual([value, { value }]);
    });

    it.each([
      ['update', 'PUT', `${base}/`, { metadata: { ['__proto__x']: 1 }, title: 'x'.repeat(201) }],
      ['reassign', 'PUT', `${base}/reassign/`, { userId: ['agent-1'] }],
      ['reassign', 'PUT', `${base}/reassign/`, { userId: 0 }],
      ['reschedule', 'PUT', `${base}/reschedule/`, { start: 0, duration: 'P9999999999D', timezone: '../..' }],
      ['update', 'PUT', `${base}/`, { notificationHeaders: { Cookie: 'x' } }],
      ['update', 'PUT', `${base}/`, { customer: { id: 'x'.repeat(100) } }],
      ['update', 'PUT', `${base}/`, { customer: [] }],
    ])('%s %s %s with %j is 400', async (_, method, path, fieldsSent) => {
      const { id } = await created(host);
      const { status, body } = await host.call(method, path, { as: agent, json: { id, ...fieldsSent } });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    });

    it('an agent id of 5,000 characters is 400 invalid_agent (D22), and is not sent back', async () => {
      const { id } = await created(host);
      const json = { id, userId: 'x'.repeat(5000) };
      const { status, body, text: answer } = await host.call('PUT', `${base}/reassign/`, { as: agent, json });
      expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_agent', '/userId']);
      expect(answer).not.toContain('xxx');
    });

    it.each(['x-request-id', 'idempotency-key', 'if-match', 'accept', 'content-encoding'])(
      'header %s of 8 KB is no fault of the service',
      async (header) => {
        const headers = { [header]: 'x'.repeat(8000) };
        const { status } = await host.call('POST', `${base}/`, { as: agent, json: creation(), headers });
        expect(status).toBeLessThan(500);
      },
    );

    it('a request with two bearer tokens is of nobody, whichever of them comes first', async () => {
      const tokens = await Promise.all(
        [agent, people.supervisor].map(async (person) => `Bearer ${await tokenOf(person)}`),
      );
      for (const authorization of [tokens, tokens.toReversed()]) {
        const { status } = await host.call('GET', `${base}/`, { headers: { authorization } });
        expect(status).toBe(401);
      }
    });

    it('100 KB in any field costs little', async () => {
      for (const field of Object.keys(fields)) {
        const json = creation({ [field]: 'x'.repeat(100_000) });
        const took = await quickestOf(3, () => host.call('POST', `${base}/`, { as: agent, json }));
        expect(took).toBeLessThan(1000);
      }
    });
  });
}
