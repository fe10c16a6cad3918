import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quickest } from '../../test/quickest.js';
import {
  type HeaderFault,
  mayBeForwarded,
  readHeaderMap,
  readHeaderText,
  readNotificationHeaders,
} from './notification-headers.js';
import { limits } from '../limits.js';

const names = (list: string): readonly string[] => list.trim().split(/\s+/);

/** 72 names of the kind that a stranger tried, by what holds for them (D7, D63). */
const tried = {
  reserved: names(`
    authorization cookie set-cookie host content-type content-length content-encoding webhook-id webhook-signature
    x-signature connection transfer-encoding te upgrade expect proxy-authorization metadata-flavor
    x-forwarded-for x-forwarded-host x-forwarded-proto X_Forwarded_User forwarded x-real-ip`),
  notForwarded: names(`
    x-client-ip true-client-ip cf-connecting-ip cf-ipcountry x-original-url X-Original-Host x-rewrite-url x-remote-user
    x-remote-addr remote-user Remote_Groups x-auth-request-user x-auth-request-email x-auth-token X-API-Key x_api_key
    x-user x-user-id x-username x-http-method x-http-method-override stripe-signature x-hub-signature
    x-hub-signature-256 impersonate-user impersonate-group x-ms-client-principal x-ms-client-principal-name
    x-goog-authenticated-user-email x-goog-iap-jwt-assertion x-amzn-oidc-data x-amzn-trace-id x-middleware-subrequest
    x_original_url date Range accept-encoding`),
  forwarded: names(`
    x-campaign X-Tenant x-request-id x-correlation-id traceparent x-date x-signatures x-range-of-prices my-x-user
    accept-language x-cf-one _`),
} as const;

describe('notificationHeaders (D7)', () => {
  it.each<[string, Record<string, string>]>([
    ['ordinary names', { 'X-Tenant': 'blue', 'x-trace_id': '1' }],
    ['every character of a token', { "!#$%&'*+-.^_`|~0aZ": '1' }],
    ['an empty value', { 'X-Empty': '' }],
    ['a tab, a blank that does not break and Latin letters in a value', { 'X-Name': 'a\tb\u00a0é' }],
    ['names that only contain a reserved one', { 'X-Content-Kind': '1', hostname: '2', 'X-Cookie': '3' }],
    ['nothing', {}],
  ])('notificationHeaders may have %s', (_what, headers) => {
    expect(readHeaderMap(headers)).toEqual({ ok: true, headers });
    expect(readHeaderText(JSON.stringify(headers))).toEqual({ ok: true, headers });
  });

  const reserved = [
    'authorization',
    'Authorization',
    'COOKIE',
    'set-cookie',
    'host',
    'content-type',
    'Content-Length',
    'content-anything',
    'webhook-id',
    'Webhook-Signature',
    'x-signature',
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'x-forwarded-for',
    'X-Forwarded-Host',
    'forwarded',
    'metadata',
    'metadata-flavor',
    'x-aws-ec2-metadata-token',
    'webhook_id',
    'Webhook_Timestamp',
    'content_type',
    'transfer_encoding',
    'X_SIGNATURE',
    'set_cookie',
    'x_real-ip',
  ];

  it.each(reserved)('notificationHeaders must not have the name %s', (name) => {
    expect(readHeaderMap({ [name]: 'x' })).toEqual({ ok: false, fault: 'reserved' });
  });

  it.each(tried.reserved)(
    'notificationHeaders has no place for %s, neither of an endpoint nor of an appointment',
    (name) => {
      expect(readHeaderMap({ [name]: 'x' })).toEqual({ ok: false, fault: 'reserved' });
      expect(readNotificationHeaders({ [name]: 'x' }, { [name]: 'x' })).toEqual({ ok: false, fault: 'reserved' });
    },
  );

  it.each(tried.notForwarded)(
    'notificationHeaders takes %s of an endpoint, and of an appointment only where it was there (D63)',
    (name) => {
      const headers = { [name]: 'x' };
      expect(mayBeForwarded(name)).toBe(false);
      expect(readHeaderMap(headers)).toEqual({ ok: true, headers });
      expect(readNotificationHeaders(headers)).toEqual({ ok: false, fault: 'reserved' });
      expect(readHeaderText(JSON.stringify(headers))).toEqual({ ok: false, fault: 'reserved' });
      expect(readNotificationHeaders(headers, { [name.toUpperCase()]: '' })).toEqual({ ok: true, headers });
    },
  );

  it('notificationHeaders has no other spelling of a reserved name: "_" counts as "-", in any letter case', () => {
    const spelling = fc.constantFrom(...reserved, ...tried.reserved).chain((name) =>
      fc
        .array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: name.length, maxLength: name.length })
        .map((choices) =>
          choices
            .map(([upper, under], at) => {
              const letter = name.charAt(at);
              if (letter === '-') return under ? '_' : '-';
              return upper ? letter.toUpperCase() : letter.toLowerCase();
            })
            .join(''),
        ),
    );
    fc.assert(
      fc.property(spelling, (name) => {
        expect(readHeaderMap({ [name]: 'x' })).toEqual({ ok: false, fault: 'reserved' });
        expect(mayBeForwarded(name)).toBe(false);
      }),
    );
  });

  it.each(tried.forwarded)('notificationHeaders may be %s (D63)', (name) => {
    const headers = { [name]: 'x' };
    expect(mayBeForwarded(name)).toBe(true);
    expect(readNotificationHeaders(headers)).toEqual({ ok: true, headers });
    expect(readHeaderText(JSON.stringify(headers))).toEqual({ ok: true, headers });
  });

  it('notificationHeaders was tried with 72 names', () => {
    expect(new Set(Object.values(tried).flat()).size).toBe(72);
  });

  const many = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, '']));

  it.each<[string, unknown, HeaderFault]>([
    ['a line break in a value', { 'X-A': 'a\r\nHost: evil' }, 'value'],
    ['a line feed in a value', { 'X-A': 'a\nb' }, 'value'],
    ['NUL in a value', { 'X-A': '\u0000' }, 'value'],
    ['delete in a value', { 'X-A': '\u007f' }, 'value'],
    ['a control character of Latin 1 in a value', { 'X-A': 'a\u0085b' }, 'value'],
    ['a character beyond Latin 1', { 'X-A': '日' }, 'value'],
    ['a line break in a name', { 'X-A\r\nHost': 'x' }, 'name'],
    ['a blank in a name', { 'X A': 'x' }, 'name'],
    ['a colon in a name', { 'X-A:': 'x' }, 'name'],
    ['another alphabet in a name', { 'X-Ä': 'x' }, 'name'],
    ['an empty name', { '': 'x' }, 'name'],
    ['__proto__ as a name', JSON.parse('{"__proto__":"x"}'), 'name'],
    ['constructor as a name, which no map may have (D8)', { constructor: 'x' }, 'name'],
    ['prototype as a name, which no map may have (D8)', { prototype: 'x' }, 'name'],
    ['a name of 129 characters', { ['x'.repeat(129)]: 'x' }, 'name'],
    ['a name twice, once with "_" for "-"', { 'x-a': '1', X_A: '2' }, 'name'],
    ['a name twice in different letter case', { 'X-A': '1', 'x-a': '2' }, 'name'],
    ['a number', { 'X-A': 1 }, 'not_a_string_map'],
    ['null', { 'X-A': null }, 'not_a_string_map'],
    ['a list', { 'X-A': ['x'] }, 'not_a_string_map'],
    ['33 entries', many(33), 'too_many'],
    ['more than 8 KiB', { 'X-A': 'x'.repeat(8190) }, 'too_long'],
  ])('notificationHeaders must not have %s', (_what, headers, fault) => {
    expect(readHeaderMap(headers)).toEqual({ ok: false, fault });
    expect(readHeaderText(JSON.stringify(headers))).toEqual({ ok: false, fault });
  });

  it('notificationHeaders has at most 32 entries and 8 KiB', () => {
    expect(readHeaderMap(many(32))).toMatchObject({ ok: true });
    expect(readHeaderMap({ 'X-A': 'x'.repeat(limits.headerBytes - 3) })).toMatchObject({ ok: true });
  });

  it.each([
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
    ['broken JSON', '{"a":'],
    ['no JSON', 'X-A: 1'],
    ['deep nesting', '['.repeat(5000)],
  ])('notificationHeaders of a create request is JSON text of a flat string map, not %s', (_what, text) => {
    expect(readHeaderText(text)).toEqual({ ok: false, fault: 'not_a_string_map' });
  });

  it.each(['', '  '])('notificationHeaders of a create request may be an empty text', (text) => {
    expect(readHeaderText(text)).toEqual({ ok: true, headers: {} });
  });

  it.each([undefined, null, 'x', 1, []])('notificationHeaders of an update request is a map, not %j', (input) => {
    expect(readHeaderMap(input)).toEqual({ ok: false, fault: 'not_a_string_map' });
  });

  it('a text of notificationHeaders of 100 KB is refused in little time', () => {
    const text = JSON.stringify({ 'X-A': 'x'.repeat(100_000) });
    expect(readHeaderText(text)).toEqual({ ok: false, fault: 'too_long' });
    expect(quickest(() => readHeaderText(text))).toBeLessThan(20);
    expect(quickest(() => readHeaderMap(JSON.parse(text)))).toBeLessThan(20);
  });
});
