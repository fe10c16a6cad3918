/**
 * What a notifier can do about an attempt whose outcome nobody knows.
 *
 * `idempotent`: the same key is never delivered twice, so it may be sent again. `lookup`: the provider can be asked
 * (`lookUp`). `none`: it may have arrived and nobody can tell.
 */
export type NotifierCapability = 'idempotent' | 'lookup' | 'none';

/** What the provider calls the message. */
export interface ProviderReference {
  readonly messageId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** The provider's own word. */
  readonly providerStatus?: string | undefined;
}

/** How an attempt ended. Texts are free of personal data: they are shown to staff and logged. */
export type SendResult =
  /** It arrived, or the channel tells nothing beyond the provider having taken it (D50). */
  | ({ readonly status: 'delivered' } & ProviderReference)
  /** The provider took it and will tell more: by `fetchStatus`, or by a receipt. */
  | ({ readonly status: 'submitted' } & ProviderReference)
  | ({
      readonly status: 'failed';
      /** True when another attempt cannot help (D54). */
      readonly permanent: boolean;
      readonly error: string;
      /** The provider's wish, milliseconds; honoured up to 24 h. */
      readonly retryAfter?: number | undefined;
      /** The recipient is gone for good: nothing more is sent to this web hook endpoint. */
      readonly endpointGone?: boolean | undefined;
    } & ProviderReference)
  /** The request left and no answer came: it may have arrived or not. */
  | ({ readonly status: 'unknown'; readonly error: string } & ProviderReference);

/** What a provider says of a message that it took (D50). */
export interface DeliveryReport extends ProviderReference {
  /** `pending`: nothing new; `sent`: handed on; the rest is final. */
  readonly state: 'pending' | 'sent' | 'delivered' | 'failed' | 'cancelled';
  readonly error?: string | undefined;
}

/** How one look at a notification ended. */
export type DeliveryOutcome =
  /** It arrived, or the provider says so. */
  | 'delivered'
  /** The provider took it. */
  | 'submitted'
  /** A definite failure, another attempt follows. */
  | 'retry'
  /** A definite failure for good. */
  | 'failed'
  /** Nobody knows how the attempt ended. */
  | 'unknown'
  /** Nothing was sent: it is not wanted any more. */
  | 'cancelled'
  /** Nothing was sent: too late (D55). */
  | 'missed'
  /** The provider was asked and had nothing new. */
  | 'polled'
  /** Given back without a try: the worker stops, or its claim is too old. */
  | 'returned';
