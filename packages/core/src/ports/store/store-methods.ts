import type { SchedulingStore } from './store.js';

type MethodsOf<Part> = {
  readonly [Name in Exclude<keyof Part, 'capabilities'>]-?: NonNullable<Part[Name]> extends (
    ...given: never[]
  ) => unknown
    ? boolean
    : MethodsOf<NonNullable<Part[Name]>>;
};

/**
 * Every method of the port, by subject, and whether it begins a write. What ends one that has begun (settling, giving back)
 * begins none: its outcome must not be lost.
 */
export const storeMethods = {
  commit: true,
  nextWakeAt: false,
  check: false,
  appointments: {
    find: false,
    list: false,
    listVersions: false,
    listEligible: false,
    countStarting: false,
    countOverlapping: false,
    claimDue: true,
    postpone: true,
    walk: false,
    foldCounts: true,
    repairCounts: true,
  },
  customers: {
    find: false,
    list: false,
    findByContact: false,
    findChallenge: false,
    putChallenge: true,
    countTry: true,
    noteContact: true,
    purgeChallenges: true,
    findTicket: false,
    endSessions: true,
    countTickets: false,
  },
  notifications: {
    claim: true,
    settle: false,
    releaseReminders: false,
    list: false,
    listEvents: false,
    find: false,
    findStanding: false,
    listKept: false,
    countSending: false,
    backlog: false,
    repairQueue: true,
    findEndpoint: false,
    putEndpoint: true,
  },
  events: { claim: true, settle: false, release: true, list: false, purge: true },
  requests: { find: false, purge: true },
  audit: { recordRefusals: true, list: false, unsealed: false, seal: true, listSeals: false, countUnsealed: false },
  availability: { listRecords: false, listBusy: false, listTimes: false, findHold: false, purgeHolds: true },
  // Anyone who is not let in yet must be able to name its key.
  keys: { list: false, add: false, change: false },
  retention: { claim: true, purgeNotifications: true, nextSealed: false, trimAudit: true },
} as const satisfies MethodsOf<SchedulingStore>;

/** A method of a store, bound to it. */
export type StoreCall = (...given: readonly unknown[]) => unknown;

/** Makes what stands in the place of a method, which is named like `commit` or `appointments.find`. */
export type WrapCall = (name: string, call: StoreCall, beginsWrite: boolean) => StoreCall;

/**
 * A store that passes every call through a function: to count, delay or refuse them, whatever their subject.
 *
 * It has the methods of the port only, those that the store has, and so does not work inside a transaction of the host.
 */
export function wrapStore(store: SchedulingStore, wrap: WrapCall): SchedulingStore {
  const wrapped = (part: object, methods: object, subject: string): object =>
    Object.fromEntries(
      Object.entries(methods).flatMap(([name, method]: [string, object | boolean]): [string, unknown][] => {
        const member: unknown = Reflect.get(part, name);
        if (member === undefined) return [];
        if (typeof method === 'object') return [[name, wrapped(Object(member) as object, method, `${name}.`)]];
        if (typeof member !== 'function') return [];
        return [[name, wrap(`${subject}${name}`, member.bind(part) as StoreCall, method)]];
      }),
    );
  return { capabilities: store.capabilities, ...wrapped(store, storeMethods, '') } as SchedulingStore;
}
