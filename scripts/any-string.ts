// Strings for property tests of several packages.
import fc, { type StringConstraints } from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;

const anyCodePoint = fc.integer({ min: 0, max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (character) => {
    const code = String(character).codePointAt(0) ?? -1;
    return code < firstSurrogate ? code : code - surrogates;
  },
);

/** Strings of all code points, as fast-check's unit `binary` makes them: that one lists a million code points for each place that asks for it, which takes longer than its tests. */
export const anyString = (constraints: Omit<StringConstraints, 'unit'> = {}) =>
  fc.string({ ...constraints, unit: anyCodePoint });
