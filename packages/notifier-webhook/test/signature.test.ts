import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  generateWebhookSecret,
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
  webhookVerificationCodes,
} from '../src/index.js';
import { secret } from './support/sending.js';

const now = Date.parse('2026-05-04T09:00:00Z');
const timestamp = now / 1000;
const content = { id: 'n-1', type: 'CREATE', timestamp: '2026-05-04T09:00:00Z', payload: { title: 'Grüße' } };
const body = JSON.stringify(content);

/** A web hook as it arrives, changed in one place. */
function received(changes: Record<string, string | string[] | undefined> = {}, of = secret as string | string[]) {
  return {
    'webhook-id': 'n-1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook({ id: 'n-1', timestamp, body, secret: of }),
    ...changes,
  };
}

/** The code that a verification ends with. */
function codeOf(verification: () => unknown): string {
  try {
    verification();
  } catch (error) {
    return WebhookVerificationError.is(error) ? error.code : String(error);
  }
  return 'taken';
}

/** The same in every run, so that the names of tests are. */
const anotherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

describe('signWebhook', () => {
  it('signWebhook makes the signature of the example in the Standard Webhooks specification', () => {
    expect(
      signWebhook({
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        timestamp: 1_614_265_330,
        body: '{"test": 2432232314}',
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      }),
    ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('signWebhook makes a signature for each secret, blanks between them', () => {
    const other = generateWebhookSecret();
    const sign = (of: string | string[]) => signWebhook({ id: 'n-1', timestamp, body, secret: of });
    expect(sign([other, secret])).toBe(`${sign(other)} ${sign(secret)}`);
  });

  it.each([1.5, NaN, Infinity])('signWebhook refuses the time %s', (wrong) => {
    expect(() => signWebhook({ id: 'n-1', timestamp: wrong, body, secret })).toThrow(TypeError);
  });
});

describe('a secret', () => {
  it('a secret that is made is whsec_ and 32 bytes in base64, another each time', () => {
    const made = Array.from({ length: 100 }, generateWebhookSecret);
    expect(new Set(made).size).toBe(100);
    for (const each of made) {
      expect(each).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(each.slice(6), 'base64')).toHaveLength(32);
    }
  });

  it.each([
    ['no secret', []],
    ['one without whsec_', secret.slice(6)],
    ['one that is empty', 'whsec_'],
    ['one of 23 bytes', `whsec_${Buffer.alloc(23, 1).toString('base64')}`],
    ['one of 65 bytes', `whsec_${Buffer.alloc(65, 1).toString('base64')}`],
    ['one with a blank', `${secret} `],
    ['one in base64url', `whsec_${Buffer.alloc(33, 255).toString('base64url')}`],
    ['one without its padding', `whsec_${Buffer.alloc(32, 1).toString('base64').replace('=', '')}`],
    ['one with spare bits set', `whsec_${Buffer.alloc(32, 0).toString('base64').replace('A=', 'B=')}`],
    ['a good one and a bad one', [secret, 'whsec_']],
    ['a variable that is not set', undefined as unknown as string],
    ['null', null as unknown as string],
    ['a number', 5 as unknown as string],
    ['a list of one that is not set', [undefined] as unknown as string[]],
  ])('a secret is refused when it is %s, without its text', (_why, wrong) => {
    for (const use of [
      () => signWebhook({ id: 'n-1', timestamp, body, secret: wrong }),
      () => verifyWebhook({ body, headers: received(), secret: wrong, now }),
    ]) {
      expect(use).toThrow(TypeError);
      expect(use).toThrow(/^secret: must be (given|whsec_ and base64 of 24 to 64 bytes)$/);
    }
  });
});

describe('verifyWebhook', () => {
  it.each([
    ['headers of Node', received()],
    [
      'headers in other letters',
      {
        'Webhook-Id': 'n-1',
        'WEBHOOK-TIMESTAMP': String(timestamp),
        'Webhook-Signature': received()['webhook-signature'],
      },
    ],
    ['headers of fetch', new Headers(received() as Record<string, string>)],
    [
      'a signature of another version beside ours',
      received({ 'webhook-signature': `v1a,abc ${received()['webhook-signature']}` }),
    ],
    ['a signature of an unknown secret beside ours', received({}, [generateWebhookSecret(), secret])],
  ])('verifyWebhook takes %s', (_what, headers) => {
    expect(verifyWebhook({ body, headers, secret, now })).toEqual(content);
    expect(verifyWebhook({ body: Buffer.from(body), headers, secret, now })).toEqual(content);
    expect(
      verifyWebhook({ body: new TextEncoder().encode(body), headers, secret: [generateWebhookSecret(), secret], now }),
    ).toEqual(content);
  });

  it.each([
    ['missing_header', { 'webhook-id': undefined }],
    ['missing_header', { 'webhook-id': '' }],
    ['missing_header', { 'webhook-timestamp': undefined }],
    ['missing_header', { 'webhook-signature': undefined }],
    ['missing_header', { 'webhook-signature': ['v1,a', 'v1,b'] }],
    ['missing_header', { 'Webhook-Id': 'n-2' }],
    ['invalid_timestamp', { 'webhook-timestamp': 'now' }],
    ['invalid_timestamp', { 'webhook-timestamp': '1e9' }],
    ['invalid_timestamp', { 'webhook-timestamp': `${String(timestamp)}.0` }],
    ['invalid_timestamp', { 'webhook-timestamp': `-${String(timestamp)}` }],
    ['invalid_timestamp', { 'webhook-timestamp': ` ${String(timestamp)}` }],
    ['invalid_timestamp', { 'webhook-timestamp': '9999999999999' }],
    ['timestamp_too_old', { 'webhook-timestamp': String(timestamp - 301) }],
    ['timestamp_too_new', { 'webhook-timestamp': String(timestamp + 301) }],
    ['no_matching_signature', { 'webhook-timestamp': String(timestamp - 300) }],
    ['no_matching_signature', { 'webhook-timestamp': String(timestamp + 300) }],
    ['no_matching_signature', { 'webhook-timestamp': `0${String(timestamp)}` }],
    ['no_matching_signature', { 'webhook-id': 'n-2' }],
    ['no_matching_signature', { 'webhook-signature': 'v1,' }],
    ['no_matching_signature', { 'webhook-signature': received()['webhook-signature'].replace('v1', 'v2') }],
    ['no_matching_signature', { 'webhook-signature': received()['webhook-signature'].slice(3) }],
    ['no_matching_signature', { 'webhook-signature': received({}, anotherSecret)['webhook-signature'] }],
  ])('verifyWebhook answers %s for %o', (code, changes) => {
    expect(codeOf(() => verifyWebhook({ body, headers: received(changes), secret, now }))).toBe(code);
  });

  it.each([
    '',
    'null',
    '[]',
    'text',
    '{}',
    '{"id":"1","type":"CREATE","timestamp":"t"}',
    '{"id":1,"type":"C","timestamp":"t","payload":1}',
  ])('verifyWebhook answers invalid_body for a body that is signed and no notification: %s', (other) => {
    const headers = received({ 'webhook-signature': signWebhook({ id: 'n-1', timestamp, body: other, secret }) });
    expect(codeOf(() => verifyWebhook({ body: other, headers, secret, now }))).toBe('invalid_body');
  });

  it.each([
    ['nothing, as parsers leave it of a type that they do not know', undefined],
    ['an empty object, as others leave it', {}],
    ['what a parser made of it', content],
    ['null', null],
    ['a number', 5],
  ])('verifyWebhook answers invalid_body for a body that is %s', (_what, other) => {
    const notAsItCame = other as string;
    expect(codeOf(() => verifyWebhook({ body: notAsItCame, headers: received(), secret, now }))).toBe('invalid_body');
  });

  it('verifyWebhook judges the time by the tolerance that it is given, to the second', () => {
    const at = (seconds: number, tolerance: number) =>
      codeOf(() => verifyWebhook({ body, headers: received(), secret, tolerance, now: now + seconds * 1000 }));
    expect([at(0, 0), at(1, 0), at(-1, 0), at(10, 10), at(11, 10), at(-10, 10), at(-11, 10)]).toEqual([
      ...[
        'taken',
        'timestamp_too_old',
        'timestamp_too_new',
        'taken',
        'timestamp_too_old',
        'taken',
        'timestamp_too_new',
      ],
    ]);
  });

  it.each([-1, NaN])('verifyWebhook refuses the tolerance %s', (tolerance) => {
    expect(() => verifyWebhook({ body, headers: received(), secret, tolerance, now })).toThrow(TypeError);
  });

  it('verifyWebhook tells what is wrong in words that hold nothing of the request', () => {
    const messages = webhookVerificationCodes.map((code) => new WebhookVerificationError(code).message);
    expect(new Set(messages).size).toBe(webhookVerificationCodes.length);
    expect(WebhookVerificationError.is(new Error('missing_header'))).toBe(false);
  });
});

describe('signatures agree with the reference library', () => {
  const secrets = fc
    .uint8Array({ minLength: 24, maxLength: 64 })
    .map((key) => `whsec_${Buffer.from(key).toString('base64')}`);
  const ids = fc.string({ minLength: 1, maxLength: 40 }).filter((id) => id === id.trim());
  const times = fc.integer({ min: 0, max: 9_999_999_999 });
  const bodies = fc
    .record({ id: fc.string(), type: fc.string(), timestamp: fc.string(), payload: fc.jsonValue() })
    .map((value) => JSON.stringify(value));

  it('signatures agree with the reference library makes what the library makes', () => {
    fc.assert(
      fc.property(secrets, ids, times, fc.string({ unit: 'binary' }), (key, id, at, text) => {
        const theirs = new Webhook(key).sign(id, new Date(at * 1000), text);
        expect(signWebhook({ id, timestamp: at, body: text, secret: key })).toBe(theirs);
        expect(signWebhook({ id, timestamp: at, body: Buffer.from(text), secret: key })).toBe(theirs);
      }),
    );
  });

  it('signatures agree with the reference library takes what the library signs, and the library takes what is signed here', () => {
    const present = Math.floor(Date.now() / 1000);
    fc.assert(
      fc.property(secrets, secrets, ids, fc.integer({ min: -200, max: 200 }), bodies, (key, other, id, age, text) => {
        const at = present + age;
        const named = { 'webhook-id': id, 'webhook-timestamp': String(at) };
        const theirs = { ...named, 'webhook-signature': new Webhook(key).sign(id, new Date(at * 1000), text) };
        expect(verifyWebhook({ body: text, headers: theirs, secret: [other, key] })).toEqual(JSON.parse(text));
        const signature = signWebhook({ id, timestamp: at, body: text, secret: [other, key] });
        const ours = { ...named, 'webhook-signature': signature };
        expect(new Webhook(key).verify(text, ours)).toEqual(JSON.parse(text));
        expect(new Webhook(other).verify(text, ours)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('signatures agree with the reference library refuses a body of which a single bit is another', () => {
    fc.assert(
      fc.property(secrets, bodies, fc.nat(), fc.integer({ min: 0, max: 7 }), (key, text, place, bit) => {
        const bytes = Buffer.from(text);
        const headers = received({
          'webhook-signature': signWebhook({ id: 'n-1', timestamp, body: bytes, secret: key }),
        });
        const index = place % bytes.byteLength;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        expect(codeOf(() => verifyWebhook({ body: bytes, headers, secret: key, now }))).toBe('no_matching_signature');
      }),
    );
  });

  it('signatures agree with the reference library never ends in anything but its own codes, whatever arrives', () => {
    const texts = fc.oneof(fc.string(), fc.constantFrom('n-1', String(timestamp), ...Object.values(received())));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(received()), 'x'), texts),
        fc.string(),
        (headers, text) => {
          expect(webhookVerificationCodes).toContain(codeOf(() => verifyWebhook({ body: text, headers, secret, now })));
        },
      ),
    );
  });
});
