import { describe, expect, it } from 'vitest';
import type { CustomerDetails } from '../../domain/customers/profile.js';
import { type ContactProof, provenOf } from './booked-customers.js';

const maria: CustomerDetails = {
  username: 'maria',
  primaryEmail: 'Maria@example.org',
  primaryPhone: '+306900000000',
  metadata: {},
};
type Row = [string, ContactProof, readonly string[], readonly string[]];

describe('What a one-time password proves of a customer (D62, D64)', () => {
  it.each<Row>([
    ['for an address: the address', { username: 'Maria@example.org' }, ['primaryEmail'], ['EMAIL']],
    ['for a number: the number', { username: '+306900000000' }, ['primaryPhone'], ['SMS']],
    ['for a name, when nobody tells where it went: the name, and no address', { username: 'maria' }, ['username'], []],
    [
      'for a name, sent to the address: both',
      { username: 'maria', sentTo: { email: 'maria@EXAMPLE.org' } },
      ['username', 'primaryEmail'],
      ['EMAIL'],
    ],
    [
      'for a name, sent to the number: both',
      { username: 'maria', sentTo: { phone: '+306900000000' } },
      ['username', 'primaryPhone'],
      ['SMS'],
    ],
    ['for a name, sent elsewhere: the name', { username: 'maria', sentTo: { email: 'm@other.org' } }, ['username'], []],
    ['for a name, sent nowhere that is told: the name', { username: 'maria', sentTo: {} }, ['username'], []],
    [
      'for an address, sent elsewhere by a verifier of the host: the name that it is, and no message to it',
      { username: 'Maria@example.org', sentTo: { phone: '+306900000001' } },
      ['primaryEmail'],
      [],
    ],
  ])('%s', (_what, proof, known, toldOver) => {
    const proven = provenOf(maria, proof);
    expect(Object.entries(proven.known).flatMap(([field, value]) => (value === undefined ? [] : [field]))).toEqual(
      known,
    );
    expect(proven.toldOver).toEqual(toldOver);
  });

  it('is the user name that is an address, and the same address beside it', () => {
    const named = { ...maria, username: 'spy@example.org', primaryEmail: 'victim@example.org' };
    expect(provenOf(named, { username: 'spy@example.org' })).toEqual({
      known: { username: 'spy@example.org', primaryEmail: undefined, primaryPhone: undefined },
      toldOver: [],
    });
    expect(provenOf({ ...named, primaryEmail: 'spy@example.org' }, { username: 'spy@example.org' }).toldOver).toEqual([
      'EMAIL',
    ]);
  });

  it('does not take letters beyond ASCII for the same ones', () => {
    const kelvin = { ...maria, primaryEmail: '\u212A@example.org' };
    expect(provenOf(kelvin, { username: 'maria', sentTo: { email: 'k@example.org' } }).toldOver).toEqual([]);
  });
});
