import { describe, expect, it } from 'vitest';
import { smtpNotifier } from './smtp-notifier.js';
import { readOptions, type SmtpNotifierOptions } from './smtp-options.js';

const url = 'smtp://mail.example';

describe('options that cannot be used are a TypeError that names the option and shows no secret', () => {
  it.each<readonly [string, string, unknown]>([
    ['neither server', 'url', {}],
    ['two servers', 'url', { url, transport: {} }],
    ['no options', 'options', undefined],
    ['another protocol', 'url', { url: 'http://anna:hunter2@mail.example' }],
    ['no address', 'url', { url: 'hunter2' }],
    ['no host', 'url', { url: 'smtp://' }],
    ['a path', 'url', { url: 'smtp://anna:hunter2@mail.example/inbox' }],
    ['a query', 'url', { url: 'smtp://anna:hunter2@mail.example?pool=true' }],
    ['a user without a password', 'url', { url: 'smtp://hunter2@mail.example' }],
    ['a password with a stray percent sign', 'url', { url: 'smtp://anna:hunter2%@mail.example' }],
    ['a password with a slash', 'url', { url: 'smtp://anna:hun/ter2@mail.example' }],
    ['a port that is none', 'url', { url: 'smtp://anna:hunter2@mail.example:99999' }],
    ['a time-out that is none', 'timeout', { url, timeout: 0 }],
    ['a time-out in fractions', 'timeout', { url, timeout: 20.5 }],
    ['a time-out beyond reason', 'timeout', { url, timeout: 600_001 }],
    ['a pool that is none', 'pool', { url, pool: 5 }],
    ['a pool of nothing', 'pool.maxConnections', { url, pool: { maxConnections: 0 } }],
    ['a domain that is none', 'messageIdDomain', { url, messageIdDomain: 'a>\r\nBcc: x' }],
    ['an empty domain', 'messageIdDomain', { url, messageIdDomain: '' }],
    ['TLS that is no object', 'tls', { url, tls: true }],
    ['requireTls that is no boolean', 'requireTls', { url, requireTls: 'yes' }],
    ['a transport that is none', 'transport', { transport: 'smtp://anna:hunter2@mail.example' }],
    ['a transport of another kind', 'transport', { transport: { send: () => undefined } }],
    ['an address within the transport', 'transport.url', { transport: { url } }],
    ['LMTP', 'transport.lmtp', { transport: { lmtp: true } }],
  ])('options that cannot be used are a TypeError: %s', (_name, option, options) => {
    const make = (): unknown => smtpNotifier(options as SmtpNotifierOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(new RegExp(`^smtpNotifier: ${option.replace('.', '\\.')}: (?!.*hunter)`, 's'));
  });

  it.each<readonly [object, string]>([
    [{ timeOut: 1 }, 'smtpNotifier: options: unknown option timeOut; did you mean timeout?'],
    [{ pool: { maxConnection: 5 } }, 'smtpNotifier: pool: unknown option maxConnection; did you mean maxConnections?'],
  ])('a misspelt option comes with the nearest known one: %j', (options, message) => {
    expect(() => smtpNotifier({ url, ...options })).toThrow(new TypeError(message));
  });
});

describe('a url', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false }],
    ['smtp://mail.example:2525/', { host: 'mail.example', port: 2525, secure: false }],
    ['smtps://mail.example', { host: 'mail.example', port: 465, secure: true }],
    ['smtps://[::1]:4650', { host: '::1', port: 4650, secure: true }],
    ['smtp://müller.example', { host: 'xn--mller-kva.example', port: 587 }],
    ['smtp://a%40b:c%3A%2F%25@mail.example', { auth: { user: 'a@b', pass: 'c:/%' } }],
  ])('the url %s is read', (given, expected) => {
    expect(readOptions({ url: given }).transport).toMatchObject(expected);
  });
});

describe('encryption is required', () => {
  it.each<readonly [boolean, SmtpNotifierOptions]>([
    [false, { url }],
    [true, { url: 'smtp://anna:password@mail.example' }],
    [false, { url: 'smtp://anna:password@localhost' }],
    [false, { url: 'smtp://anna:password@127.0.0.1' }],
    [false, { url: 'smtp://anna:password@[::1]' }],
    [true, { url: 'smtp://anna:password@127.0.0.1.evil.example' }],
    [false, { url: 'smtp://anna:password@mail.example', requireTls: false }],
    [true, { url, requireTls: true }],
    [true, { transport: { host: 'mail.example', auth: { user: 'anna', pass: 'password' } } }],
    [false, { transport: { host: 'mail.example', auth: { user: 'anna', pass: 'password' }, requireTLS: false } }],
  ])('encryption is required, or is not: %s for %j', (required, options) => {
    expect(readOptions(options).transport.requireTLS).toBe(required);
  });
});

describe('every wait ends before the attempt is given up, and that before the time-out', () => {
  it.each<readonly [number, SmtpNotifierOptions]>([
    [20_000, { url }],
    [10, { url, timeout: 10 }],
    [600_000, { url, timeout: 600_000 }],
    [20_000, { transport: { host: 'mail.example', socketTimeout: 1e9, connectionTimeout: 0, greetingTimeout: NaN } }],
  ])('every wait ends before an attempt is given up after %d ms', (timeout, options) => {
    const { transport, deadline, ...rest } = readOptions(options);
    expect(rest.timeout).toBe(timeout);
    expect(deadline).toBeLessThan(timeout);
    for (const name of ['dnsTimeout', 'connectionTimeout', 'greetingTimeout', 'socketTimeout'] as const) {
      expect(transport[name]).toBeGreaterThan(0);
      expect(transport[name]).toBeLessThan(deadline);
    }
    expect(transport.connectionTimeout).toBeLessThanOrEqual(10_000);
  });

  it('a shorter wait that the host chose stays', () => {
    const { transport } = readOptions({ transport: { host: 'mail.example', socketTimeout: 500 } });
    expect(transport.socketTimeout).toBe(500);
  });
});

it.each<readonly [SmtpNotifierOptions, object]>([
  [{ url }, { pool: true }],
  [{ url, pool: false }, { pool: false }],
  [
    { url, pool: { maxConnections: 2 } },
    { pool: true, maxConnections: 2 },
  ],
  [{ transport: { host: 'mail.example', pool: false } }, { pool: false }],
])('the options %j keep connections as %j', (options, expected) => {
  expect(readOptions(options).transport).toMatchObject(expected);
});
