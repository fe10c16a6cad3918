import { describe, expect, it } from 'vitest';
import { tokenKey, VerifiedTokens } from './jwt-verifier.js';

const caller = { id: 'u', organizationId: 'o', roles: [] };

describe('verified tokens', () => {
  it('verified tokens are remembered until they expire and never longer', () => {
    const tokens = new VerifiedTokens(10);
    tokens.set('a', caller, 1000);
    expect(tokens.get('a', 999)).toBe(caller);
    expect(tokens.get('a', 1000)).toBeUndefined();
    expect(tokens.get('a', 999)).toBeUndefined();
  });

  it('verified tokens are bounded; the oldest goes first', () => {
    const tokens = new VerifiedTokens(2);
    for (const key of ['a', 'b', 'a', 'c']) tokens.set(key, caller, 1000);
    expect(['a', 'b', 'c'].map((key) => tokens.get(key, 0))).toEqual([caller, undefined, caller]);
  });

  it('verified tokens are not remembered at all with a size of 0', () => {
    const tokens = new VerifiedTokens(0);
    tokens.set('a', caller, 1000);
    expect(tokens.get('a', 0)).toBeUndefined();
  });

  it('verified tokens are told apart by their exact text', () => {
    expect(tokenKey('a.b.cA')).not.toBe(tokenKey('a.b.cB'));
    expect(tokenKey('a.b.c')).toHaveLength(44);
  });
});
