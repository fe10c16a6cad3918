/** Control characters (tab, line feed and carriage return are text) and surrogates without their partner. */
const unsafe = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/**
 * Tells whether a string can be stored and answered by every store and client.
 *
 * False for NUL and other control characters (tab, line feed and carriage return are fine) and for unpaired surrogates.
 */
export function isSafeText(text: string): boolean {
  return !unsafe.test(text);
}

/** Tells whether a name would reach an object's prototype when a map is copied carelessly (D8). */
export function isReservedName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}
