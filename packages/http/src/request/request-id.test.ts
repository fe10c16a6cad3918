import { describe, expect, it } from 'vitest';
import { randomRequestIds, requestIdOf } from './headers.js';

const make = () => 'made';

describe('the request id', () => {
  it.each(['abc', '0198c0de-0000-7000-8000-000000000001', 'a.b~c_d', 'x'.repeat(128)])(
    'the request id is the client’s %s',
    (sent) => {
      expect(requestIdOf(sent, make)).toBe(sent);
    },
  );

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'a\nb', '<script>', '{"a":1}', 'ä'])(
    'the request id is a new one instead of %s',
    (sent) => {
      expect(requestIdOf(sent, make)).toBe('made');
    },
  );

  it.each([
    ['throws', () => JSON.parse('{') as string],
    ['makes what no header can carry', () => 'a\r\nb'],
    ['makes one later', () => Promise.resolve('made') as never],
    ['makes none later', () => Promise.reject(new Error('no')) as never],
  ])('the request id is a UUID where the maker of the host %s', (_, broken) => {
    expect(requestIdOf(undefined, broken)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('the request id is a UUID by default', () => {
    expect(requestIdOf(undefined, randomRequestIds)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
