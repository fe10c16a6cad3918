import { noLimit } from './sql.js';
import type { NotificationQueue } from '../../queries/notification-queue.js';

/**
 * `calends_notification_queue` beside the notifications: channel, phase and time of each that is not DONE.
 *
 * A notification is a wide row with indices of its own, and delivery changes it twice at least. With what is due in a
 * narrow table, these changes touch no index of the wide one. The notification stays the truth: anyone who writes one
 * has locked it, and brings its entry in step with the same statement; a claim believes an entry only while the
 * notification says the same.
 *
 * An entry says when its notification is due (`due_at`). A claim leaves that as it is and writes beside it when it ends
 * (`held_until`), so that it touches no index of the queue either. Their later one is the notification's `wake_at`.
 */

const columns = 'organization_id, id, channel, phase, due_at';
const noted = ['organization_id', 'id', 'channel', 'phase', 'wake_at'] as const;
const notedNames = noted.join(', ');

/** What a step must return whose rows {@link enqueueStep} or {@link requeueSteps} follow. */
export const queueReturning = (alias: string): string =>
  `returning ${noted.map((name) => `${alias}${name}`).join(', ')}`;

const asNoted =
  'on conflict (organization_id, id) do update set phase = excluded.phase, due_at = excluded.due_at, held_until = null';

/** Puts what was new in the queue. */
export const enqueueStep = `queued as (
  insert into calends_notification_queue (${columns}) select ${notedNames} from inserted_notifications where phase <> 'DONE')`;

/** Brings the entries of what a step wrote in step, those of notifications that had been DONE too. */
export const requeueSteps = (written: string): readonly string[] => [
  `requeued as (
    insert into calends_notification_queue (${columns}) select ${notedNames} from ${written} where phase <> 'DONE'
    ${asNoted})`,
  dequeueStep(written),
];

/** Takes the entries away of what a step has brought to an end. */
export const dequeueStep = (written: string): string => `dequeued_${written} as (
  delete from calends_notification_queue q using ${written} w
  where q.organization_id = w.organization_id and q.id = w.id and w.phase = 'DONE' returning q.organization_id, q.id)`;

/**
 * Silences the entries of what was cancelled that {@link dequeueStep} cannot see: anyone who retried a notification by
 * hand since the statement began made a new entry. Only a conflict finds it; it stays, DONE and without a time.
 */
export const silenceStep = `silenced as (
  insert into calends_notification_queue (${columns}) select ${notedNames} from cancelled c
  where phase = 'DONE' and not exists (
    select 1 from dequeued_cancelled d where d.organization_id = c.organization_id and d.id = c.id)
  ${asNoted})`;

export const notificationQueue: NotificationQueue = {
  inStep: (update) =>
    `with written as (${update} ${queueReturning('')}), ${requeueSteps('written').join(', ')} select 1`,
  // The first entry that nobody holds, or the end of a claim on one before it: those on later ones end later.
  nextDue: `with asked as materialized (select ?::text as channel), free as materialized (
      select due_at from calends_notification_queue
      where channel = (select channel from asked) and due_at is not null and held_until is null
      order by due_at, id limit 1
    )
    select least((select due_at from free), (
      select min(held_until) from (
        select held_until from calends_notification_queue
        where channel = (select channel from asked)
          and due_at <= coalesce((select due_at from free), ${Number.MAX_SAFE_INTEGER})
        order by due_at, id limit ${noLimit}
      ) until_then))`,
  notDone: {
    tables: `calends_notification_queue q
      join calends_notifications n on n.organization_id = q.organization_id and n.id = q.id`,
    where: 'q.organization_id = ?',
  },
  undelivered: `(
    select channel, phase, coalesce(held_until, due_at) as wake_at
    from calends_notification_queue where phase <> 'DONE')`,
};
