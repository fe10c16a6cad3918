import type { Appointment } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';

/** A key that the store names: only who has its secret may write, until it is retired (D67). */
export interface NamedKey {
  /** 1 for the first, then one more than the greatest: of two that name a key at once, one is refused. */
  readonly number: number;
  /** Short fingerprint; at most 32 characters. */
  readonly id: string;
  /** Tells the secret from every other one, and nothing of it. */
  readonly check: string;
  /** Since when no process is known to sign with it; absent = it signs. */
  readonly quietSince?: Instant | undefined;
  /**
   * Its key of the audit chain, encrypted under a later key. Present = retired: nothing else names it, nobody signs with it
   * again, and no process needs its secret.
   */
  readonly keptAudit?: string | undefined;
}

/** Which part of all appointments to walk through. */
export interface AppointmentWalk {
  /** The last one of the part before; absent = from the first on. */
  readonly after?: Pick<Appointment, 'organizationId' | 'id'> | undefined;
  /** 1 or more. */
  readonly limit: number;
}

/** An appointment with the instant at which the worker looks at it, which may be the end of a lease. */
export interface WalkedAppointment {
  readonly appointment: Appointment;
  readonly wakeAt: Instant | null;
}

/** Which tickets hold a key. */
export interface TicketsOfKey {
  readonly keyId: string;
  /** Tickets that expired by then do not count. */
  readonly now: Instant;
  /** Nor do manage tickets of appointments that ended by then. */
  readonly endedBy: Instant;
}

/** The part of the store that names the keys in use, and tells what still names one. */
export interface KeyStore {
  /** Every named key, by number. */
  listKeys(): Promise<readonly NamedKey[]>;

  /** Names a key in one atomic step; answers false, and writes nothing, when its number is taken. */
  addKey(key: NamedKey): Promise<boolean>;

  /**
   * Sets `quietSince` and `keptAudit` of the key with this number in one atomic step; answers false, and writes nothing,
   * when they are not as expected any more.
   */
  changeKey(next: NamedKey, expected: NamedKey): Promise<boolean>;

  /**
   * The next appointments of all organizations, in any state, by organization, then id; ids compare by code point. Fewer
   * than `limit` = there are no more at this moment.
   */
  walkAppointments(walk: AppointmentWalk): Promise<readonly WalkedAppointment[]>;

  /**
   * How many tickets of all organizations may have been made under the key and hold: their nonce begins with its id and a
   * dot, or has no dot; they are not revoked and not expired (`now < expiresAt`); and what a manage ticket opens is a live
   * appointment with `end > endedBy`.
   */
  countTickets(tickets: TicketsOfKey): Promise<number>;
}
