import { domainToASCII } from 'node:url';

/** One address with the name that is shown beside it. */
export interface Mailbox {
  /** Empty when there is none. */
  readonly name: string;
  readonly address: string;
}

/** As the core takes customers' addresses: nothing in it could end an address, begin another or be an SMTP parameter. */
const addressPattern = /^[^\s@"<>(),;:\\[\]\p{Cc}]+@[^\s@"<>(),;:\\[\]\p{Cc}]+$/u;

/** Longest path of RFC 5321, section 4.5.3.1.3, without its angle brackets. */
const longestAddress = 254;

/** Everything that ends a line or moves a cursor somewhere: none of it belongs into a header. */
const controls = /[\p{Cc}\u2028\u2029]+/gu;

/** Tells whether a text is exactly one address. */
export function isAddress(text: string): boolean {
  return text.length <= longestAddress && addressPattern.test(text);
}

/** A text as one line, for a header. */
export function oneLine(text: string): string {
  return text.replaceAll(controls, ' ').trim();
}

/**
 * Reads `address`, `Name <address>` or `"Name" <address>`; `undefined` for everything else, several addresses among it.
 */
export function parseMailbox(text: string): Mailbox | undefined {
  if (isAddress(text)) return { name: '', address: text };
  const open = text.lastIndexOf('<');
  if (open === -1 || !text.endsWith('>') || text.search(controls) !== -1) return undefined;
  const address = text.slice(open + 1, -1);
  const name = unquoted(text.slice(0, open).trim());
  return name !== undefined && isAddress(address) ? { name, address } : undefined;
}

/** A display name without its quotes; `undefined` where a quote or bracket outside of them makes its end uncertain. */
function unquoted(name: string): string | undefined {
  const inside = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1];
  if (inside !== undefined) return inside.replaceAll(/\\(.)/g, '$1');
  return /["<>@]/.test(name) ? undefined : name;
}

/** The domain of an address, in ASCII; empty when it cannot be written so. */
export function asciiDomainOf({ address }: Mailbox): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1));
}
