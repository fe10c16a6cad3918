import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainError, plainText, referenceFields } from '../domain/notifications/notification.js';
import { rankOfWord } from './report-steps.js';

describe('The words of providers (D50)', () => {
  it.each([
    [['accepted', 'queued', 'sending', 'scheduled'], 1],
    [['sent'], 2],
    [['delivered', 'read', 'opened'], 3],
    [['undelivered', 'failed', 'bounced', 'rejected', 'suppressed'], 3],
    [['canceled'], 3],
    [['', 'something new', 'constructor', '__proto__', 'toString'], 0],
  ])('the words %j have rank %d, in any letter case', (words, rank) => {
    for (const word of words) expect([rankOfWord(word), rankOfWord(word.toUpperCase())]).toEqual([rank, rank]);
  });

  it('words of providers have rank 0 where there is none', () => {
    expect(rankOfWord(undefined)).toBe(0);
  });
});

describe('Texts from outside', () => {
  it('texts from outside have no control characters, no halves of pairs, and an end', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 2000 }),
        fc.integer({ min: 1, max: 600 }),
        (text, maxLength) => {
          const plain = plainText(text, maxLength);
          expect(plain.length).toBeLessThanOrEqual(maxLength);
          // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
          expect(plain).not.toMatch(/[\u0000-\u001f\u007f]/);
          expect(plain).not.toMatch(/\p{Surrogate}/u);
        },
      ),
    );
  });

  it('texts from outside that are cut inside a pair lose its other half too', () => {
    expect(plainText('a\u{1f600}', 2)).toBe('a\ufffd');
  });

  it('texts from outside are one line', () => {
    expect(plainError('550\r\n\tno such user')).toBe('550 no such user');
    expect(plainError('x'.repeat(501))).toHaveLength(500);
  });

  it('texts from outside that a provider does not give stay as they were', () => {
    expect(referenceFields({ messageId: 'm-1', conversationId: undefined })).toEqual({ messageId: 'm-1' });
    expect(referenceFields({})).toEqual({});
    const long = referenceFields({
      messageId: 'm'.repeat(300),
      conversationId: 'c'.repeat(300),
      providerStatus: 's'.repeat(99),
    });
    expect(Object.values(long).map(({ length }) => length)).toEqual([255, 255, 64]);
  });
});
