import { describe, expect, it } from 'vitest';
import { localAddress } from './http-server.js';

describe('The address of a server', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://[::1]:3000'],
    ['10.0.0.7', 'http://10.0.0.7:3000'],
    ['fd00::7', 'http://[fd00::7]:3000'],
    ['fe80::1%eth0', 'http://[fe80::1]:3000'],
  ])('the address of a server on %s is %s, which can be read as one', (host, address) => {
    expect(localAddress(host, 3000)).toBe(address);
    expect(URL.canParse(address)).toBe(true);
  });
});
