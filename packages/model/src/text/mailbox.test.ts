import { expect, it } from 'vitest';
import { quickest } from '../../test/quickest.js';
import { parseMailbox } from './string-rules.js';

it.each([
  ['a@b.example', { name: '', address: 'a@b.example' }],
  ['<a@b.example>', { name: '', address: 'a@b.example' }],
  ['Anna <a@b.example>', { name: 'Anna', address: 'a@b.example' }],
  ['Dr. Anna Groß, Ärztin <a@b.example>', { name: 'Dr. Anna Groß, Ärztin', address: 'a@b.example' }],
  ['"Groß, Anna" <a@b.example>', { name: 'Groß, Anna', address: 'a@b.example' }],
  ['"a \\"b\\" \\\\ <c@d.example>" <a@b.example>', { name: 'a "b" \\ <c@d.example>', address: 'a@b.example' }],
  ['', undefined],
  ['Anna', undefined],
  ['Anna <a@b.example> ', undefined],
  ['Anna <>', undefined],
  ['Anna <a@b.example', undefined],
  ['a@b.example, c@d.example', undefined],
  ['a@b.example <c@d.example>', undefined],
  ['A <a@b.example>, C <c@d.example>', undefined],
  ['"A" <a@b.example>, "C" <c@d.example>', undefined],
  ['A" <a@b.example>', undefined],
  ['A <a@b.example>\r\n', undefined],
  ['A\tB <a@b.example>', undefined],
])('the mailbox %j is read as %j', (text, expected) => {
  expect(parseMailbox(text)).toEqual(expected);
});

it('a long text is read at once', () => {
  for (const text of [`"${'\\'.repeat(100_000)}`, `${'<'.repeat(100_000)}>`, `${'a@'.repeat(50_000)}<a@b.example>`]) {
    expect(parseMailbox(text)).toBeUndefined();
    expect(quickest(() => parseMailbox(text))).toBeLessThan(20);
  }
});
