/** The text that bytes are in UTF-8, without its byte order mark; `undefined` for others: what is no letter would be taken for one. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
