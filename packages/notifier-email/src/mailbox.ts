import { domainToASCII } from 'node:url';
import type { Mailbox } from '@calends/core';

/** Everything that ends a line or moves a cursor somewhere: none of it belongs into a header. */
const controls = /[\p{Cc}\u2028\u2029]+/gu;

/** A text as one line, for a header. */
export function oneLine(text: string): string {
  return text.replaceAll(controls, ' ').trim();
}

/** The domain of an address, in ASCII; empty when it cannot be written so. */
export function asciiDomainOf({ address }: Mailbox): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1));
}
