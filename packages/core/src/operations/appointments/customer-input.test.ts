import { describe, expect, it } from 'vitest';
import type { CustomerInput } from './commands.js';
import { errorOf } from '../../../test/error-of.js';
import { quickest } from '../../../test/quickest.js';
import { InputIssues } from '../../domain/calls/input.js';
import { applyCustomer, readCustomer } from './booked-customers.js';
import { type CustomerDetails } from '../../domain/customers/profile.js';

type Read = { readonly details: CustomerDetails; readonly issues: readonly string[] };

async function outcome(read: (issues: InputIssues) => CustomerDetails): Promise<Read> {
  const issues = new InputIssues();
  const details = read(issues);
  const found = await errorOf(() => issues.throwIfAny()).then(
    (error) => error.issues.map(({ pointer, code }) => `${pointer} ${code}`),
    () => [],
  );
  return { details, issues: found };
}

const readNew = (input: unknown): Promise<Read> =>
  outcome((issues) => readCustomer('/customers/0', input as CustomerInput, issues));

const present: CustomerDetails = {
  username: 'maria',
  primaryEmail: 'maria@example.org',
  primaryPhone: '+306900000000',
  firstName: 'Maria',
  lastName: 'Papadopoulou',
  metadata: { segment: 'gold' },
};

const change = (input: unknown, current = present): Promise<Read> =>
  outcome((issues) => applyCustomer('/customer', current, input as CustomerInput, issues));

describe('A new customer (D1, D8)', () => {
  it('a new customer is read whole', async () => {
    const input = {
      username: 'maria',
      contact: { primaryEmail: ' maria@example.org ', primaryPhone: '+30 690 000 0000' },
      name: { firstName: 'Maria', lastName: 'Papadopoulou' },
      metadata: { segment: 'gold' },
    };
    expect(await readNew(input)).toEqual({ details: present, issues: [] });
  });

  it.each([
    ['what nobody sees in it', 'Maria@exam\u00ADple.org', 'Maria@example.org'],
    ['wide letters and stops', 'Maria@\uFF45xample\u3002org', 'Maria@example.org'],
    ['letters beyond ASCII', 'Maria@B\u00DCCHER.example', 'Maria@b\u00FCcher.example'],
    ['letters of ASCII', 'Maria@Example.org', 'Maria@Example.org'],
    ['the ASCII form of other letters', 'Maria@xn--bcher-kva.example', 'Maria@xn--bcher-kva.example'],
    ['what no domain has', 'Maria@b\u00FCcher/example', 'Maria@b\u00FCcher/example'],
  ])(
    'a new customer is kept with the domain that mail software looks up, where it has %s',
    async (_what, given, kept) => {
      const { details } = await readNew({ contact: { primaryEmail: given } });
      expect(details.primaryEmail).toBe(kept);
    },
  );

  it.each<[string, CustomerInput]>([
    ['an e-mail address', { contact: { primaryEmail: 'a@b' } }],
    ['a phone number', { contact: { primaryPhone: '+15550100000' } }],
    ['a username', { username: 'a' }],
  ])('a new customer has at least %s', async (_one, input) => {
    expect((await readNew(input)).issues).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['a name only', { name: { firstName: 'Maria' } }],
    ['empty ones', { username: '', contact: { primaryEmail: '', primaryPhone: ' ' } }],
    ['blanks for a username', { username: '  ' }],
    ['null for contact', { contact: null }],
    ['null for each', { username: null, contact: { primaryEmail: null, primaryPhone: null } }],
  ])('a new customer with %s has no way to be reached', async (_what, input) => {
    expect((await readNew(input)).issues).toContain('/customers/0 required');
  });

  const email = '/customers/0/contact/primaryEmail';
  const phone = '/customers/0/contact/primaryPhone';

  it.each<[string, unknown, string]>([
    ['an e-mail without @', { contact: { primaryEmail: 'maria' } }, `${email} invalid_format`],
    ['an e-mail with two', { contact: { primaryEmail: 'a@b@c' } }, `${email} invalid_format`],
    ['an e-mail with a header', { contact: { primaryEmail: 'a@b\nBcc: c@d' } }, `${email} invalid_format`],
    ['an e-mail list', { contact: { primaryEmail: 'a@b,c@d' } }, `${email} invalid_format`],
    ['an e-mail with a name', { contact: { primaryEmail: '<a@b>' } }, `${email} invalid_format`],
    ['an e-mail of 255', { contact: { primaryEmail: `${'a'.repeat(253)}@b` } }, `${email} too_long`],
    ['a phone without +', { contact: { primaryPhone: '15550100000' } }, `${phone} invalid_format`],
    ['a phone with letters', { contact: { primaryPhone: '+1555CALL' } }, `${phone} invalid_format`],
    ['a phone of 16 digits', { contact: { primaryPhone: '+1234567890123456' } }, `${phone} invalid_format`],
    ['a phone that begins with 0', { contact: { primaryPhone: '+0123456789' } }, `${phone} invalid_format`],
    ['a username of 255', { username: 'u'.repeat(255) }, '/customers/0/username too_long'],
    ['a username of a number', { username: 5 }, '/customers/0/username invalid_type'],
    ['a name of 101', { username: 'u', name: { lastName: 'x'.repeat(101) } }, '/customers/0/name/lastName too_long'],
    [
      'NUL in a name',
      { username: 'u', name: { firstName: '\u0000' } },
      '/customers/0/name/firstName invalid_characters',
    ],
    ['a text in place of a customer', 'maria', '/customers/0 invalid_type'],
    ['null in place of a customer', null, '/customers/0 invalid_type'],
    ['a text in place of contact', { username: 'u', contact: 'x' }, '/customers/0/contact invalid_type'],
    ['a list in place of a name', { username: 'u', name: [] }, '/customers/0/name invalid_type'],
    ['metadata of numbers', { username: 'u', metadata: { a: 1 } }, '/customers/0/metadata invalid_type'],
  ])('a new customer with %s is refused', async (_what, input, issue) => {
    expect((await readNew(input)).issues).toContain(issue);
  });

  it('a new customer with a wrong address is told of that only', async () => {
    expect((await readNew({ contact: { primaryEmail: 'maria' } })).issues).toEqual([`${email} invalid_format`]);
  });

  it('a new customer with 100 KB in a field is refused in little time', async () => {
    const hostile = ['a@'.repeat(50_000), 'a'.repeat(100_000), `+${'1'.repeat(100_000)}`];
    for (const text of hostile) {
      const input = { contact: { primaryEmail: text, primaryPhone: text }, username: text };
      expect((await readNew(input)).issues).toHaveLength(3);
      expect(quickest(() => readCustomer('', input, new InputIssues()))).toBeLessThan(20);
    }
  });
});

describe('A changed customer (D2)', () => {
  it.each<[string, unknown, Partial<CustomerDetails>]>([
    ['absent fields keep', {}, {}],
    [
      'an absent field inside contact keeps',
      { contact: { primaryEmail: 'eleni@example.com' } },
      { primaryEmail: 'eleni@example.com' },
    ],
    ['an empty contact clears both parts', { contact: {} }, { primaryEmail: undefined, primaryPhone: undefined }],
    ['an empty name clears both parts', { name: {} }, { firstName: undefined, lastName: undefined }],
    ['an absent field inside name keeps', { name: { firstName: 'Eleni' } }, { firstName: 'Eleni' }],
    ['an empty text clears', { name: { lastName: '' } }, { lastName: undefined }],
    ['null clears', { username: null }, { username: undefined }],
    ['null for the name clears both parts', { name: null }, { firstName: undefined, lastName: undefined }],
    ['null for the contact clears both parts', { contact: null }, { primaryEmail: undefined, primaryPhone: undefined }],
    ['an empty map clears', { metadata: {} }, { metadata: {} }],
    ['null for metadata clears', { metadata: null }, { metadata: {} }],
    ['a map replaces', { metadata: { tier: '1' } }, { metadata: { tier: '1' } }],
    ['a phone loses its blanks', { contact: { primaryPhone: '+1 555 010 0000' } }, { primaryPhone: '+15550100000' }],
  ])('of a changed customer %s', async (_what, input, changed) => {
    expect(await change(input)).toEqual({ details: { ...present, ...changed }, issues: [] });
  });

  it('a changed customer keeps one way to be reached', async () => {
    const { issues } = await change({ username: '', contact: null });
    expect(issues).toEqual(['/customer required']);
    expect((await change({ contact: null, username: 'other' })).issues).toEqual([]);
  });
});
