import { isIdText } from '../id-text.js';

/**
 * The text of a path segment, or `undefined` when no id can look like this (D9): broken percent-encoding, control
 * characters, lone surrogates, too long. Whether an id of an appointment has the right form is the core's to say.
 */
export function decodePathId(segment: string, maxLength: number): string | undefined {
  if (segment.length > maxLength * 9) return undefined;
  try {
    const id = decodeURIComponent(segment);
    return isIdText(id, maxLength) ? id : undefined;
  } catch {
    return undefined;
  }
}
