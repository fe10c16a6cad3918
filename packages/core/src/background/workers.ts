import * as z from 'zod';
import { byChannelKey, type ChannelKey } from '../settings/channels.js';
import type { ChannelHealth } from '../delivery/channel-worker.js';
import { minutes } from '@calends/model';

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
  /** End of the last pass, or of the last look for due appointments or for events where that was before it, epoch milliseconds; absent before the first. */
  readonly lastPassAt?: number | undefined;
  /** The delivery of notifications, by channel; only channels with a notifier. */
  readonly delivery: readonly ChannelHealth[];
}

/** The background work: automatic activation, no-shows, aborts, the event relay, notifications, clean-up. */
export interface Workers {
  /** Begins to run until `stop`; a second call does nothing. */
  start(): void;
  /**
   * Claims nothing more and waits for what is under way, calls of `runOnce` too; what a `start` begins meanwhile is not waited
   * for. Not to be awaited in a subscriber, which it waits for.
   */
  stop(): Promise<void>;
  /**
   * Does all that is due now and answers what it did; for hosts that call it from a cron. Begins nothing more once `stop` is
   * called. Not to be awaited in a subscriber either.
   */
  runOnce(): Promise<WorkerPass>;
  /** Hints that there is work; never needed for correctness. */
  wake(): void;
  /** How the workers are doing. */
  health(): WorkerHealth;
}

/** How the background work runs; durations are milliseconds. */
export interface WorkerOptions {
  /** Longest sleep between two looks for work. Default 1 s. */
  readonly interval?: number | undefined;
  /** Rows claimed at a time, and events that are handed out at a time. Default 50. */
  readonly batchSize?: number | undefined;
  /** How long a claim keeps other workers away. Default 30 s. */
  readonly lease?: number | undefined;
  /** Sends at a time, by channel. Default 10 e-mails, 10 SMS, 20 web hooks. */
  readonly slots?: Partial<Readonly<Record<ChannelKey, number>>> | undefined;
  /**
   * How long a claim on a notification lasts. Default: the notifier's time-out and 15 s; refused when shorter than
   * the time-out and 5 s.
   */
  readonly deliveryLease?: number | undefined;
  /**
   * How long a change of an appointment waits for messages that are being sent while it takes them back, so that
   * none begins after the call has returned. Default 2 s.
   */
  readonly settleWait?: number | undefined;
}

const slotCount = z.int().min(1).max(1000);

/** How the background work may be set. */
export const workerOptionsSchema = z
  .strictObject({
    interval: z.int().min(10).max(minutes(5)),
    batchSize: z.int().min(1).max(1000),
    lease: z.int().min(1000),
    slots: z.strictObject(byChannelKey(() => slotCount)).partial(),
    deliveryLease: z.int().min(1000),
    settleWait: z.int().min(0).max(minutes(1)),
  })
  .partial();
