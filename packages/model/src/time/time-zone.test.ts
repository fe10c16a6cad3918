import { describe, expect, it } from 'vitest';
import { quickest } from '../../test/quickest.js';
import { parseTimeZone } from './time-zone.js';

describe('A time zone (D5)', () => {
  it.each([
    'UTC',
    'Europe/Athens',
    'Europe/Kyiv',
    'Europe/Kiev',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Etc/GMT+5',
    'Etc/GMT-14',
    'GMT',
    'EST5EDT',
    'US/Pacific',
    'Australia/LHI',
    'GB-Eire',
    ...[
      'EST',
      'MST',
      'HST',
      'CET',
      'MET',
      'WET',
      'EET',
      'UCT',
      'Zulu',
      'PRC',
      'ROC',
      'ROK',
      'NZ',
      'GB',
      'Iran',
      'W-SU',
      'GMT0',
      'PST8PDT',
    ],
  ])('%s is a named IANA zone or link, kept and answered as given', (name) => {
    expect(parseTimeZone(name)).toBe(name);
  });

  it.each([
    ['utc', 'UTC'],
    ['europe/athens', 'Europe/Athens'],
    ['EUROPE/KYIV', 'Europe/Kyiv'],
    ['asia/CALCUTTA', 'Asia/Calcutta'],
    ['america/port-AU-prince', 'America/Port-au-Prince'],
    ['australia/lhi', 'Australia/LHI'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['africa/dar_ES_salaam', 'Africa/Dar_es_Salaam'],
  ])('%s is answered as %s: the letter case corrected, the alias not replaced', (given, kept) => {
    expect(parseTimeZone(given)).toBe(kept);
    expect(parseTimeZone(given)).toBe(kept);
  });

  it('a time zone is accepted when the run time knows it, whatever supportedValuesOf leaves out', () => {
    for (const name of Intl.supportedValuesOf('timeZone')) expect(parseTimeZone(name)).toBe(name);
  });

  it.each([
    ['an empty text', ''],
    ['local', 'local'],
    ['system', 'system'],
    ['an offset', '+05:30'],
    ['an offset without a colon', '+0530'],
    ['a negative offset', '-08:00'],
    ['an offset with a UTC prefix', 'UTC+5'],
    ['an offset with a GMT prefix', 'GMT+5'],
    ['Z', 'Z'],
    ['an unknown city', 'Europe/Atlantis'],
    ...'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST SystemV/AST4 bst'
      .split(' ')
      .map((name): [string, string] => ['a name that is no IANA name', name]),
    ['an area only', 'Europe'],
    ['a path', '../../etc/passwd'],
    ['a path inside', 'Europe/../Athens'],
    ['a blank before', ' Europe/Athens'],
    ['a line feed after', 'Europe/Athens\n'],
    ['a NUL', 'Europe/Athens\u0000'],
    ['two slashes', 'Europe//Athens'],
    ['a key of objects', '__proto__'],
    ['another alphabet', 'Europe/Αθήνα'],
    ['65 characters', `Europe/${'A'.repeat(58)}`],
  ])('%s is refused', (_why, text) => {
    expect(parseTimeZone(text)).toBeUndefined();
  });

  it('a time zone of 1 MB is refused before anything else looks at it', () => {
    const hostile = 'A/'.repeat(500_000);
    expect(parseTimeZone(hostile)).toBeUndefined();
    expect(quickest(() => parseTimeZone(hostile))).toBeLessThan(20);
  });
});
