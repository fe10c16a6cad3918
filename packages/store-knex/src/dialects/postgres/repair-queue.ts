import type { QueueRepair } from '@calends/core/store';
import { run, runSingle, type Steps } from '../../sql/steps.js';
import { integer, text } from '../../sql/rows.js';
import { requeueSteps } from './notification-queue.js';

/** Notifications that one step looks at: some tens of milliseconds. */
const portion = 20_000;

const lastOfPortion = `select organization_id, id from calends_notifications where (organization_id, id) > (?, ?)
  order by organization_id, id offset ${portion - 1} limit 1`;

const isIn = (row: string, bounded: boolean): string =>
  `(${row}.organization_id, ${row}.id) > (?, ?)${bounded ? ` and (${row}.organization_id, ${row}.id) <= (?, ?)` : ''}`;

/**
 * What is written is the notification as it stands under its lock, so that anyone who writes one meanwhile finds its entry
 * right; what somebody holds is left for the next round.
 */
const repair = (bounded: boolean): string => `with amiss as materialized (
    select n.organization_id, n.id from calends_notifications n
    left join calends_notification_queue q on q.organization_id = n.organization_id and q.id = n.id
    where ${isIn('n', bounded)} and case when n.phase = 'DONE' then q.due_at is not null
      else q.id is null or q.phase <> n.phase or coalesce(q.held_until, q.due_at) is distinct from n.wake_at end
  ), stands as materialized (
    select n.organization_id, n.id, n.channel, n.phase, n.wake_at from calends_notifications n
    join amiss a on a.organization_id = n.organization_id and a.id = n.id for update of n skip locked
  ), ${requeueSteps('stands').join(', ')}, left_over as (
    delete from calends_notification_queue q where ${isIn('q', bounded)} and not exists (
      select 1 from calends_notifications n where n.organization_id = q.organization_id and n.id = q.id)
    returning 1
  )
  select (select count(*) from stands) + (select count(*) from left_over) as repaired`;

/** Brings entries of the queue in step with a portion of the notifications, which programs of before 0004 write without. */
export function* repairQueueOnPostgres(after: readonly string[] = ['', '']): Steps<QueueRepair> {
  const last = yield* runSingle(lastOfPortion, after);
  const until = last === undefined ? [] : [text(last, 'organization_id'), text(last, 'id')];
  const range = [...after, ...until];
  const { rows } = yield* run(repair(last !== undefined), [...range, ...range]);
  const repaired = rows[0] === undefined ? 0 : integer(rows[0], 'repaired');
  return last === undefined ? { repaired } : { repaired, next: until };
}
