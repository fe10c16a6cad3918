/** How long a text is as a text message. */
export interface SmsLength {
  /** GSM-7 if the text has only characters of the GSM alphabet, else UCS-2 for the whole of it. */
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** Unicode code points. */
  readonly characters: number;
  /** What is counted and billed: septets with GSM-7, 16-bit units with UCS-2. */
  readonly units: number;
  /** Messages that the text is sent as; 0 for an empty text. */
  readonly segments: number;
  /** Units that fit into each segment: 160 or 70 while there is one, 153 or 67 once there are more. */
  readonly perSegment: number;
}

const capacities = {
  'GSM-7': { alone: 160, joined: 153 },
  'UCS-2': { alone: 70, joined: 67 },
} as const;

/**
 * Tells how a text is encoded and into how many segments it is split.
 *
 * `^ { } \ [ ~ ] | €` and a form feed take two septets, an emoji two 16-bit units; neither pair is ever split between
 * two segments, so that a segment may be one unit short. A single character beyond the GSM alphabet (ç, “ ”, an emoji)
 * makes the whole text UCS-2 and more than halves what fits. What a provider replaces on its own ("smart encoding") is
 * not foreseen. Pure. Source: 3GPP TS 23.038, sections 6.2.1 and 6.2.3, and TS 23.040, section 9.2.3.24.1.
 */
export function smsLength(text: string): SmsLength {
  const characters = Array.from(text);
  const septets = characters.map(septetsOf);
  return septets.every((cost) => cost !== undefined)
    ? measured('GSM-7', septets)
    : measured(
        'UCS-2',
        characters.map((character) => character.length),
      );
}

function measured(encoding: SmsLength['encoding'], costs: readonly number[]): SmsLength {
  const { alone, joined } = capacities[encoding];
  const units = costs.reduce((sum, cost) => sum + cost, 0);
  const isAlone = units <= alone;
  return {
    encoding,
    characters: costs.length,
    units,
    segments: isAlone ? Math.min(units, 1) : segmentsOf(costs, joined),
    perSegment: isAlone ? alone : joined,
  };
}

/** Fills one segment after the other; a character that does not fit any more begins the next. */
function segmentsOf(costs: readonly number[], perSegment: number): number {
  let segments = 1;
  let used = 0;
  for (const cost of costs) {
    if (used + cost > perSegment) {
      segments += 1;
      used = 0;
    }
    used += cost;
  }
  return segments;
}

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
