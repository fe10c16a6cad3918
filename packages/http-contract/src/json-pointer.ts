/** Names longer than this are not written into a pointer: it would send back what the client sent, at any length. */
const MAX_SEGMENT = 64;

/**
 * JSON Pointer (RFC 6901) from member names and indexes, outermost first.
 *
 * Stops at the object that holds the first overlong name.
 */
export function jsonPointer(path: readonly PropertyKey[]): string {
  let pointer = '';
  for (const step of path) {
    const name = String(step);
    if (name.length > MAX_SEGMENT) break;
    pointer += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return pointer;
}
