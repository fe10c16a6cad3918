import {
  isLive,
  type ProofGuard,
  type Ticket,
  type TicketIssue,
  type TicketKey,
  type TicketRevocation,
  type TicketsOfKey,
} from '@calends/core/store';
import type { Appointments } from './appointments.js';
import { compositeKey, entry } from './maps.js';
import { sealedCopy } from './sealed-copy.js';

type Subject = Pick<TicketKey, 'kind' | 'subjectId'>;

/** The current ticket of every key, by what it opens. */
export class Tickets {
  readonly #bySubject = new Map<string, Map<string, Ticket>>();

  /** How many may have been made under a key and hold. */
  count({ keyId, now, endedBy }: TicketsOfKey, appointments: Appointments): number {
    const all = [...this.#bySubject.values()].flatMap((holders) => [...holders.values()]);
    return all.filter(({ organizationId, kind, subjectId, nonce, expiresAt, revokedAt }) => {
      if (nonce.includes('.') && !nonce.startsWith(`${keyId}.`)) return false;
      if (revokedAt !== null || (expiresAt !== null && expiresAt <= now)) return false;
      if (kind === 'CALENDAR_FEED') return true;
      const opened = appointments.of(organizationId).find(subjectId)?.appointment;
      return opened !== undefined && isLive(opened) && opened.schedule.end > endedBy;
    }).length;
  }

  find({ organizationId, holderId, ...subject }: TicketKey): Ticket | undefined {
    return this.#of(organizationId, subject)?.get(holderId);
  }

  /** Tells whether the key still has the ticket that was looked at. */
  allows({ next, expectedNonce }: TicketIssue): boolean {
    return this.find(next)?.nonce === expectedNonce;
  }

  /** Tells whether the ticket that somebody proved to have is the current one, not revoked, and no session of it that was ended. */
  holds(organizationId: string, { nonce, session = Infinity, ...key }: ProofGuard): boolean {
    const present = this.find({ organizationId, ...key });
    return present?.nonce === nonce && present.revokedAt === null && (present.sessionsEnded ?? 0) <= session;
  }

  put(next: Ticket): void {
    const key = subjectKey(next.organizationId, next);
    const holders = entry(this.#bySubject, key, () => new Map<string, Ticket>());
    const { sessionsEnded } = holders.get(next.holderId) ?? {};
    const kept = sessionsEnded === undefined ? next : { sessionsEnded, ...next };
    holders.set(next.holderId, sealedCopy(kept));
  }

  revoke(organizationId: string, { kind, subjectId, holderIds, at }: TicketRevocation): void {
    const holders = this.#of(organizationId, { kind, subjectId });
    for (const [holderId, ticket] of holders ?? []) {
      const isMeant = holderIds?.includes(holderId) ?? true;
      if (isMeant && ticket.revokedAt === null) holders?.set(holderId, sealedCopy({ ...ticket, revokedAt: at }));
    }
  }

  endSessions(key: TicketKey, sessionsEnded: number): void {
    const ticket = this.find(key);
    if (ticket === undefined || (ticket.sessionsEnded ?? 0) >= sessionsEnded) return;
    this.put({ ...ticket, sessionsEnded });
  }

  /** Forgets the manage tickets of an appointment, or of one of its participants. */
  removeManage(organizationId: string, appointmentId: string, participantId?: string): void {
    const subject = { kind: 'MANAGE', subjectId: appointmentId } as const;
    const holders = this.#of(organizationId, subject);
    if (participantId === undefined) holders?.clear();
    else holders?.delete(participantId);
    if (holders?.size === 0) this.#bySubject.delete(subjectKey(organizationId, subject));
  }

  #of(organizationId: string, subject: Subject): Map<string, Ticket> | undefined {
    return this.#bySubject.get(subjectKey(organizationId, subject));
  }
}

function subjectKey(organizationId: string, { kind, subjectId }: Subject): string {
  return compositeKey(organizationId, kind, subjectId);
}
