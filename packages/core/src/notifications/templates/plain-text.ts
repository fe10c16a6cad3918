// Controls, line ends of any kind, lone surrogates, and the marks that reverse the reading direction.
const breaksLines = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s\u202A-\u202E\u2066-\u2069]+/gu;

/** A text in one line, without control characters: it can neither begin a header nor another line. */
export function singleLine(text: string): string {
  return text.replace(breaksLines, ' ').trim();
}

const looksLikeAddress = /[/\\@:<>]|[\p{L}\p{N}]{2}\.\p{L}{2}/u;

/**
 * A name of a person as a greeting may show it.
 *
 * Empty when mail programs would make a link of it: whoever books for somebody else could send them anywhere.
 */
export function nameInGreeting(text: string): string {
  const name = singleLine(text);
  return looksLikeAddress.test(name) ? '' : name;
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

/** A link as `href` and text show it, or an error that does not repeat it: http and https alone. */
export function webAddress(link: string): string {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new Error('A link for a message is not an http or https address.');
  }
  return url.href;
}
