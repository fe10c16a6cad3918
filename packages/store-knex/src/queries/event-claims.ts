import type { Claim } from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import type { Row } from '../sql/rows.js';

/** How a database claims what is due. */
export interface ClaimDialect {
  /** Claims due appointments; rows with the `wake_at` that had come as `woken_at`. */
  readonly claimAppointments: (connections: Connections, claim: Claim) => Promise<readonly Row[]>;

  /** Claims events under a token; rows as they are after the claim. */
  readonly claimEvents: (connections: Connections, claim: Claim, token: string) => Promise<readonly Row[]>;
}

/** Which events may be claimed at a time: due, and none of a lower version of the same appointment undelivered. */
export const claimableEvents = `e.due_at <= ? and not exists (
    select 1 from calends_events p
    where p.organization_id = e.organization_id and p.appointment_id = e.appointment_id and p.due_at is not null
      and (p.version < e.version or (p.version = e.version and p.id < e.id)))`;

/** When the first event can be claimed that no undelivered one of its appointment holds back. */
export const nextClaimableEvent = `select min(e.due_at) from calends_events e
  where e.due_at is not null and not exists (
    select 1 from calends_events p
    where p.organization_id = e.organization_id and p.appointment_id = e.appointment_id and p.due_at is not null
      and (p.version < e.version or (p.version = e.version and p.id < e.id)))`;
