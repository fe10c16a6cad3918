/**
 * Tells whether a value takes more than so many bytes as compact JSON in UTF-8.
 *
 * Iterative, and stops as soon as the limit is passed: neither depth nor size of the value can make it slow. Bytes that
 * escapes add inside texts are not counted.
 */
export function exceedsJsonSize(value: unknown, maxBytes: number): boolean {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === 'string') {
      size += 2 + utf8Length(part, maxBytes);
    } else if (Array.isArray(part)) {
      // Two brackets, and commas between the elements.
      size += 1 + Math.max(part.length, 1);
      if (size > maxBytes) return true;
      for (const element of part) open.push(element);
    } else if (typeof part === 'object' && part !== null) {
      const members = Object.entries(part);
      // Two braces, and a colon and a comma for each member but the last.
      size += 1 + Math.max(members.length * 2, 1);
      if (size > maxBytes) return true;
      for (const [name, member] of members) open.push(name, member);
    } else {
      size += String(part).length;
    }
    if (size > maxBytes) return true;
  }
  return false;
}

function utf8Length(text: string, maxBytes: number): number {
  if (text.length > maxBytes) return text.length;
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // A pair of surrogates is four bytes: one more for each of its two units.
    if (unit > 0x7f) length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return length;
}
