import type { SchedulingStore } from '../ports/scheduling-store.js';
import type { KeyCheck } from './key-check.js';

/**
 * Which methods begin a write. What ends one that has begun (settling, giving back) goes through: its outcome must not be
 * lost. The compiler asks for every method of the port.
 */
const begins = {
  capabilities: false,
  findAppointment: false,
  findCustomer: false,
  listAppointments: false,
  listEligible: false,
  countStarting: false,
  countOverlapping: false,
  commit: true,
  findRequest: false,
  purgeRequests: true,
  claimDueAppointments: true,
  postpone: true,
  nextWakeAt: false,
  claimEvents: true,
  settleEvents: false,
  listEvents: false,
  purgeEvents: true,
  claimNotifications: true,
  settleNotifications: false,
  releaseReminders: false,
  listNotifications: false,
  listDeliveryEvents: false,
  findNotification: false,
  findStanding: false,
  countSending: false,
  listCustomers: false,
  notificationBacklog: false,
  findEndpoint: false,
  putEndpoint: true,
  findOtpChallenge: false,
  putOtpChallenge: true,
  countOtpTry: true,
  noteOtpContact: true,
  purgeOtpChallenges: true,
  findTicket: false,
  endSessions: true,
  findCustomersByContact: false,
  recordRefusals: true,
  listAudit: false,
  unsealedAudit: false,
  sealAudit: true,
  listSeals: false,
  countUnsealedAudit: false,
  repairQueue: true,
  listKeys: false,
  addKey: false,
  changeKey: false,
  walkAppointments: false,
  countTickets: false,
  check: false,
} as const satisfies Record<keyof SchedulingStore, boolean>;

const guarded: ReadonlySet<PropertyKey> = new Set(
  Object.entries(begins).flatMap(([name, isWrite]) => (isWrite ? name : [])),
);

/** The store, of which nothing is written before the keys are checked (D67). */
export function guardedStore(store: SchedulingStore, keys: Pick<KeyCheck, 'admit'>): SchedulingStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const method = member as (...args: unknown[]) => unknown;
      if (!guarded.has(name)) return method.bind(target);
      return (...args: unknown[]) => {
        const waiting = keys.admit();
        // Without a turn of the loop in between: stores join what is asked of them at once.
        return waiting === undefined ? method.apply(target, args) : waiting.then(() => method.apply(target, args));
      };
    },
  });
}
