import { describe, expect, it } from 'vitest';
import { systemSecureRandom } from '../ports/random.js';
import { KeyRing, type Secrets } from './key-ring.js';
import { sealingOperations } from './sealing.js';

const older = 'the older secret of at least thirty-two bytes';
const newer = 'the newer secret of at least thirty-two bytes';
const text = '["Ada Lovelace","αβγ 😀","a b.c"]';
const settings = { about: 'a booking', validFor: 1000 };

let now = Date.UTC(2030, 4, 6);
const sealing = (secrets: Secrets) =>
  sealingOperations(new KeyRing(secrets), { clock: { now: () => now }, secureRandom: systemSecureRandom });

describe('Sealed texts', () => {
  it('a sealed text opens for what it was sealed for, in every process with the secret, and shows nothing', () => {
    const sealed = sealing(newer).seal(text, settings);
    expect(sealing(newer).open(sealed, 'a booking')).toBe(text);
    expect(sealed).toMatch(/^[\w-]{8}\.[\w-]+$/);
    expect(sealed.length).toBeLessThan((Buffer.byteLength(text) * 4) / 3 + 70);
    expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('Ada');
    expect(sealing(newer).seal(text, settings)).not.toBe(sealed);
  });

  it('a sealed text opens after its secret has become the older of two', () => {
    const sealed = sealing(older).seal(text, settings);
    expect(sealing([newer, older]).open(sealed, 'a booking')).toBe(text);
    expect(sealing(newer).open(sealed, 'a booking')).toBeUndefined();
  });

  it('a sealed text is over at its end, and not before', () => {
    const sealed = sealing(newer).seal(text, settings);
    now += 999;
    expect(sealing(newer).open(sealed, 'a booking')).toBe(text);
    now += 1;
    expect(sealing(newer).open(sealed, 'a booking')).toBeUndefined();
  });

  it.each([
    ['another use', (sealed: string) => sealed, 'another booking'],
    ['a changed text', (sealed: string) => `${sealed.slice(0, -6)}AAAAAA`, 'a booking'],
    ['a text that was cut off', (sealed: string) => sealed.slice(0, 20), 'a booking'],
    ['the id of a key alone', (sealed: string) => sealed.split('.')[0] ?? '', 'a booking'],
    ['no text', () => '', 'a booking'],
  ])('a sealed text stays closed to %s', (_name, changed, about) => {
    expect(sealing(newer).open(changed(sealing(newer).seal(text, settings)), about)).toBeUndefined();
  });
});
