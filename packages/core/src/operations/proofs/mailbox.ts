import { isMailAddress } from '@calends/model';
import { domainToASCII, domainToUnicode } from 'node:url';

/** Neither is what they map: one is cut off there, and the other decoded, which makes another domain of it. */
const beyondDomains = /[/?#%]/;
const isAscii = /^[\0-\x7f]*$/;

/**
 * What a mailbox is recognised by, however it is written: the same without regard to the case of ASCII letters before the `@`, and for
 * all ways to write one domain.
 *
 * Mail software maps domains before it looks them up (UTS 46): wide letters, stops of other scripts and what nobody sees lead to the
 * domain without them. Told apart, one mailbox would be as many customers as somebody likes.
 */
export function mailboxKey(address: string): string {
  const [local, domain] = partsOf(address);
  return `${lowerAscii(local)}@${(lookedUp(domain) ?? lowerAscii(domain)).replace(/\.$/, '')}`;
}

/** An address as it is kept: a domain that is not ASCII in the one form in which it is looked up, and everything else as given. */
export function plainMailbox(address: string): string {
  const [local, domain] = partsOf(address);
  const ascii = isAscii.test(domain) ? undefined : lookedUp(domain);
  if (ascii === undefined) return address;
  const plain = `${local}@${domainToUnicode(ascii)}`;
  return isMailAddress(plain) ? plain : address;
}

/**
 * A text with its ASCII letters in small: of others `toLowerCase` makes one of two that are different (U+212A is no `k`), and
 * whoever has the one would be taken for whoever has the other.
 */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function partsOf(address: string): readonly [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
}

/** A domain in ASCII as it is looked up; `undefined` for what cannot be one. */
function lookedUp(domain: string): string | undefined {
  return (beyondDomains.test(domain) ? '' : domainToASCII(domain)) || undefined;
}
