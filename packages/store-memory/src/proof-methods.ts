import type { AuditStore, CustomerStore } from '@calends/core';
import { atOnce } from './at-once.js';
import type { Tables } from './commit.js';

/** The methods on customers' proofs and the audit record. */
export function proofMethods({
  challenges,
  tickets,
  customers,
  audit,
  appointments,
}: Tables): CustomerStore & AuditStore {
  return {
    findOtpChallenge: (organizationId, subject) => atOnce(() => challenges.find(organizationId, subject)),
    putOtpChallenge: (next, expectedChallengeId) => atOnce(() => challenges.put(next, expectedChallengeId)),
    countOtpTry: (attempt) => atOnce(() => challenges.countTry(attempt)),
    noteOtpContact: (note) => atOnce(() => challenges.noteContact(note)),
    purgeOtpChallenges: (before, limit) => atOnce(() => challenges.purge(before, limit)),
    findTicket: (key) => atOnce(() => tickets.find(key)),
    endSessions: (key, sessionsEnded) =>
      atOnce(() => {
        tickets.endSessions(key, sessionsEnded);
      }),
    findCustomersByContact: (search) => atOnce(() => customers.byContact(search)),

    recordRefusals: (refusals) =>
      atOnce(() => {
        audit.addRefusals(appointments, refusals);
      }),
    listAudit: (query) => atOnce(() => audit.list(query)),
    unsealedAudit: (limit, after) => atOnce(() => audit.unsealed(limit, after)),
    sealAudit: (seal) => atOnce(() => audit.seal(seal)),
    listSeals: (organizationId, fromNumber, limit) => atOnce(() => audit.seals(organizationId, fromNumber, limit)),
    countUnsealedAudit: (organizationId) => atOnce(() => audit.countUnsealed(organizationId)),
  };
}
