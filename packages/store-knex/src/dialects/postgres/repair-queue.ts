import type { QueueRepair } from '@calends/core/store';
import { run, runSingle, type Steps } from '../../sql/steps.js';
import { integer, text } from '../../sql/rows.js';
import { requeueSteps } from './notification-queue.js';

/** Notifications that one step looks at: some tens of milliseconds. */
const portion = 20_000;

/** Entries without a notification that one step removes; the next round finds others. */
const maxOrphans = 1000;

const lastOfPortion = `select organization_id, id from calends_notifications where (organization_id, id) > (?, ?)
  order by organization_id, id offset ${portion - 1} limit 1`;

const isIn = (row: string, bounded: boolean): string =>
  `(${row}.organization_id, ${row}.id) > (?, ?)${bounded ? ` and (${row}.organization_id, ${row}.id) <= (?, ?)` : ''}`;

/** Read by its key, however much a planner thinks lies between two keys. */
const portionOf = (table: string, columns: string, bounded: boolean): string =>
  `select t.organization_id, t.id, ${columns} from ${table} t where ${isIn('t', bounded)}
    order by t.organization_id, t.id limit ${portion}`;

/**
 * What is written is the notification as it stands under its lock, so that anyone who writes one meanwhile finds its entry
 * right; what somebody holds is left for the next round, and so are more orphans than one step removes.
 *
 * A full join is made by hash or merge whatever is estimated; any other might compare each row with each.
 */
const repair = (bounded: boolean): string => `with looked_at as materialized (
    ${portionOf('calends_notifications', 't.phase, t.wake_at', bounded)}
  ), entries as materialized (
    ${portionOf('calends_notification_queue', 't.phase, t.due_at, t.held_until', bounded)}
  ), pairs as materialized (
    select n.organization_id, n.id, q.organization_id as entry_organization_id, q.id as entry_id
    from looked_at n full join entries q on q.organization_id = n.organization_id and q.id = n.id
    where case when n.phase = 'DONE' then q.due_at is not null
      else n.id is null or q.id is null or q.phase <> n.phase or coalesce(q.held_until, q.due_at) is distinct from n.wake_at end
  ), stands as materialized (
    select n.* from pairs p cross join lateral (
      select t.organization_id, t.id, t.channel, t.phase, t.wake_at from calends_notifications t
      where t.organization_id = p.organization_id and t.id = p.id for update skip locked) n
  ), ${requeueSteps('stands').join(', ')}, orphans as materialized (
    select entry_organization_id as organization_id, entry_id as id from pairs where id is null limit ${maxOrphans}
  ), left_over as (
    delete from calends_notification_queue q using orphans o
    where q.organization_id = o.organization_id and q.id = o.id returning 1
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
