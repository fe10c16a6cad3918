import { otpKey } from '../../rows/otp-row.js';
import { fieldNames } from '../../rows/fields.js';
import { ticketFields, ticketKey } from '../../rows/ticket-row.js';
import { nameList } from './column-lists.js';
import type { RowSet } from './row-sets.js';

const same = (key: readonly string[], left: string, right: string): string =>
  key.map((column) => `${left}.${column} = ${right}.${column}`).join(' and ');

const standing = 'position in (select position from standing)';

/** Locks the one-time passwords of the changes, as far as they may be used. */
export const unusedStep = `unused as (
  select c.position from calends_otp_challenges o join consumptions c on ${same(otpKey, 'o', 'c')}
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
    select i.position from calends_tickets t join issues i on ${same(ticketKey, 't', 'i')}
    where t.nonce = i.expected_nonce${afterAppointment(present)} for update of t)`,
  `untimely as (
    select i.position from issues i where case
      when i.expected_nonce is null then exists (select 1 from calends_tickets t where ${same(ticketKey, 't', 'i')})
      else i.position not in (select position from rotatable) end)`,
];

/** Uses one-time passwords up; joined to plain rows only, since somebody may have counted a try meanwhile. */
export const consumptionStep = `consumed as (
  update calends_otp_challenges o set consumed_at = c.at
  from consumptions c join standing s on s.position = c.position
  where ${same(otpKey, 'o', 'c')} and o.challenge_id = c.challenge_id)`;

/** Takes away the manage tickets of removed appointments. */
export const droppedTicketsStep = `tickets_gone as (
  delete from calends_tickets t using dropped d
  where t.organization_id = d.organization_id and t.kind = 'MANAGE' and t.subject_id = d.id and d.${standing})`;

/** Takes away the manage tickets of removed participants. */
export const forfeitStep = `forfeited as (
  delete from calends_tickets t using forfeits f
  where t.organization_id = f.organization_id and t.kind = 'MANAGE' and t.subject_id = f.subject_id
    and t.holder_id = f.holder_id and f.${standing})`;

/**
 * Revokes tickets: the first revocation that reaches one counts. One statement changes a row once: what the change
 * issues anew or takes away is left out, and whether a ticket was revoked meanwhile is looked at again when its row
 * is locked.
 */
export function revocationStep(present: ReadonlySet<RowSet>): string {
  const leftOut = [
    ...(present.has('issues')
      ? [`not exists (select 1 from issues i where i.position = r.position and ${same(ticketKey, 'i', 't')})`]
      : []),
    ...(present.has('forfeits')
      ? [
          `not exists (select 1 from forfeits f where f.position = r.position and t.kind = 'MANAGE'
             and f.subject_id = t.subject_id and f.holder_id = t.holder_id)`,
        ]
      : []),
  ].map((condition) => ` and ${condition}`);
  return `revoked as (
    update calends_tickets t set revoked_at = r.at from (
      select distinct on (${ticketKey.map((column) => `t.${column}`).join(', ')})
        ${ticketKey.map((column) => `t.${column}`).join(', ')}, r.at
      from standing s join revocations r on r.position = s.position join calends_tickets t
        on t.organization_id = r.organization_id and t.kind = r.kind and t.subject_id = r.subject_id
          and (r.holder_id is null or t.holder_id = r.holder_id)
      where t.revoked_at is null${leftOut.join('')}
      order by ${ticketKey.map((column) => `t.${column}`).join(', ')}, r.number
    ) r where ${same(ticketKey, 't', 'r')} and t.revoked_at is null)`;
}

const rotatedColumns = fieldNames(ticketFields).filter((name) => !ticketKey.some((column) => column === name));

/** Issues tickets: a rival's first ticket of the same key violates it and undoes the whole statement. */
export const issueSteps: readonly string[] = [
  `issued as (
    insert into calends_tickets (${nameList(ticketFields)})
    select ${nameList(ticketFields)} from issues where expected_nonce is null and ${standing})`,
  `rotated as (
    update calends_tickets t set ${rotatedColumns.map((name) => `${name} = i.${name}`).join(', ')}
    from issues i join standing s on s.position = i.position
    where i.expected_nonce is not null and ${same(ticketKey, 't', 'i')})`,
];
