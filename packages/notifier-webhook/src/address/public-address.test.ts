import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each(['93.184.216.34', '8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1'])(
    'isPublicAddress takes %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:81b::200e'])(
    'isPublicAddress takes %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared (CGNAT)', '100.64.0.1'],
    ['shared (CGNAT)', '100.127.255.255'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local', '169.254.0.1'],
    ['metadata', '169.254.169.254'],
    ['metadata of containers', '169.254.170.2'],
    ['platform of Azure', '168.63.129.16'],
    ['protocol assignments', '192.0.0.1'],
    ['metadata of Oracle', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarks', '198.18.0.1'],
    ['benchmarks', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-compatible', '::8.8.8.8'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped', '::ffff:8.8.8.8'],
    ['mapped', '::ffff:a9fe:a9fe'],
    ['translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::127.0.0.1'],
    ['NAT64', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::1'],
    ['6to4', '2002:7f00:1::'],
    ['6to4', '2002:a9fe:a9fe::1'],
    ['Teredo', '2001::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ISATAP', '2606:4700::5efe:7f00:1'],
    ['ISATAP', '2606:4700::200:5efe:a00:1'],
    ['benchmarks', '2001:2::1'],
    ['ORCHID', '2001:10::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['discard', '100::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd12:3456::1'],
    ['metadata of AWS', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['segment routing', '5f00::1'],
    ['not given out', '4000::1'],
    ['not given out', '0200::1'],
  ])('isPublicAddress refuses %s: %s', (_why, address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '8.8.8.8 ', '08.8.8.8', 'example.com', '[::1]'])(
    'isPublicAddress refuses what is no plain spelling of an address: "%s"',
    (text) => expect(isPublicAddress(text)).toBe(false),
  );
});
