import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '@calends/model';
import type { OtpChallenge } from '../../src/domain/customers/proofs.js';
import { newCode, nextIssues, OtpHashes, withoutLastIssue } from '../../src/operations/proofs/otp/codes.js';
import { KeyRing } from '../../src/keys/key-ring.js';
import { systemSecureRandom } from '../../src/ports/random.js';
import { now } from '../sample-appointments.js';

const secret = 'a secret of at least thirty-two bytes';
const hashes = new OtpHashes(new KeyRing(secret));
const numbers = (...drawn: readonly number[]): { bytes: (length: number) => Uint8Array } => {
  const left = [...drawn];
  return {
    bytes: (length) => {
      const bytes = Buffer.alloc(length);
      bytes.writeUInt32BE(left.shift() ?? 0, length - 4);
      return bytes;
    },
  };
};

describe('A code (D44)', () => {
  it('a code has six digits, zeros in front included', () => {
    expect(newCode(numbers(42))).toBe('000042');
    expect(newCode(numbers(999_999))).toBe('999999');
    expect(newCode(numbers(1_000_000))).toBe('000000');
    fc.assert(
      fc.property(fc.nat(), (drawn) => {
        expect(newCode(numbers(drawn))).toMatch(/^\d{6}$/);
      }),
    );
  });

  it('a code is drawn again where the last numbers would favour some codes', () => {
    // 4294 whole ranges of a million codes fit into 32 bits; what is left over would make low codes likelier.
    expect(newCode(numbers(4_294_000_000, 2 ** 32 - 1, 7))).toBe('000007');
    expect(newCode(numbers(4_293_999_999, 7))).toBe('999999');
  });

  it('a code is as likely as any other, within bounds that chance alone passes once in a million runs', () => {
    const draws = 40_000;
    const counts = new Map<string, number>();
    for (let draw = 0; draw < draws; draw += 1) {
      for (const [place, digit] of Array.from(newCode(systemSecureRandom)).entries()) {
        const cell = `${String(place)} ${digit}`;
        counts.set(cell, (counts.get(cell) ?? 0) + 1);
      }
    }
    const expected = draws / 10;
    const sixSigma = 6 * Math.sqrt(draws * 0.1 * 0.9);
    expect(counts.size).toBe(60);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(sixSigma);
  });

  it('a code is never waited for without end: a broken generator is a fault', () => {
    expect(() => newCode({ bytes: (length) => new Uint8Array(length).fill(255) })).toThrow('random');
  });
});

describe('Whom a code is for (D44)', () => {
  const of = (username: string, application = 'app-1', organization = 'org-1'): string =>
    hashes.subjectOf(organization, application, username);

  it('Whom a code is for is told by organization, application and user name, and shows none of them', () => {
    const subjects = [
      of('maria@example.org'),
      of('maria@example.com'),
      of('maria@example.org', 'app-2'),
      of('maria@example.org', 'app-1', 'org-2'),
      of('app-1","maria@example.org', ''),
      new OtpHashes(new KeyRing(`${secret}!`)).subjectOf('org-1', 'app-1', 'maria@example.org'),
    ];
    expect(new Set(subjects).size).toBe(subjects.length);
    for (const subject of subjects) expect(subject).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    ['the case of an e-mail address', 'maria@example.org', 'Maria@Example.ORG'],
    ['blanks around an e-mail address', 'maria@example.org', ' maria@example.org '],
    ['blanks in a phone number', '+306900000000', '+30 690 000 0000'],
    ['stops of a domain that mail software reads as one', 'maria@example.org', 'maria@example\u3002org'],
    ['a stop behind a domain', 'maria@example.org', 'maria@example.org.'],
    ['wide letters in a domain', 'maria@example.org', 'maria@\uFF45xample.org'],
    ['what nobody sees in a domain', 'maria@example.org', 'maria@exam\u00ADple.o\u200Brg'],
    ['a Kelvin sign in a domain', 'maria@kind.example', 'maria@\u212Aind.example'],
    ['the ASCII form of a domain', 'maria@b\u00FCcher.example', 'maria@xn--bcher-kva.example'],
  ])('Whom a code is for does not depend on %s', (_what, one, other) => {
    expect(of(other)).toBe(of(one));
  });

  // Two spellings that a host tells apart must never share a code: anyone who is one of them could book as the other.
  it.each([
    ['blanks in a user name', 'maria', 'mar ia'],
    ['a blank behind a user name', 'maria', 'maria '],
    ['the case of a user name', 'maria', 'Maria'],
    ['the case of a user name with @', 'maria@home team', 'Maria@home team'],
    ['a Kelvin sign in an e-mail address', 'kim@example.org', '\u212Aim@example.org'],
    ['a dotted capital I in an e-mail address', 'i\u0307@example.org', '\u0130@example.org'],
    ['accents', 'maria@example.org', 'mari\u00E1@example.org'],
    ['what nobody sees before the @', 'maria@example.org', 'ma\u00ADria@example.org'],
    ['what a reader of addresses would take away', 'maria@example.org', 'maria@example.org/mail.example'],
    ['what a reader of addresses would decode', 'maria@example.org', 'maria@ex%61mple.org'],
  ])('Whom a code is for does depend on %s', (_what, one, other) => {
    expect(of(other)).not.toBe(of(one));
  });
});

describe('The hash of a code', () => {
  const challenge = (code: string, challengeId = 'challenge-1'): OtpChallenge => ({
    organizationId: 'org-1',
    subject: 'subject',
    challengeId,
    codeHash: hashes.codeHash(challengeId, code),
    issuedAt: now,
    expiresAt: now + minutes(10),
    tries: 1,
    consumedAt: null,
    issues: [now],
    sentTo: null,
  });

  it('the hash of a code matches its code only', () => {
    const digits = fc.integer({ min: 0, max: 999_999 }).map((number) => String(number).padStart(6, '0'));
    fc.assert(
      fc.property(digits, digits, (right, given) => {
        expect(hashes.matches(challenge(right), given)).toBe(right === given);
      }),
    );
  });

  it.each(['', '12345', '1234567', ' 123456', '123456 ', '１２３４５６', '1e5', 'x'.repeat(100_000)])(
    'the hash of a code does not match what only looks like the code: %#',
    (given) => {
      expect(hashes.matches(challenge('123456'), given)).toBe(false);
    },
  );

  it('the hash of a code is another one for another challenge and another key', () => {
    const given = hashes.codeHash('challenge-1', '123456');
    expect(hashes.codeHash('challenge-2', '123456')).not.toBe(given);
    const other = new OtpHashes(new KeyRing(`${secret}!`));
    expect(other.matches(challenge('123456'), '123456')).toBe(false);
  });

  it('the hash of a code matches nothing where there is no challenge, or a hash that is none', () => {
    expect(hashes.matches(undefined, '123456')).toBe(false);
    expect(hashes.matches(undefined, '')).toBe(false);
    expect(hashes.matches({ ...challenge('123456'), codeHash: '' }, '123456')).toBe(false);
    expect(hashes.matches({ ...challenge('123456'), codeHash: Buffer.alloc(32).toString('base64url') }, '')).toBe(
      false,
    );
  });
});

describe('Issues are limited (D44)', () => {
  const after = (issues: OtpChallenge['issues'], now: number, source?: string) =>
    nextIssues({ issues }, { now, source });

  it.each<[string, readonly number[], number, boolean]>([
    ['the first', [], now, true],
    ['a second within the minute', [now], now + seconds(60) - 1, false],
    ['a second after the minute', [now], now + seconds(60), true],
    ['a fifth within the hour', [0, 1, 2, 3].map((each) => now + minutes(each)), now + minutes(4), true],
    ['a sixth within the hour', [0, 1, 2, 3, 4].map((each) => now + minutes(each)), now + minutes(60) - 1, false],
    [
      'a sixth once the first is an hour old',
      [0, 1, 2, 3, 4].map((each) => now + minutes(each)),
      now + minutes(60),
      true,
    ],
    ['one while another process is ahead of this one', [now + seconds(30)], now, false],
  ])('issues are limited: %s', (_which, issues, at, may) => {
    expect(after(issues, at) !== undefined).toBe(may);
  });

  it('Issues are limited by address and name, where the address is known, and a program that knows instants only still finds them', () => {
    const five = [0, 1, 2, 3, 4].flatMap((each) => [now + minutes(each), 'a']);
    expect(after(five, now + minutes(5), 'a')).toBeUndefined();
    const six = after(five, now + minutes(5), 'b');
    expect(six).toEqual([...five, now + minutes(5), 'b']);
    expect(six?.filter((at) => Number(at) > now + minutes(4))).toEqual([now + minutes(5)]);
    expect(withoutLastIssue(six ?? [])).toEqual(five);
    expect(withoutLastIssue([now])).toEqual([]);
  });

  it('what is remembered of issues has an end', () => {
    let issues: OtpChallenge['issues'] = [];
    for (let at = now; at < now + minutes(600); at += seconds(60))
      issues = after(issues, at, `from ${String(at)}`) ?? issues;
    expect(issues.length).toBeLessThanOrEqual(40);
    expect(nextIssues(undefined, { now, source: undefined })).toEqual([now]);
  });
});
