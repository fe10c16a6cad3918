import { describe, expect, it } from 'vitest';
import { systemSecureRandom } from '../ports/random.js';
import { keepAudit, keptAuditKey, keptUnder } from './kept-audit.js';
import { KeyRing } from './key-ring.js';

const [one, other] = ['one', 'other'].map((name) => new KeyRing(`the secret ${name} of at least thirty-two bytes`)) as [
  KeyRing,
  KeyRing,
];
const auditKey = new Uint8Array(32).fill(7);
const kept = (keptAudit: string, id = 'old') => ({ number: 1, id, check: 'check', keptAudit });

describe('The audit key of a retired key (D67)', () => {
  const text = keepAudit('old', auditKey, one.current, systemSecureRandom);

  it('the audit key of a retired key comes back with the key under which it is kept, and names that', () => {
    expect(keptUnder(text)).toBe(one.current.id);
    expect(keptAuditKey(kept(text), one)).toEqual(auditKey);
    expect(keepAudit('old', auditKey, one.current, systemSecureRandom)).not.toBe(text);
  });

  it.each([
    ['another secret', kept(text), other],
    ['the row of another key', kept(text, 'new'), one],
    ['a changed text', kept(`${text.slice(0, -2)}${text.endsWith('AA') ? 'BB' : 'AA'}`), one],
    ['a text that was cut off', kept(text.slice(0, 20)), one],
    ['an empty text', kept(''), one],
  ])('the audit key of a retired key stays closed to %s', (_, key, keys) => {
    expect(keptAuditKey(key, keys)).toBeUndefined();
  });
});
