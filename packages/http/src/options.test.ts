import { describe, expect, it } from 'vitest';
import { checkOptions, type SchedulingHttpOptions } from './options.js';

const authentication = { verify: () => undefined };

describe('options', () => {
  it('options have documented defaults', () => {
    expect(checkOptions({ authentication })).toMatchObject({
      verifier: authentication,
      countIsPublic: false,
      availabilityIsPublic: false,
      turnedOn: new Set(),
      bodyLimit: 262_144,
      requestIdHeader: 'x-request-id',
    });
  });

  it('options that are given as undefined are as good as absent', () => {
    const named =
      'publicUrl countAuth availabilityAuth availability bodyLimit requestTimeout limits requestIdHeader onRoute';
    const absent: SchedulingHttpOptions = {
      authentication,
      publicUrl: undefined,
      limits: undefined,
      onFault: undefined,
    };
    const options = { ...Object.fromEntries(named.split(' ').map((name) => [name, undefined])), ...absent };
    expect(checkOptions(options)).toMatchObject({
      publicOrigin: undefined,
      bodyLimit: 262_144,
      requestTimeout: 10_000,
    });
    const issuer: string | undefined = undefined;
    expect(checkOptions({ authentication: { secret: 's'.repeat(32), issuer, audience: undefined } })).toBeDefined();
  });

  it('options take the host’s own word for who calls, without any verifier (D77)', () => {
    expect(checkOptions({ authentication: 'host', publicUrl: 'https://clinic.example/x' })).toMatchObject({
      verifier: undefined,
      publicOrigin: 'https://clinic.example',
    });
  });

  it.each([1, undefined, 'verify'])('options say what is wrong with a verifier whose verify is %j', (verify) => {
    const options = { authentication: { verify } } as unknown as SchedulingHttpOptions;
    expect(() => checkOptions(options)).toThrow(new TypeError('options.authentication.verify: must be a function.'));
  });

  it.each([[['secret']], [['jwks', 'issuer', 'audience']], [['claims']], [['cacheSize']]])(
    'options say that a verifier of the host would have %j ignored',
    (names) => {
      const beside = Object.fromEntries(names.map((name) => [name, 'x']));
      const options = { authentication: { ...authentication, ...beside } } as SchedulingHttpOptions;
      const fault = `options.authentication: verify stands alone; beside it would be ignored: ${names.join(', ')}.`;
      expect(() => checkOptions(options)).toThrow(new TypeError(fault));
    },
  );

  it('options take a verifier with fields of its own, whatever they are called', () => {
    class Verifier {
      readonly secret: string = 'of the host';
      verify() {
        return this.secret === '' ? undefined : undefined;
      }
    }
    const verifier = new Verifier();
    expect(checkOptions({ authentication: verifier }).verifier).toBe(verifier);
    const unset = { ...authentication, secret: undefined };
    expect(checkOptions({ authentication: unset }).verifier).toBe(unset);
  });

  it.each(
    [
      ...['Content-Length', 'transfer-encoding', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'host'],
      ...['proxy-authenticate', 'set-cookie', 'cookie', 'content-type', 'authorization', 'etag', 'if-match'],
      ...['idempotency-key', 'calends-hold', 'retry-after', 'origin', 'sec-fetch-site', 'x-forwarded-for', 'accept'],
    ].map((name) => [name]),
  )('options refuse a header for request ids that means something else: %s', (requestIdHeader) => {
    expect(() => checkOptions({ authentication, requestIdHeader })).toThrow(
      new TypeError('options.requestIdHeader: must be the name of a header that has no other meaning.'),
    );
  });

  it.each(['x-correlation-id', 'Request-Id', 'x-amzn-trace-id', 'traceparent', 'cf-ray'])(
    'options take a header for request ids that proxies have: %s',
    (requestIdHeader) => {
      expect(checkOptions({ authentication, requestIdHeader }).requestIdHeader).toBe(requestIdHeader.toLowerCase());
    },
  );

  it.each<[object]>([[new Map()], [Promise.resolve({})], [new URL('https://clinic.example')]])(
    'options name limits that are neither numbers nor a limiter: %o',
    (limits) => {
      const fault = 'options.limits: must be `off`, numbers or a limiter.';
      expect(() => checkOptions({ authentication, limits })).toThrow(new TypeError(fault));
    },
  );

  it.each<[string, object | undefined]>([
    ['authentication', {}],
    ['authentication', undefined],
    ['authentication', { authentication: 'secret' }],
    ['authentication', { authentication: null }],
    ["options.authentication: must be an object, or 'host'.", { authentication: 'Host' }],
    [
      "options.authentication: must be an object, or 'host'.",
      { authentication: 'a secret of at least thirty-two bytes' },
    ],
    ['options.authentication: is required.', { authentication: undefined }],
    ['publicUrl', { authentication, publicUrl: 'clinic.example' }],
    ['publicUrl', { authentication, publicUrl: 'file:///x' }],
    ['options.publicUrl: must be an http(s) address.', { authentication, publicUrl: null }],
    ['options.publicUrl: must be an http(s) address.', { authentication, publicUrl: Object.create(null) }],
    ['options.publicUrl: must be an http(s) address.', { authentication, publicUrl: ['http://x'] }],
    ['countAuth', { authentication, countAuth: 'never' }],
    ['availabilityAuth', { authentication, availabilityAuth: 'never' }],
    ['availability', { authentication, availability: 'yes' }],
    ['countOverlapping', { authentication, countOverlapping: 'yes' }],
    ['bodyLimit', { authentication, bodyLimit: '1mb' }],
    ['bodyLimit', { authentication, bodyLimit: 0 }],
    ['requestIdHeader', { authentication, requestIdHeader: 'a b' }],
    ['options.requestIdHeader: must be the name of a header.', { authentication, requestIdHeader: null }],
    ['options.requestIdHeader: must be the name of a header.', { authentication, requestIdHeader: 5 }],
    ['options.requestIdHeader: must be the name of a header.', { authentication, requestIdHeader: ['x-id'] }],
    ['requestIds', { authentication, requestIds: 'x' }],
    ['onFault', { authentication, onFault: true }],
    ['bodyLimits', { authentication, bodyLimits: 5000 }],
    ['secret', { authentication: { secret: 'too short' } }],
  ])('options are checked at start: %s of %j', (name, options) => {
    expect(() => checkOptions(options as SchedulingHttpOptions)).toThrow(name);
  });
});
