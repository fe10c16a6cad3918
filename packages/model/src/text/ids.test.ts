import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormedId } from './string-rules.js';

describe('An id (D9)', () => {
  it.each([
    ['', 'an empty text'],
    ['0', 'a number'],
    ['019A3F5C-7B1E-7C3D-8A4F-5E6D7C8B9A01', 'capital letters'],
    ['019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a01 ', 'a blank after'],
    ['019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a01\n', 'a line feed after'],
    ['019a3f5c7b1e7c3d8a4f5e6d7c8b9a01', 'no hyphens'],
    ['{019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a0}', 'braces'],
    ['019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a0\u0000', 'a NUL'],
    ['019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a0é', 'another alphabet'],
    ["' OR 1=1 --", 'SQL'],
    ['x'.repeat(6 * 1024), '6 KB'],
  ])('the id %j is not well formed: %s', (text) => {
    expect(isWellFormedId(text)).toBe(false);
  });

  it('an id of any other text is not well formed', () => {
    fc.assert(fc.property(fc.string(), (text) => !isWellFormedId(text)));
  });
});
