import type {
  Instant,
  NotificationChannel,
  NotificationEventSortField,
  NotificationSortField,
  NotificationState,
  NotificationType,
} from '@calends/model';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type {
  ClaimedNotification,
  DeliveryEvent,
  DeliveryPhase,
  ListedNotification,
  Notification,
  NotificationUpdate,
  NotificationWrite,
} from '../../domain/notifications/notification.js';
import type { Listed, PageRequest } from './appointments.js';

/**
 * Takes back what is under way for an appointment, in one statement: READY and RETRY_WAIT become DONE and
 * CANCELLED; SENDING stays and gets `cancelRequestedAt`. With `messageIfTaken` SUBMITTED and POLLING without a
 * `cancelRequestedAt` stay and get one, that message, and an event of it (D70). Everything else stays as it is.
 *
 * A cancelled row gets `message`, no `wakeAt`, `nextRetryAt` and `kept`, and `at` as `updatedAt` unless it had an
 * attempt. An event has its number, `at`, the status and message that the row has then, and its attempts. Each kind
 * gets a further revision.
 */
export interface NotificationCancellation {
  readonly appointmentId: string;
  /** Absent = every type. */
  readonly types?: readonly NotificationType[] | undefined;
  /** Absent = every channel. */
  readonly channels?: readonly NotificationChannel[] | undefined;
  /** Absent = everybody. */
  readonly addresseeId?: string | undefined;
  readonly message: string;
  /** What is said of a message that a provider has taken by then; absent = nothing. */
  readonly messageIfTaken?: string | undefined;
  readonly at: Instant;
}

/** What a commit does to notifications, in this order. */
export interface NotificationChanges {
  /** Applied one after the other. */
  readonly cancel?: readonly NotificationCancellation[] | undefined;
  /**
   * New rows; one whose `dedupeKey` is taken is left out with its events. Ids are unique in the organization: one that is taken
   * under another `dedupeKey` makes the commit reject with a `StoreError`.
   */
  readonly add?: readonly NotificationWrite[] | undefined;
  /** The whole commit is `stale` when it has another revision by now, also by a cancellation of the same commit that reaches it. */
  readonly update?: NotificationUpdate | undefined;
}

/** What a step of {@link NotificationStore.repairQueue} did. */
export interface QueueRepair {
  /** Entries that were missing, left over, or not in step. */
  readonly repaired: number;
  /** Where the next step begins; absent = the round is through. */
  readonly next?: readonly string[];
}

/** A claim on the due notifications of one channel. */
export interface NotificationClaim {
  readonly channel: NotificationChannel;
  /** At most so many. */
  readonly limit: number;
  /** Milliseconds. */
  readonly leaseFor: number;
  /** Absent = the store's own clock, which is the same for all processes. */
  readonly now?: Instant | undefined;
}

/** What a claim gave. */
export interface NotificationClaims {
  /** The time that was taken for now; deadlines are reckoned from it. */
  readonly now: Instant;
  readonly claimed: readonly ClaimedNotification[];
}

/** Whose rows a listing shows (D60). */
export type NotificationScope =
  | { readonly kind: 'all' }
  /** Only rows whose appointment still has a record. */
  | { readonly kind: 'existing' }
  /** Only rows of appointments that the agent organizes or is assigned to, as the actor index has it. */
  | { readonly kind: 'ofAgent'; readonly agentId: string };

/** What to list; filters as in the appointment listing: absent = everything, the values of one are alternatives. */
export interface NotificationQuery<SortField extends string> extends PageRequest<SortField> {
  readonly organizationId: string;
  readonly applicationId: string;
  /** Only those of one appointment. */
  readonly appointmentId?: string | undefined;
  readonly scope: NotificationScope;
  readonly types?: readonly NotificationType[] | undefined;
  readonly channels?: readonly NotificationChannel[] | undefined;
  readonly statuses?: readonly NotificationState[] | undefined;
  /** `from ≤ createdAt < to`; of events `timestamp` (D35). */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

/** Which notification is about to be sent, by what never changes of it. */
export interface SendLook extends Pick<Notification, 'organizationId' | 'id' | 'appointmentId' | 'channel'> {
  /** Its {@link Addressee.id}. */
  readonly addresseeId: string;
  /** By when a timed notification must have been due to be among the others. */
  readonly now: Instant;
}

/** What a message was made of, as it is right before it is sent, and what else goes the same way (D71). */
export interface StandingNotification {
  readonly revision: number;
  /** Of its appointment; absent when the record was removed. */
  readonly scheduleVersion: number | undefined;
  /** Of the addressed customer. */
  readonly primaryEmail: string | undefined;
  readonly primaryPhone: string | undefined;
  /**
   * The others of the appointment to that addressee over that channel, in any order: SENDING, RETRY_WAIT, and READY that
   * has no `scheduledFor` or one up to `now`.
   */
  readonly others: readonly Notification[];
}

/** Which messages of removed records. */
export interface KeptSearch {
  readonly organizationId: string;
  /** Only those of one appointment. */
  readonly appointmentId?: string | undefined;
  /** Only those whose id comes after this one; absent = from the first on. */
  readonly after?: string | undefined;
  /** At most so many. */
  readonly limit: number;
}

/** A delivery event, its notification as it is now, and the addressed customer's profile. */
export interface ListedDeliveryEvent {
  readonly event: DeliveryEvent;
  readonly notification: Notification;
  readonly customer: CustomerProfile | undefined;
}

/** Undelivered notifications of one channel in one phase. */
export interface Backlog {
  readonly channel: NotificationChannel;
  readonly phase: Exclude<DeliveryPhase, 'DONE'>;
  readonly count: number;
  /** Earliest `wakeAt`; null where all of them wait for a call of the provider. */
  readonly oldestWakeAt: Instant | null;
}

/** Identifies the state of a web hook endpoint: a changed address starts again. */
export interface EndpointKey {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly endpointId: string;
  /** Hash of the address. */
  readonly addressHash: string;
}

/** How deliveries to an endpoint have gone; one without a record is well. */
export interface EndpointState {
  /** Since when every delivery has failed; null = the last one succeeded. */
  readonly failingSince: Instant | null;
  /** Since when nothing is sent to it any more. */
  readonly disabledAt: Instant | null;
  readonly reason: string | null;
}

/** The notifications of a store, and how web hook endpoints fare. */
export interface NotificationStore {
  /**
   * Claims due notifications of a channel (`wakeAt ≤ now`), earliest first, ties by id; one atomic step, no row to two
   * claimers. Where more are due than `limit`, one whose claim ran out may be among them by when it was due before that
   * claim.
   *
   * READY, RETRY_WAIT and SENDING whose claim ran out become SENDING with status PENDING, one attempt more,
   * `updatedAt` = now, and no `nextRetryAt`; a SENDING one also counts a lost claim. SUBMITTED and POLLING become
   * POLLING with one poll more and no `nextPollAt`. All get `wakeAt` = now + `leaseFor` and a further revision, no
   * event. Appointment and profile are read in the same consistent state.
   */
  claim(claim: NotificationClaim): Promise<NotificationClaims>;

  /**
   * Writes outcomes, each only while its notification has the expected revision; answers for each whether it was
   * written. `next.revision` must be `expectedRevision + 1`. Several of one notification in one call are not allowed.
   */
  settle(updates: readonly NotificationUpdate[]): Promise<readonly boolean[]>;

  /**
   * Makes due the reminders that wait for the room of their appointment (D61), now or at their own time if that is later:
   * each REMINDER of it in phase READY whose `wakeAt` is later than both gets the later of its `scheduledFor` and `at` as
   * `wakeAt`, and a further revision, no event. One without a `scheduledFor` stays as it is.
   */
  releaseReminders(organizationId: string, appointmentId: string, at: Instant): Promise<void>;

  /** A page of notifications of one application. Ties by id in the same direction, absent values last (D31). */
  list(query: NotificationQuery<NotificationSortField>): Promise<Listed<ListedNotification>>;

  /** A page of delivery events of one application, under the same rules; `id` is `deliveryEventId`. */
  listEvents(query: NotificationQuery<NotificationEventSortField>): Promise<Listed<ListedDeliveryEvent>>;

  /** The notification of that organization, or `undefined`. */
  find(organizationId: string, id: string): Promise<ListedNotification | undefined>;

  /** What a worker looks at right before it sends, of one state; `undefined` = no such notification. */
  findStanding(look: SendLook): Promise<StandingNotification | undefined>;

  /**
   * What is to be sent to customers of records that were removed, by id: READY, RETRY_WAIT or SENDING, addressed to a customer, with
   * `kept`, of an appointment that is not there. What is kept has their personal data, which stands nowhere else.
   */
  listKept(search: KeptSearch): Promise<readonly Notification[]>;

  /** How many of these are in phase SENDING. */
  countSending(organizationId: string, ids: readonly string[]): Promise<number>;

  /** Everything that is not DONE, of all organizations, by channel and phase; for health pages. */
  backlog(): Promise<readonly Backlog[]>;

  /**
   * Where the store keeps what is due beside the notifications and programs of before did not: puts entries right that
   * are missing, left over or not in step, a portion at a time from `after` on. Absent = nothing can be amiss.
   *
   * What somebody writes meanwhile is right afterwards; what somebody has locked may be left for the next round.
   */
  repairQueue?(after?: readonly string[]): Promise<QueueRepair>;

  /** How deliveries to an endpoint have gone; `undefined` = nothing recorded. */
  findEndpoint(key: EndpointKey): Promise<EndpointState | undefined>;

  /**
   * Records how deliveries to an endpoint go, replacing what was there; with `expected` only while that is its state (one
   * without a record is well), in one atomic step. Answers whether it was written.
   */
  putEndpoint(key: EndpointKey, state: EndpointState, expected?: EndpointState): Promise<boolean>;
}
