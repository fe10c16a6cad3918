import { describe, expect, it } from 'vitest';
import { clientAddressOf, limitedSource } from './request-limiter.js';

describe('the address of a client', () => {
  const address = '10.0.0.1';
  const forwardedFor = '6.6.6.6, 8.8.8.8,9.9.9.9';
  it.each([
    ['the connection’s, without a proxy', { address, forwardedFor }, 0, address],
    ['what the only proxy saw', { address, forwardedFor }, 1, '9.9.9.9'],
    ['what the outer one of two saw', { address, forwardedFor }, 2, '8.8.8.8'],
    ['the connection’s, where fewer proxies have written than there are', { address, forwardedFor }, 4, address],
    ['the connection’s, where no proxy has written', { address, forwardedFor: undefined }, 1, address],
  ])('the address of a client is %s', (_, peer, trustProxy, expected) => {
    expect(clientAddressOf(peer, trustProxy)).toBe(expected);
  });
});

describe('what limits count an address by', () => {
  it.each([
    ['8.8.8.8', '8.8.8.8'],
    ['8.8.8.8:4711', '8.8.8.8'],
    ['::ffff:8.8.8.8', '8.8.8.8'],
    ['::ffff:808:808', '8.8.8.8'],
    ['2a00:1450:4001:81b::200e', '2a00:1450:4001:81b::/64'],
    ['2a00:1450:4001:81b:ffff:ffff:ffff:ffff', '2a00:1450:4001:81b::/64'],
    ['[2a00:1450:4001:81b::1]:443', '2a00:1450:4001:81b::/64'],
    ['203.0.113.9', '203.0.113.9'],
  ])('limits count the address %s as %s', (address, source) => {
    expect(limitedSource(address)).toBe(source);
  });

  it.each([
    ...[undefined, '', 'unknown', 'x'.repeat(10_000), '127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::'],
    ...['10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.1.1', 'fe80::1', 'fd00::1', '100.64.0.1'],
  ])('%s is no public address', (address) => {
    expect(limitedSource(address)).toBeUndefined();
  });
});
