import type { SchedulingStore } from '@calends/core';
import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';

const guide = 'docs/guides/write-a-store.md';
const longestArguments = 600;

/** The stores of one case; they note what they were asked last, so that a failure can tell. */
export class WatchedStores {
  #lastAsked: { readonly method: string; readonly given: readonly unknown[] } | undefined;

  /** Every method goes to the store itself; one that is missing rejects and says so. */
  watch(store: SchedulingStore): SchedulingStore {
    return new Proxy(store, {
      get: (_, name) => {
        const member: unknown = Reflect.get(store, name, store);
        if (typeof member !== 'function') return member ?? missing(name);
        return (...given: readonly unknown[]): unknown => {
          this.#lastAsked = { method: String(name), given };
          return Reflect.apply(member, store, given);
        };
      },
    });
  }

  /** The same fault, which now says first, in a sentence, what does not hold. */
  explained(fault: unknown, sentence: string, rule: string | undefined): unknown {
    if (!(fault instanceof Error)) return fault;
    const { message, stack } = fault;
    fault.message = [
      `This does not hold of the store: ${sentence}.`,
      ...(rule === undefined ? [] : [`The rule: ${rule} (${guide})`]),
      ...(this.#lastAsked === undefined ? [] : [`Asked last: ${callOf(this.#lastAsked)}`]),
      message,
    ].join('\n');
    // Node's own runner prints the stack, which begins with the message as it was.
    if (stack !== undefined) fault.stack = stack.replace(message, () => fault.message);
    return fault;
  }
}

function missing(name: PropertyKey): unknown {
  if (!Object.hasOwn(methods, name)) return undefined;
  return () => Promise.reject(new AssertionError({ message: `The store has no method ${String(name)}.` }));
}

function callOf({ method, given }: { readonly method: string; readonly given: readonly unknown[] }): string {
  const text = given.map((each) => inspect(each, { depth: 4, breakLength: Infinity })).join(', ');
  return `${method}(${text.length > longestArguments ? `${text.slice(0, longestArguments)}…` : text})`;
}

/** Every method that a store must have; the compiler misses none. */
const methods: Readonly<Record<Exclude<keyof SchedulingStore, 'capabilities' | 'repairQueue'>, true>> = {
  findAppointment: true,
  findCustomer: true,
  listAppointments: true,
  listEligible: true,
  countStarting: true,
  countOverlapping: true,
  commit: true,
  findRequest: true,
  purgeRequests: true,
  claimDueAppointments: true,
  postpone: true,
  nextWakeAt: true,
  claimEvents: true,
  settleEvents: true,
  listEvents: true,
  purgeEvents: true,
  check: true,
  claimNotifications: true,
  settleNotifications: true,
  releaseReminders: true,
  listNotifications: true,
  listDeliveryEvents: true,
  findNotification: true,
  findStanding: true,
  countSending: true,
  listCustomers: true,
  notificationBacklog: true,
  findEndpoint: true,
  putEndpoint: true,
  findOtpChallenge: true,
  putOtpChallenge: true,
  countOtpTry: true,
  noteOtpContact: true,
  purgeOtpChallenges: true,
  findTicket: true,
  endSessions: true,
  findCustomersByContact: true,
  recordRefusals: true,
  listAudit: true,
  unsealedAudit: true,
  sealAudit: true,
  listSeals: true,
  countUnsealedAudit: true,
  listKeys: true,
  addKey: true,
  changeKey: true,
  walkAppointments: true,
  countTickets: true,
};

/** The methods that a store must have and has not. */
export function missingMethods(store: SchedulingStore): readonly string[] {
  return Object.keys(methods).filter((name) => !(name in store));
}
