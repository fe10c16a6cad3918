/** The basic table in the order of its codes, without the escape at 0x1B (3GPP TS 23.038, section 6.2.1). */
const basicTable =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ' +
  'ÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The extension table: each is written as an escape and a second code (3GPP TS 23.038, section 6.2.1.1). */
const extensionTable = '\f^{}\\[~]|€';

const septets: ReadonlyMap<string, number> = new Map([
  ...Array.from(basicTable, (character) => [character, 1] as const),
  ...Array.from(extensionTable, (character) => [character, 2] as const),
]);

/** Septets that a character takes in the GSM alphabet, or `undefined` if it is not in it. */
export function septetsOf(character: string): number | undefined {
  return septets.get(character);
}
