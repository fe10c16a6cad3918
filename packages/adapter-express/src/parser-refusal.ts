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
  const { type, code, status } = fault as Readonly<Record<'type' | 'code' | 'status', unknown>>;
  // Parsers put one on whatever they blame the client for; without it, it is a fault of the host, such as one of its own zlib.
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  // Faults of inflating come as they are from zlib, without a type.
  return refusals.get(type) ?? (typeof code === 'string' && code.startsWith('Z_') ? 'malformed' : undefined);
}
