import type { NotificationChannel } from '../notifications/notification.js';

/** What one pass of the worker did. */
export interface WorkerPass {
  /** Appointments activated, ended as no-show, or aborted. */
  readonly appointments: number;
  /** Events handed to subscribers. */
  readonly events: number;
  /** Notifications that were claimed: sent, polled, or ended. */
  readonly notifications: number;
}

/** How the workers are doing, for health pages. */
export interface WorkerHealth {
  readonly running: boolean;
  /** End of the last pass, and of the last look at what is due of appointments if that was before it, epoch milliseconds; absent before the first. */
  readonly lastPassAt?: number | undefined;
  /** The delivery of notifications, by channel; only channels with a notifier. */
  readonly delivery: readonly ChannelHealth[];
}

/** How the delivery of one channel is doing. */
export interface ChannelHealth {
  readonly channel: NotificationChannel;
  /** When it last looked for due notifications, or had no slot to do so, epoch milliseconds; absent before. */
  readonly lastLookAt?: number | undefined;
  /** Sends and polls under way. */
  readonly inFlight: number;
  readonly slots: number;
  /** Notifications that were ended because their time had passed, since the start (D55). */
  readonly missed: number;
  /** Claims of other workers that had ended without a word, since the start. */
  readonly claimsLost: number;
}

/** The background work: automatic activation, no-shows, aborts, the event relay, notifications, clean-up. */
export interface Workers {
  /** Begins to run until `stop`; a second call does nothing. */
  start(): void;
  /** Claims nothing more and waits for what is under way. */
  stop(): Promise<void>;
  /** Does all that is due now and answers what it did; for hosts that call it from a cron. */
  runOnce(): Promise<WorkerPass>;
  /** Hints that there is work; never needed for correctness. */
  wake(): void;
  /** How the workers are doing. */
  health(): WorkerHealth;
}
