import type { Instant, NotificationChannel, NotificationState, NotificationType, PartyType } from '@calends/model';

/** Whom a notification addresses, without personal data beyond a label (D57). */
export interface NotificationRecipient {
  readonly displayName: string;
  readonly reasonCode: string | null;
  readonly type: PartyType;
}

/** What both listings show: of a notification, and of how it stood at an event. */
export interface ShownDelivery {
  readonly id: string;
  readonly appointmentId: string;
  readonly channel: NotificationChannel;
  readonly errorMessage?: string | undefined;
  readonly message?: string | undefined;
  readonly nextPollAt?: Instant | undefined;
  /** Milliseconds. */
  readonly offset?: number | undefined;
  readonly providerStatus?: string | undefined;
  readonly recipient: NotificationRecipient;
  readonly retryCount: number;
  readonly scheduledFor?: Instant | undefined;
  readonly status: NotificationState;
  readonly type: NotificationType;
}

/** Delivery status of one notification (notification document, NotificationStatus). */
export interface NotificationStatus extends ShownDelivery {
  readonly canRetry: boolean;
  readonly createdAt: Instant;
  readonly nextRetryAt?: Instant | undefined;
  readonly updatedAt: Instant;
}

/** One delivery event behind a status (notification document, NotificationEvent). */
export interface NotificationEvent extends ShownDelivery {
  readonly statusId: string;
  readonly conversationId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly pollAttempts?: number | undefined;
  readonly timestamp: Instant;
}
