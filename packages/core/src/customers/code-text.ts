/** 128 characters of four bytes, in base64url. */
export const longestCodeText = 684;

const unsafe = /[\p{Cc}\p{Cs}]/u;
const longestId = 128;

/** An id of the host as a part of a code. */
export function codeText(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a part of a code; `undefined` for what none can be, which databases would not take. */
export function idInCode(text: string): string | undefined {
  const id = Buffer.from(text, 'base64url').toString();
  return id === '' || id.length > longestId || unsafe.test(id) ? undefined : id;
}
