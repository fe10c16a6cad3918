import { appointmentIdOf } from '../../commit/rivals.js';
import { forfeitsOf } from '../../commit/proof-parts.js';
import { otpTable } from '../../tables/otp-challenges.js';
import { isOver, requestTable } from '../../tables/requests.js';
import { ticketTable } from '../../tables/tickets.js';
import { assignments, insertApplied, isApplied, type Present, sameKey, statementPart } from './statement-part.js';

export const requestStatement = statementPart({
  sets: { answered: { at: 'integer', ...requestTable.fields } },
  rows: ({ change: { request } }) => ({
    answered: request === undefined ? [] : [[request.at, ...requestTable.values(request)]],
  }),
  locks: {
    needs: 'answered',
    steps: () => [
      `answered_before as (
        select a.position from calends_requests r join answered a on ${sameKey(requestTable, 'r', 'a')}
        where not ${isOver('r.', 'a.at')})`,
    ],
  },
  refused: 'answered_before',
  effects: {
    // A rival's of the same key violates it, and undoes the whole statement.
    answered: () => [
      `updated_requests as (
        update calends_requests r set ${assignments(requestTable, 'a')}
        from answered a join applied s on s.position = a.position
        where ${sameKey(requestTable, 'r', 'a')} and ${isOver('r.', 'a.at')} returning a.position)`,
      `inserted_requests as (${insertApplied(requestTable, 'answered')}
          and position not in (select position from updated_requests))`,
    ],
  },
});

export const otpStatement = statementPart({
  sets: { consumptions: { organization_id: 'text', subject: 'text', challenge_id: 'text', at: 'integer' } },
  rows: ({ change: { organizationId, otp } }) => ({
    consumptions: otp && [[organizationId, otp.subject, otp.challengeId, otp.at]],
  }),
  locks: {
    needs: 'consumptions',
    steps: () => [
      `usable_otps as (
        select c.position from calends_otp_challenges o join consumptions c on ${sameKey(otpTable, 'o', 'c')}
        where o.challenge_id = c.challenge_id and o.consumed_at is null for update of o)`,
      `spent_otps as (
        select position from consumptions where position not in (select position from usable_otps))`,
    ],
  },
  refused: 'spent_otps',
  effects: {
    // Joined to plain rows only, since somebody may have counted a try meanwhile.
    consumptions: () => [
      `updated_otps as (
        update calends_otp_challenges o set consumed_at = c.at
        from consumptions c join applied s on s.position = c.position
        where ${sameKey(otpTable, 'o', 'c')} and o.challenge_id = c.challenge_id)`,
    ],
  },
});

/** The appointment of a ticket is locked before it. */
const afterAppointment = (present: Present): string =>
  present.has('kept')
    ? ` and (i.position in (select position from live_appointments) or i.position not in (select position from kept))`
    : '';

const ticketKey = ticketTable.key.map((column) => `t.${column}`).join(', ');

/**
 * Revokes tickets: the first revocation that reaches one counts. One statement changes a row once: what the change
 * issues again or takes away is left out, and whether a ticket was revoked meanwhile is looked at again when its row
 * is locked.
 */
function revocationStep(present: Present): string {
  const leftOut = [
    ...(present.has('issues')
      ? [`not exists (select 1 from issues i where i.position = r.position and ${sameKey(ticketTable, 'i', 't')})`]
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
      select distinct on (${ticketKey}) ${ticketKey}, r.at
      from applied s join revocations r on r.position = s.position join calends_tickets t
        on t.organization_id = r.organization_id and t.kind = r.kind and t.subject_id = r.subject_id
          and (r.holder_id is null or t.holder_id = r.holder_id)
      where t.revoked_at is null${leftOut.join('')}
      order by ${ticketKey}, r.number
    ) r where ${sameKey(ticketTable, 't', 'r')} and t.revoked_at is null)`;
}

export const ticketsStatement = statementPart({
  sets: {
    /** To be issued while their key has the expected one, or none where that is null. */
    issues: { expected_nonce: 'text', ...ticketTable.fields },
    /** Without a holder those of all. */
    revocations: {
      number: 'integer',
      organization_id: 'text',
      kind: 'text',
      subject_id: 'text',
      holder_id: 'text',
      at: 'integer',
    },
    /** Manage tickets that go with their participants. */
    dropped_tickets: { organization_id: 'text', subject_id: 'text', holder_id: 'text' },
  },
  listed: ['revocations', 'dropped_tickets'],
  rows({ change }) {
    const { organizationId, appointment, ticket, revokedTickets = [] } = change;
    const appointmentId = appointmentIdOf(change);
    const isRemoved = appointment?.kind === 'remove';
    return {
      issues: ticket && [[ticket.expectedNonce ?? null, ...ticketTable.values(ticket.next)]],
      revocations: revokedTickets.flatMap(({ kind, subjectId, holderIds = [null], at }, number) =>
        // They go with the appointment.
        isRemoved && kind === 'MANAGE' && subjectId === appointmentId
          ? []
          : holderIds.map((holderId) => [number, organizationId, kind, subjectId, holderId, at]),
      ),
      dropped_tickets:
        appointmentId === undefined || isRemoved
          ? []
          : forfeitsOf(change).map((id) => [organizationId, appointmentId, id]),
    };
  },
  // Locks those that are to be rotated, and tells which changes are refused because there is another by now.
  locks: {
    needs: 'issues',
    steps: (present) => [
      `rotatable as (
        select i.position from calends_tickets t join issues i on ${sameKey(ticketTable, 't', 'i')}
        where t.nonce = i.expected_nonce${afterAppointment(present)} for update of t)`,
      `stale_tickets as (
        select i.position from issues i where case
          when i.expected_nonce is null
          then exists (select 1 from calends_tickets t where ${sameKey(ticketTable, 't', 'i')})
          else i.position not in (select position from rotatable) end)`,
    ],
  },
  refused: 'stale_tickets',
  effects: {
    dropped: () => [
      `tickets_of_removed as (
        delete from calends_tickets t using dropped d
        where t.organization_id = d.organization_id and t.kind = 'MANAGE' and t.subject_id = d.id and d.${isApplied})`,
    ],
    // A rival's first ticket of the same key violates it and undoes the whole statement.
    issues: () => [
      `inserted_tickets as (${insertApplied(ticketTable, 'issues')} and expected_nonce is null)`,
      `updated_tickets as (
        update calends_tickets t set ${assignments(ticketTable, 'i')}
        from issues i join applied s on s.position = i.position
        where i.expected_nonce is not null and ${sameKey(ticketTable, 't', 'i')})`,
    ],
    revocations: (present) => [revocationStep(present)],
    dropped_tickets: () => [
      `deleted_tickets as (
        delete from calends_tickets t using dropped_tickets f
        where t.organization_id = f.organization_id and t.kind = 'MANAGE' and t.subject_id = f.subject_id
          and t.holder_id = f.holder_id and f.${isApplied})`,
    ],
  },
});
