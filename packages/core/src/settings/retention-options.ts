import { days } from '@calends/model';
import * as z from 'zod';

/**
 * How long what is over is kept, in milliseconds; the workers remove what is older. What has no age here and no default is
 * kept for ever. Answers under idempotency keys always go a day after their request, one-time passwords and holds when they are over.
 */
export interface RetentionOptions {
  /** Delivered events, from their delivery on. Default 30 days. */
  readonly events?: number | undefined;
  /**
   * Settled notifications and their delivery events, from their last attempt and from the end of their appointment on,
   * whichever is later; at least 7 days. Default: kept.
   */
  readonly notifications?: number | undefined;
  /** The audit record, from its sealing on; at least 30 days. Default: kept. */
  readonly audit?: number | undefined;
}

/** How long delivered events are kept unless the host says otherwise. */
export const defaultEventAge = days(30);

/** The shortest ages: attempts, polls, receipts and lateness are over by then, and nothing that goes would still change. */
export const minAges = { events: 0, notifications: days(7), audit: days(30) } as const;
const maxAge = days(36_525);

/** What {@link RetentionOptions} may say. */
export const retentionOptionsSchema = z
  .strictObject({
    events: z.int().min(minAges.events).max(maxAge),
    notifications: z.int().min(minAges.notifications).max(maxAge),
    audit: z.int().min(minAges.audit).max(maxAge),
  })
  .partial();
