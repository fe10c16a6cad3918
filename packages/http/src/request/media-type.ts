const maxHeaderLength = 256;
const parameter = /^[ \t]*([\w!#$%&'*+.^`|~-]+)=("?)([\w.:+-]*)\2[ \t]*$/;

/** Tells whether a `Content-Type` is JSON in UTF-8: `application/json`, with no other charset than that. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined || contentType.length > maxHeaderLength) return false;
  const [type = '', ...parameters] = contentType.split(';');
  return type.trim().toLowerCase() === 'application/json' && parameters.every(isHarmless);
}

function isHarmless(text: string): boolean {
  if (text.trim() === '') return true;
  const match = parameter.exec(text);
  return match !== null && (match[1]?.toLowerCase() !== 'charset' || match[3]?.toLowerCase() === 'utf-8');
}

/** Tells whether a client takes `application/json` and not `application/problem+json` (D36). */
export function takesOnlyPlainJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > maxHeaderLength) return false;
  const ranges = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase());
  const takesProblems = ['application/problem+json', 'application/*', '*/*'].some((range) => ranges.includes(range));
  return !takesProblems && ranges.includes('application/json');
}
