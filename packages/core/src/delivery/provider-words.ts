import type { ProviderReference } from '../domain/notifications/provider-answers.js';

/** How far a provider's word lies on the way to the recipient (D50); 0 = not known. */
const words: readonly (readonly [rank: number, words: readonly string[]])[] = [
  [1, ['accepted', 'queued', 'scheduled', 'sending']],
  [2, ['sent']],
  [3, ['delivered', 'read', 'opened', 'undelivered', 'failed', 'bounced', 'rejected', 'suppressed', 'canceled']],
];
/** A map, since the words come from outside: an object would also know `constructor`. */
const ranks = new Map(words.flatMap(([rank, ofRank]) => ofRank.map((word) => [word, rank] as const)));

/** Rank of a provider's own word: reports only move up, since they come late, twice and out of order. */
export function rankOfWord(word: string | undefined): number {
  return ranks.get(word?.toLowerCase() ?? '') ?? 0;
}

/** The rank above which nothing more is to be expected. */
export const finalRank = 3;

/** Tells whether a provider's word goes back behind one that is known and not final. */
export function isBehind(word: string | undefined, known: string | undefined): boolean {
  const knownRank = rankOfWord(known);
  return word !== undefined && knownRank < finalRank && rankOfWord(word) < knownRank;
}

const maxWordLength = 64;
const maxIdLength = 255;
const maxErrorLength = 500;

/** A text from outside in a form that every store takes: no control characters, no halves of pairs, bounded. */
export function plainText(text: string, maxLength: number): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  const printable = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
  return printable.slice(0, maxLength).replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** An error of a provider's adapter, for staff. */
export const plainError = (error: string): string => plainText(error, maxErrorLength);

/** What a provider calls a message, in fields of a notification. */
export function referenceFields({ messageId, conversationId, providerStatus }: ProviderReference): ProviderReference {
  return {
    messageId: messageId && plainText(messageId, maxIdLength),
    conversationId: conversationId && plainText(conversationId, maxIdLength),
    providerStatus: providerStatus && plainText(providerStatus, maxWordLength),
  };
}
