/** What was asked for is refused, as the interface would refuse it; the message is the detail of its problem. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
