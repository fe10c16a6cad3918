/** Which notification a receipt is about. */
export interface ReceiptReference {
  readonly organizationId: string;
  readonly notificationId: string;
}

/** The query parameter of a callback address that holds the reference. */
export const referenceParameter = 'calends';

const maxReferenceLength = 2048;

/**
 * The address that the provider calls about one message.
 *
 * The reference is JSON in base64url, so that no proxy on the way has anything to encode again: the address is signed
 * letter by letter.
 */
export function callbackAddress(statusCallback: string, reference: ReceiptReference): string {
  const { organizationId, notificationId } = reference;
  const text = Buffer.from(JSON.stringify([organizationId, notificationId])).toString('base64url');
  const url = new URL(statusCallback);
  url.searchParams.set(referenceParameter, text);
  return url.href;
}

/** The reference in an address that the provider called, or `undefined` if there is none. */
export function readReference(address: string): ReceiptReference | undefined {
  const text = new URL(address).searchParams.get(referenceParameter) ?? '';
  if (!/^[\w-]+$/.test(text) || text.length > maxReferenceLength) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || parts.length !== 2) return undefined;
    const [organizationId, notificationId] = parts as readonly unknown[];
    return typeof organizationId === 'string' && typeof notificationId === 'string'
      ? { organizationId, notificationId }
      : undefined;
  } catch {
    return undefined;
  }
}
