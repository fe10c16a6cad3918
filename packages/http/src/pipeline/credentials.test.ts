import { describe, expect, it } from 'vitest';
import { basicCredentials, bearerToken } from './authenticate.js';

const basic = (text: string | Uint8Array): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a bearer token', () => {
  it.each([
    ['Bearer a.b.c', 'a.b.c'],
    ['bearer a.b.c', 'a.b.c'],
    ['BEARER   a.b.c  ', 'a.b.c'],
  ])('a bearer token is read from %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Bearera.b.c', 'Basic a.b.c', 'Bearer a b', 'Bearer a,b', 'Bearer ä'])(
    'a bearer token is not in %j',
    (header) => {
      expect(bearerToken(header)).toBeUndefined();
    },
  );

  it('a bearer token longer than 8 KB is refused before it is looked at', () => {
    expect(bearerToken(`Bearer ${'x'.repeat(8192)}`)).toBeUndefined();
    expect(bearerToken(`Bearer ${' '.repeat(1_000_000)}x`)).toBeUndefined();
  });
});

describe('basic credentials (D44)', () => {
  it('basic credentials are user name and code in UTF-8; the code may have colons', () => {
    expect(basicCredentials(basic('jürgen:12:34'))).toEqual({ username: 'jürgen', code: '12:34' });
  });

  it.each([
    undefined,
    'Basic',
    'Basic ???',
    'Bearer abc',
    basic(':123456'),
    basic('name:'),
    basic('name'),
    basic(Buffer.from([0xff, 0x3a, 0x31])),
    basic('a\u0000b:123456'),
    basic(`${'x'.repeat(255)}:123456`),
    basic(`name:${'1'.repeat(65)}`),
    `Basic ${'x'.repeat(5000)}`,
  ])('basic credentials are not in %j', (header) => {
    expect(basicCredentials(header)).toBeUndefined();
  });
});
