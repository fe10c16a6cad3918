import type { Instant, NotificationChannel, NotificationState, NotificationType } from '@calends/model';

/** Whom a notification addresses, without personal data beyond a label (D57). */
export interface NotificationRecipient {
  readonly displayName: string;
  readonly reasonCode: string | null;
  readonly type: 'CUSTOMER' | 'AGENT' | 'SYSTEM';
}

/** Delivery status of one notification (notification document, NotificationStatus). */
export interface NotificationStatus {
  readonly id: string;
  readonly appointmentId: string;
  readonly canRetry: boolean;
  readonly channel: NotificationChannel;
  readonly createdAt: Instant;
  readonly errorMessage?: string | undefined;
  readonly message?: string | undefined;
  readonly nextPollAt?: Instant | undefined;
  readonly nextRetryAt?: Instant | undefined;
  /** Milliseconds. */
  readonly offset?: number | undefined;
  readonly providerStatus?: string | undefined;
  readonly recipient: NotificationRecipient;
  readonly retryCount: number;
  readonly scheduledFor?: Instant | undefined;
  readonly status: NotificationState;
  readonly type: NotificationType;
  readonly updatedAt: Instant;
}

/** One delivery event behind a status (notification document, NotificationEvent). */
export interface NotificationEvent {
  readonly id: string;
  readonly statusId: string;
  readonly appointmentId: string;
  readonly channel: NotificationChannel;
  readonly conversationId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly message?: string | undefined;
  readonly nextPollAt?: Instant | undefined;
  /** Milliseconds. */
  readonly offset?: number | undefined;
  readonly pollAttempts?: number | undefined;
  readonly providerStatus?: string | undefined;
  readonly recipient: NotificationRecipient;
  readonly retryCount: number;
  readonly scheduledFor?: Instant | undefined;
  readonly status: NotificationState;
  readonly timestamp: Instant;
  readonly type: NotificationType;
}
