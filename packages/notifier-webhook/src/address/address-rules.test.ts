import { describe, expect, it } from 'vitest';
import { urlFault } from './address-rules.js';

const open = { allowHttp: true, allowPrivateNetwork: true };

/** Hosts that are this machine or a private network, however they are written. */
const privateHosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f000001',
    '0x7f.1',
    '0X7F.0.0.1',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
  ],
  ...['127.0.0.1.', '0x7f.1.', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '①②⑦.⓪.⓪.①', '１２７.0.0.1', '127。0。0。1'],
  ...['0', '0.0.0.0', '0x0', '10.1', '0xa000001', '167772161', '192.168.1', '3232235777', '172.16.1', '100.64.1'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '168.63.129.16'],
  ...['192.0.2.1', '198.18.1', '224.1', '255.255.255.255', '0xffffffff', '4294967295'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[0:0:0:0:0:ffff:127.0.0.1]', '[::FFFF:169.254.169.254]', '[::ffff:0:127.0.0.1]', '[::ffff:8.8.8.8]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]'],
  ...['[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[FD00:EC2::254]', '[ff02::1]', '[2001:db8::1]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'hook.localhost', 'ｌocalhost', 'loc%61lhost'],
];

describe('urlFault', () => {
  it.each(privateHosts)('urlFault refuses https://%s/ unless private networks are allowed', (host) => {
    expect(urlFault(`https://${host}/hook`, {})).toBe(
      'leads to an address that is not public; allowPrivateNetwork is off',
    );
    expect(urlFault(`https://${host}/hook`, { allowPrivateNetwork: true })).toBeUndefined();
  });

  it.each([
    'https://example.com/hook?key=1',
    'https://example.com./hook',
    'https://93.184.216.34:8443/',
    'https://[2606:4700:4700::1111]/',
    'https://xn--bcher-kva.example/',
    'https://127.0.0.1.example.com/',
    'https://notlocalhost/',
  ])('urlFault takes %s', (url) => expect(urlFault(url, {})).toBeUndefined());

  it.each([
    ['', 'is not a URL'],
    ['/hook', 'is not a URL'],
    ['https://', 'is not a URL'],
    ['https://[fe80::1%25eth0]/', 'is not a URL'],
    ['https://256.1.1.1/', 'is not a URL'],
    ['https://127.0.0.1%00.example.com/', 'is not a URL'],
    ['ftp://example.com/', 'is neither https nor http'],
    ['file:///etc/passwd', 'is neither https nor http'],
    ['javascript:alert(1)', 'is neither https nor http'],
    ['https://user@example.com/', 'has a user name or a password in it'],
    ['https://:secret@example.com/', 'has a user name or a password in it'],
    ['https://example..com/', 'has an empty label in its host name'],
    ['https://127.0.0.1../', 'has an empty label in its host name'],
    ['https://.example.com/', 'has an empty label in its host name'],
  ])('urlFault refuses %s whatever is allowed: it %s', (url, fault) => expect(urlFault(url, open)).toBe(fault));

  it('urlFault takes http only where it is allowed', () => {
    expect(urlFault('http://example.com/', {})).toBe('is not https; allowHttp is off');
    expect(urlFault('HTTP://example.com/', { allowPrivateNetwork: true })).toBe('is not https; allowHttp is off');
    expect(urlFault('http://example.com/', { allowHttp: true })).toBeUndefined();
  });

  it('urlFault lets http alone not open the private network', () => {
    expect(urlFault('http://127.1/', { allowHttp: true })).toContain('not public');
  });
});
