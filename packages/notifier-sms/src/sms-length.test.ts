import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smsLength } from './sms-length.js';

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';

describe('the length of a text message', () => {
  it('the length of a text message has 127 basic characters of one septet and 10 of two', () => {
    expect(new Set(basic).size).toBe(127);
    for (const character of basic)
      expect(smsLength(character), character).toMatchObject({ encoding: 'GSM-7', units: 1 });
    for (const character of extension)
      expect(smsLength(character), character).toMatchObject({ encoding: 'GSM-7', units: 2 });
  });

  it.each(['ç', 'á', '“', '–', '…', '`', '\t', '\u001b', '\u00a0', 'ж', '中', '😀'])(
    'the length of a text message is counted in 16-bit units with %j in the text',
    (character) => {
      expect(smsLength(character)).toMatchObject({ encoding: 'UCS-2', units: character.length, perSegment: 70 });
    },
  );

  it.each([
    ['nothing', '', 'GSM-7', 0, 0, 160],
    ['a full segment', 'x'.repeat(160), 'GSM-7', 160, 1, 160],
    ['one more', 'x'.repeat(161), 'GSM-7', 161, 2, 153],
    ['two full segments', 'x'.repeat(306), 'GSM-7', 306, 2, 153],
    ['one more than two', 'x'.repeat(307), 'GSM-7', 307, 3, 153],
    ['a full segment of pairs', '€'.repeat(80), 'GSM-7', 160, 1, 160],
    ['a pair at the border', `${'x'.repeat(152)}€${'x'.repeat(152)}`, 'GSM-7', 306, 3, 153],
    ['a pair before the border', `${'x'.repeat(151)}€${'x'.repeat(153)}`, 'GSM-7', 306, 2, 153],
    ['a full UCS-2 segment', 'ж'.repeat(70), 'UCS-2', 70, 1, 70],
    ['one more in UCS-2', 'ж'.repeat(71), 'UCS-2', 71, 2, 67],
    ['two full UCS-2 segments', 'ж'.repeat(134), 'UCS-2', 134, 2, 67],
    ['an emoji at the border', `${'x'.repeat(66)}😀${'x'.repeat(66)}`, 'UCS-2', 134, 3, 67],
    ['an emoji before the border', `${'x'.repeat(65)}😀${'x'.repeat(67)}`, 'UCS-2', 134, 2, 67],
  ])('the length of a text message of %s is told', (_, text, encoding, units, segments, perSegment) => {
    expect(smsLength(text)).toEqual({ encoding, characters: Array.from(text).length, units, segments, perSegment });
  });

  const alphabets = {
    'GSM-7': fc.constantFrom(...Array.from(basic + extension)),
    'UCS-2': fc.constantFrom('ж', '😀', 'x', '€'),
  };
  const texts = fc
    .constantFrom(alphabets['GSM-7'], alphabets['UCS-2'])
    .chain((unit) => fc.string({ unit, maxLength: 700 }));

  it('the length of a text message leaves at most one unit of each segment unused but the last', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { units, segments, perSegment } = smsLength(text);
        expect(segments * perSegment).toBeGreaterThanOrEqual(units);
        if (segments > 1) expect((segments - 1) * (perSegment - 1)).toBeLessThan(units);
      }),
    );
  });

  it('the length of a text message never shrinks when a text grows', () => {
    fc.assert(
      fc.property(texts, texts, (text, more) => {
        expect(smsLength(text + more).segments).toBeGreaterThanOrEqual(smsLength(text).segments);
      }),
    );
  });

  it('the length of a text message is the same when a text without pairs is turned round', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from(basic)), maxLength: 700 }), (text) => {
        expect(smsLength(Array.from(text).reverse().join(''))).toEqual(smsLength(text));
      }),
    );
  });

  it('the length of a text message is told for any text, broken ones included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', '\udc00'), (text, broken) => {
        const { characters, units } = smsLength(text + broken);
        expect(units).toBeGreaterThanOrEqual(characters);
      }),
    );
  });
});
