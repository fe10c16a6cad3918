import type { NamedKey, TicketsOfKey } from '@calends/core/store';
import { sql } from '../sql/sql.js';
import { countRows, type InsertNew, listRows, run, type Steps } from '../sql/steps.js';
import { isLive } from '../tables/appointments.js';
import { keyTable, namedKeyColumns, readKey } from '../tables/keys.js';

/** Every named key, by number. */
export const listKeys = () => listRows(sql(`select ${namedKeyColumns} from calends_keys order by key_number`), readKey);

/** Names a key; false when its number is taken. */
export function addKey({ insertNew }: { readonly insertNew: InsertNew }, key: NamedKey): Steps<boolean> {
  return insertNew(keyTable, keyTable.values(key));
}

/** Sets what changes of a key; false when it is not as expected. */
export function* changeKey(next: NamedKey, expected: NamedKey): Steps<boolean> {
  const { affected } = yield* run(
    `update calends_keys set quiet_since = ?, kept_audit = ?
     where key_number = ? and coalesce(quiet_since, -1) = ? and coalesce(kept_audit, '') = ?`,
    [next.quietSince ?? null, next.keptAudit ?? null, next.number, expected.quietSince ?? -1, expected.keptAudit ?? ''],
  );
  return affected === 1;
}

/** How many tickets may have been made under a key and hold. */
export const countTickets = ({ keyId, now, endedBy }: TicketsOfKey) =>
  countRows(
    sql(
      `select count(*) as counted from calends_tickets t
     where t.revoked_at is null and (t.expires_at is null or t.expires_at > ?)
       and (t.nonce not like '%.%' or substr(t.nonce, 1, ${String(keyId.length + 1)}) = ?)
       and (t.kind = 'CALENDAR_FEED' or exists (
         select 1 from calends_appointments a where a.organization_id = t.organization_id and a.id = t.subject_id
           and ${isLive} and a.end_at > ?))`,
      ...[now, `${keyId}.`, endedBy],
    ),
  );
