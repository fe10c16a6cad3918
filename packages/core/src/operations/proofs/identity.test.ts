import { describe, expect, it } from 'vitest';
import { KeyRing } from '../../keys/key-ring.js';
import { deriveKey } from '../../support/secrets.js';
import type { CustomerDetails } from '../../domain/customers/profile.js';
import { customerIdentity } from './identity.js';

const secret = 'a secret of at least thirty-two bytes';
const identityOf = customerIdentity(new KeyRing(secret));
const of = (details: Partial<CustomerDetails>, organizationId = 'org-1'): string =>
  identityOf(organizationId, { metadata: {}, ...details });

describe('The identity of a customer (D26)', () => {
  it('the identity of a customer is the username, else the e-mail, else the phone', () => {
    const all = { username: 'u', primaryEmail: 'a@b', primaryPhone: '+15550100000' };
    expect(of(all)).toBe(of({ username: 'u' }));
    expect(of({ ...all, username: undefined })).toBe(of({ primaryEmail: 'a@b' }));
    expect(of({ primaryPhone: '+15550100000', firstName: 'A' })).toBe(of({ primaryPhone: '+15550100000' }));
  });

  it('the identity of a customer does not depend on the letter case of an e-mail address', () => {
    expect(of({ primaryEmail: 'Maria@Example.org' })).toBe(of({ primaryEmail: 'maria@example.org' }));
  });

  it('the identity of a customer does not depend on how the domain of an e-mail address is written', () => {
    const one = of({ primaryEmail: 'maria@b\u00fccher.example' });
    for (const domain of [
      'B\u00DCCHER.example',
      'bu\u0308cher.example',
      'xn--bcher-kva.example',
      'b\u00AD\u00fccher\uFF0Eexample',
    ]) {
      expect(of({ primaryEmail: `maria@${domain}` })).toBe(one);
    }
  });

  it.each<[string, string, string]>([
    ['the KELVIN SIGN and k', '\u212aim@example.org', 'kim@example.org'],
    ['the ANGSTROM SIGN and a with a ring', '\u212bsa@example.org', '\u00e5sa@example.org'],
    ['I with a dot and i with a dot above', '\u0130an@example.org', 'i\u0307an@example.org'],
    ['an accented letter and its small form', '\u00c9va@example.org', '\u00e9va@example.org'],
    ['capital and small sigma', '\u03a3@example.org', '\u03c3@example.org'],
  ])(
    'the identity of a customer tells e-mail addresses apart that differ in more than the case of ASCII letters: %s',
    (_what, one, other) => {
      expect(of({ primaryEmail: one })).not.toBe(of({ primaryEmail: other }));
    },
  );

  it('the identity of a customer tells a username from an e-mail address of the same letters', () => {
    expect(of({ username: 'a@b' })).not.toBe(of({ primaryEmail: 'a@b' }));
  });

  it('the identity of a customer differs between organizations and between secrets', () => {
    expect(of({ username: 'u' }, 'org-2')).not.toBe(of({ username: 'u' }));
    const other = customerIdentity(new KeyRing(`${secret}!`));
    expect(other('org-1', { username: 'u' })).not.toBe(of({ username: 'u' }));
  });

  it('the identity of a customer shows nothing of what it is made of', () => {
    expect(of({ username: 'maria' })).toMatch(/^[\w-]{43}$/);
  });
});

describe('Keys', () => {
  it('keys are derived for one purpose, which never serves another', () => {
    const purposes = ['access-token', 'room-ticket', 'customer-identity'] as const;
    const keys = purposes.map((purpose) => Buffer.from(deriveKey(secret, purpose)).toString('hex'));
    expect(new Set(keys).size).toBe(3);
    expect(keys.every((key) => key.length === 64)).toBe(true);
  });

  it('keys are the same for a text and its UTF-8 bytes', () => {
    const bytes = new TextEncoder().encode(secret);
    expect(deriveKey(bytes, 'access-token')).toEqual(deriveKey(secret, 'access-token'));
  });
});
