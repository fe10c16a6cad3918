/** Why a web hook was not taken. */
export const webhookVerificationCodes = [
  'missing_header',
  'invalid_timestamp',
  'timestamp_too_old',
  'timestamp_too_new',
  'no_matching_signature',
  'invalid_body',
] as const;

/** One of {@link webhookVerificationCodes}. */
export type WebhookVerificationCode = (typeof webhookVerificationCodes)[number];

const messages: Readonly<Record<WebhookVerificationCode, string>> = {
  missing_header: 'webhook-id, webhook-timestamp and webhook-signature must each be there once.',
  invalid_timestamp: 'webhook-timestamp must be whole epoch seconds.',
  timestamp_too_old: 'webhook-timestamp is too long ago.',
  timestamp_too_new: 'webhook-timestamp is too far ahead.',
  no_matching_signature: 'No signature matches: another secret, or the body is not the one that was sent.',
  invalid_body: 'The body is no notification, or is not handed over as it came, as text or bytes.',
};

const brand = Symbol.for('calends.webhook-verification-error');

/** Thrown by `verifyWebhook`; `message` holds nothing of the request and may be answered. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode) {
    super(messages[code]);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells whether a caught value is this error, from this or another copy of the package. */
  static is(value: unknown): value is WebhookVerificationError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
