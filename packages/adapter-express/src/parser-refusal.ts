import type { ParserRefusal } from '@calends/http';

/** Faults of Express' own body parsers by their `type` (body-parser: Errors). */
const refusals: ReadonlyMap<unknown, ParserRefusal> = new Map([
  ['entity.too.large', 'tooLarge'],
  ['encoding.unsupported', 'unsupported'],
  ['charset.unsupported', 'unsupported'],
  ['entity.parse.failed', 'malformed'],
  ['entity.verify.failed', 'malformed'],
  ['parameters.too.many', 'malformed'],
  ['querystring.parse.rangeError', 'malformed'],
  ['request.size.invalid', 'malformed'],
  ['request.aborted', 'malformed'],
  ['stream.encoding.set', 'malformed'],
]);

/** Why the host's body parser refused a body; `undefined` for every other fault, which is the host's to handle. */
export function parserRefusal(fault: unknown): ParserRefusal | undefined {
  if (typeof fault !== 'object' || fault === null) return undefined;
  const { type, code } = fault as { readonly type?: unknown; readonly code?: unknown };
  // Faults of inflating come as they are from zlib, without a type.
  return refusals.get(type) ?? (typeof code === 'string' && code.startsWith('Z_') ? 'malformed' : undefined);
}
