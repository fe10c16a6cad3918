import { describe, expect, it } from 'vitest';
import { quickest } from '../../test/quickest.js';
import { limits } from '../limits.js';
import { directionOf, formatLocale, parseLocale, tagOfDates } from './string-rules.js';

describe('A locale (D6)', () => {
  it.each([
    ['en', 'en', 'en'],
    ['en-US', 'en-US', 'en_US'],
    ['en_US', 'en-US', 'en_US'],
    ['EN-us', 'en-US', 'en_US'],
    ['zh_hans_cn', 'zh-Hans-CN', 'zh_Hans_CN'],
    ['sr-Latn-RS', 'sr-Latn-RS', 'sr_Latn_RS'],
    ['iw', 'he', 'he'],
  ])('%s is kept as canonical BCP 47 and answered with an underscore', (text, kept, answered) => {
    expect(parseLocale(text)).toBe(kept);
    expect(formatLocale(kept)).toBe(answered);
    expect(parseLocale(answered)).toBe(kept);
  });

  it.each([
    '',
    'e',
    'languages-of-england',
    'en--US',
    'en-US-',
    '-en',
    'en US',
    'en_US.UTF-8',
    '../../etc',
    'en\u0000',
  ])('the locale %j is invalid', (text) => {
    expect(parseLocale(text)).toBeUndefined();
  });

  it('a locale that is longer than a request may send once it is canonical is invalid, so that every answer can be sent back', () => {
    const [fits, grows] = [`sh-x-aaaaaaaa-bbbbbbbb-cccccc`, `sh-x-aaaaaaaa-bbbbbbbb-cccccccc-ddd`];
    expect(parseLocale(fits)).toBe('sr-Latn-x-aaaaaaaa-bbbbbbbb-cccccc');
    expect(grows).toHaveLength(limits.locale);
    expect(parseLocale(grows)).toBeUndefined();
  });

  it.each([
    ['ar-EG', 'rtl'],
    ['he', 'rtl'],
    ['az-Arab', 'rtl'],
    ['az', 'ltr'],
    ['el', 'ltr'],
  ])('%s is read %s', (tag, direction) => {
    expect(directionOf(tag)).toBe(direction);
  });

  it('a locale of 100 KB is refused at once', () => {
    const hostile = `en${'-x'.repeat(50_000)}`;
    expect(parseLocale(hostile)).toBeUndefined();
    expect(quickest(() => parseLocale(hostile))).toBeLessThan(20);
  });
});

describe('The tag to write dates by', () => {
  it.each([
    ['en-u-ca-iso8601', 'en-u-ca-gregory'],
    ['de-DE-u-ca-iso8601-hc-h12', 'de-DE-u-ca-gregory-hc-h12'],
    ['el', 'el'],
    ['th-u-ca-buddhist', 'th-u-ca-buddhist'],
    ['en-x-ca-iso8601', 'en-x-ca-iso8601'],
  ])('the tag to write dates by for %s is %s', (tag, written) => {
    expect(tagOfDates(tag)).toBe(written);
  });
});
