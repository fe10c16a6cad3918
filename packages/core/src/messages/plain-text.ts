// Controls, line ends of any kind, lone surrogates, and the marks that reverse the reading direction.
const breaksLines = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s\u202A-\u202E\u2066-\u2069]+/gu;

/** A text in one line, without control characters: it can neither begin a header nor another line. */
export function singleLine(text: string): string {
  return text.replace(breaksLines, ' ').trim();
}

/** Full stops, and what browsers take for one in the name of a host. */
const stop = String.raw`[.\u2024\u3002\uFE52\uFF0E\uFF61]`;
/** Characters that a host may have in its name without being another one for it. */
const unseen = String.raw`[\p{Cf}\p{M}]*`;

/** The characters behind which a blank keeps programs from making a link of what is around them. */
const joints = new RegExp(
  [
    // The last part of a host's name has two letters or more.
    String.raw`(?<=\S)${stop}(?=${unseen}\p{L}${unseen}[\p{L}\p{N}-])`,
    // Whatever follows these.
    String.raw`(?<=\b(?:www\d*|ftp))${stop}(?=\S)`,
    // Four numbers are a host too; two or three are a time, a date or a price.
    String.raw`(?<=\d)${stop}(?=\d{1,9}${stop}\d{1,9}${stop}\d)`,
    String.raw`(?<=\S)[@\uFF20](?=\S)`,
    // Schemes; a colon between digits is a time.
    String.raw`(?<=\S):(?=${unseen}[\p{L}/\\%])`,
    String.raw`(?<=[^\s\d]):(?=${unseen}[\d+])`,
    // A share on the network.
    String.raw`\\(?=\\)`,
  ].join('|'),
  'giu',
);

/**
 * A text of which mail programs and telephones make no link: addresses in it are broken by blanks.
 *
 * Anyone who may write a title, a reason or a name could otherwise have messages with links of their own sent to others.
 */
export function withoutLinks(text: string): string {
  return text.replace(joints, '$& ');
}

/** A scheme with its slashes, a mailbox, a web site by its usual name: no name of a person has any of these. */
const address = /:\s*[/\\]|[@\uFF20]|\bwww\d*[.\u2024\u3002\uFE52\uFF0E\uFF61]/iu;

/**
 * A part of a person's name as a greeting may show it: whatever people are called, with nothing in it that becomes a link.
 *
 * Empty when it is plainly an address rather than a name; a greeting does without.
 */
export function nameInGreeting(text = ''): string {
  const name = singleLine(text);
  return address.test(name) ? '' : withoutLinks(name);
}

/** First and last name as a greeting and the header of a mail may show them. */
export function wholeName({
  firstName,
  lastName,
}: {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}): string {
  // Again, as nobody knows what two parts come to.
  return withoutLinks(`${nameInGreeting(firstName)} ${nameInGreeting(lastName)}`.trim());
}

const simpler: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/gu, '-'],
  [/[\u2018\u2019\u201A\u2032]/gu, "'"],
  [/[\u201C\u201D\u201E\u2033\u00AB\u00BB]/gu, '"'],
  [/\u2026/gu, '...'],
  [/[\u00A0\u2007\u2009\u202F]/gu, ' '],
];

/**
 * A text with typographic marks replaced by plain ones.
 *
 * A single dash or narrow blank outside of GSM 03.38 makes an SMS cost more than twice as many segments.
 */
export function plainMarks(text: string): string {
  return simpler.reduce((result, [marks, plain]) => result.replace(marks, plain), text);
}

/** Whether messages and calendar files may have it as a link: http and https only. */
export function isWebLink(link: string): boolean {
  return URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
}

/** A link as `href` and text show it, or an error that does not repeat it. */
export function webAddress(link: string): string {
  if (!isWebLink(link)) throw new Error('A link for a message is not an http or https address.');
  return new URL(link).href;
}
