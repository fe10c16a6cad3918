import { otpTable } from '../../tables/otp-challenges.js';
import { ticketTable } from '../../tables/tickets.js';
import type { RowSet } from './row-sets.js';

const same = (key: readonly string[], left: string, right: string): string =>
  key.map((column) => `${left}.${column} = ${right}.${column}`).join(' and ');

const isApplied = 'position in (select position from applied)';

/** Locks the one-time passwords of the changes, as far as they may be used. */
export const unusedStep = `usable_otps as (
  select c.position from calends_otp_challenges o join consumptions c on ${same(otpTable.key, 'o', 'c')}
  where o.challenge_id = c.challenge_id and o.consumed_at is null for update of o)`;

/** Locks the appointments that stay as they are, as far as they are live, so that none ends or goes before the commit. */
export const keptStep = `live as (
  select k.position from calends_appointments a join kept k on ${same(['organization_id', 'id'], 'a', 'k')}
  where a.state in ('SCHEDULED', 'ACTIVATED') for share of a)`;

/** The appointment of a ticket is locked before it. */
const afterAppointment = (present: ReadonlySet<RowSet>): string =>
  present.has('kept')
    ? ` and (i.position in (select position from live) or i.position not in (select position from kept))`
    : '';

/** Locks the tickets that are to be rotated, and tells which changes are refused because there is another by now. */
export const ticketSteps = (present: ReadonlySet<RowSet>): readonly string[] => [
  `rotatable as (
    select i.position from calends_tickets t join issues i on ${same(ticketTable.key, 't', 'i')}
    where t.nonce = i.expected_nonce${afterAppointment(present)} for update of t)`,
  `stale_tickets as (
    select i.position from issues i where case
      when i.expected_nonce is null then exists (select 1 from calends_tickets t where ${same(ticketTable.key, 't', 'i')})
      else i.position not in (select position from rotatable) end)`,
];

/** Uses one-time passwords up; joined to plain rows only, since somebody may have counted a try meanwhile. */
export const consumptionStep = `used_otps as (
  update calends_otp_challenges o set consumed_at = c.at
  from consumptions c join applied s on s.position = c.position
  where ${same(otpTable.key, 'o', 'c')} and o.challenge_id = c.challenge_id)`;

/** Takes away the manage tickets of removed appointments. */
export const droppedTicketsStep = `tickets_of_removed as (
  delete from calends_tickets t using dropped d
  where t.organization_id = d.organization_id and t.kind = 'MANAGE' and t.subject_id = d.id and d.${isApplied})`;

/** Takes away the manage tickets of removed participants. */
export const forfeitStep = `deleted_tickets as (
  delete from calends_tickets t using dropped_tickets f
  where t.organization_id = f.organization_id and t.kind = 'MANAGE' and t.subject_id = f.subject_id
    and t.holder_id = f.holder_id and f.${isApplied})`;

/**
 * Revokes tickets: the first revocation that reaches one counts. One statement changes a row once: what the change
 * issues again or takes away is left out, and whether a ticket was revoked meanwhile is looked at again when its row
 * is locked.
 */
export function revocationStep(present: ReadonlySet<RowSet>): string {
  const leftOut = [
    ...(present.has('issues')
      ? [`not exists (select 1 from issues i where i.position = r.position and ${same(ticketTable.key, 'i', 't')})`]
      : []),
    ...(present.has('dropped_tickets')
      ? [
          `not exists (select 1 from dropped_tickets f where f.position = r.position and t.kind = 'MANAGE'
             and f.subject_id = t.subject_id and f.holder_id = t.holder_id)`,
        ]
      : []),
  ].map((condition) => ` and ${condition}`);
  return `revoked_tickets as (
    update calends_tickets t set revoked_at = r.at from (
      select distinct on (${ticketTable.key.map((column) => `t.${column}`).join(', ')})
        ${ticketTable.key.map((column) => `t.${column}`).join(', ')}, r.at
      from applied s join revocations r on r.position = s.position join calends_tickets t
        on t.organization_id = r.organization_id and t.kind = r.kind and t.subject_id = r.subject_id
          and (r.holder_id is null or t.holder_id = r.holder_id)
      where t.revoked_at is null${leftOut.join('')}
      order by ${ticketTable.key.map((column) => `t.${column}`).join(', ')}, r.number
    ) r where ${same(ticketTable.key, 't', 'r')} and t.revoked_at is null)`;
}

const rotatedColumns = ticketTable.names.filter((name) => !ticketTable.key.some((column) => column === name));

/** Issues tickets: a rival's first ticket of the same key violates it and undoes the whole statement. */
export const issueSteps: readonly string[] = [
  `inserted_tickets as (
    insert into calends_tickets (${ticketTable.list})
    select ${ticketTable.list} from issues where expected_nonce is null and ${isApplied})`,
  `updated_tickets as (
    update calends_tickets t set ${rotatedColumns.map((name) => `${name} = i.${name}`).join(', ')}
    from issues i join applied s on s.position = i.position
    where i.expected_nonce is not null and ${same(ticketTable.key, 't', 'i')})`,
];
