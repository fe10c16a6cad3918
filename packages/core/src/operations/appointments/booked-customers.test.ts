import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CustomerDetails } from '../../domain/customers/profile.js';
import { type ContactProof, isNamed, provenOf } from './booked-customers.js';

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
    [
      'for an address in other letter case, with blanks around it',
      { username: ' maria@EXAMPLE.org ' },
      ['primaryEmail'],
      ['EMAIL'],
    ],
    ['for a number with blanks in it', { username: '+30 690 000 0000' }, ['primaryPhone'], ['SMS']],
    ['for a name in other letter case: nothing, for it is another name', { username: 'Maria' }, [], []],
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
  ])('a one-time password proves something of a customer %s', (_what, proof, known, toldOver) => {
    const proven = provenOf(maria, proof);
    expect(Object.entries(proven.known).flatMap(([field, value]) => (value === undefined ? [] : [field]))).toEqual(
      known,
    );
    expect(proven.toldOver).toEqual(toldOver);
  });

  it('what a one-time password proves is the user name that is an address, and the same address beside it', () => {
    const named = { ...maria, username: 'spy@example.org', primaryEmail: 'victim@example.org' };
    expect(provenOf(named, { username: 'spy@example.org' })).toEqual({
      known: { username: 'spy@example.org', primaryEmail: undefined, primaryPhone: undefined },
      toldOver: [],
    });
    expect(provenOf({ ...named, primaryEmail: 'spy@example.org' }, { username: 'spy@example.org' }).toldOver).toEqual([
      'EMAIL',
    ]);
  });

  it('a one-time password does not take letters beyond ASCII for the same ones', () => {
    const kelvin = { ...maria, primaryEmail: '\u212A@example.org' };
    expect(provenOf(kelvin, { username: 'maria', sentTo: { email: 'k@example.org' } }).toldOver).toEqual([]);
  });
});

describe('The user name of customer-create (D44)', () => {
  it.each<[string, string, boolean]>([
    ['the user name', 'maria', true],
    ['the address', 'Maria@example.org', true],
    ['the address in other letter case', 'mARIA@Example.ORG', true],
    ['the address with blanks around it', ' Maria@example.org ', true],
    ['the number', '+306900000000', true],
    ['the number with blanks in it', '+30 690 000 0000', true],
    ['the user name in other letter case', 'Maria', false],
    ['the user name with a blank', 'maria ', false],
    ['another number', '+30 690 000 0001', false],
    ['nothing', '', false],
  ])('the user name of customer-create may be %s of the customer: %j is %s', (_what, username, named) => {
    expect(isNamed(username, maria)).toBe(named);
  });

  it('the user name of customer-create is the same person written in any way, and proves the address then', () => {
    const blanks = fc.array(fc.boolean(), { minLength: 13, maxLength: 13 });
    const letters = fc.array(fc.boolean(), { minLength: 17, maxLength: 17 });
    fc.assert(
      fc.property(blanks, letters, (gaps, capitals) => {
        const phone = gaps.map((gap, at) => `${gap ? ' ' : ''}${'+306900000000'.charAt(at)}`).join('');
        const letterAt = (at: number): string => 'maria@example.org'.charAt(at);
        const email = capitals.map((capital, at) => (capital ? letterAt(at).toUpperCase() : letterAt(at))).join('');
        for (const username of [phone, email]) {
          expect(isNamed(username, maria)).toBe(true);
          expect(provenOf(maria, { username }).toldOver).toHaveLength(1);
        }
      }),
    );
  });
});
