import { type Instant, type NotificationChannel, seconds } from '@calends/model';
import type { ClaimedNotification, Notification } from '../domain/notifications/notification.js';
import { systemClock } from '../ports/clock.js';
import { deliver } from './attempt.js';
import {
  claimContext,
  type Delivered,
  type Delivery,
  type DeliveryContext,
  deliverySignal,
  settingsOfClaim,
  withdrawn,
} from './claim.js';
import type { DeliveryChannel } from './channels/channel.js';
import { type DeliveryStep, payloadOf } from './step.js';
import type { OutcomeWriter } from './outcome-writer.js';
import { next } from './state.js';

/** How a channel's worker is set. */
export interface ChannelWorkerOptions {
  /** Sends at a time. */
  readonly slots: number;
  /** How long a claim lasts, milliseconds. */
  readonly lease: number;
}

/** How the delivery of one channel is doing. */
export interface ChannelHealth {
  readonly channel: NotificationChannel;
  /** When it last looked for due notifications, or had no slot to do so, epoch milliseconds; absent before. */
  readonly lastLookAt?: number | undefined;
  /** Sends and polls under way. */
  readonly inFlight: number;
  readonly slots: number;
  /** Notifications that were ended because their time had passed, since the start (D55). */
  readonly missed: number;
  /** Claims of other workers that had ended without a word, since the start. */
  readonly claimsLost: number;
}

/** What holds for everything that was claimed at a time. */
type Claim = Omit<Delivery, 'claimed'>;

/** With more slots the next claim is on its way while this one's messages are composed. */
const maxPerClaim = 250;
/** How long a worker that has just started waits for an outcome before it takes more. */
const startPause = seconds(1);
/** How long a message is left alone whose claim was half over before it could be sent. */
const slowPause = seconds(5);

/**
 * Works off the due notifications of one channel in slots of its own, so that slow web hooks never hold back SMS.
 *
 * Claims as many as there are free slots and begins each at once; nothing waits in the process.
 */
export class ChannelWorker {
  readonly #context: DeliveryContext;
  readonly #channel: DeliveryChannel;
  readonly #outcomes: OutcomeWriter;
  readonly #options: ChannelWorkerOptions;
  #inFlight = 0;
  /** Slots for which a look asks the store: one beside it, as `runOnce` has beside the loop, must not take them too. */
  #asked = 0;
  /** Slots that may be taken, where that is fewer than there are. */
  #reach = Infinity;
  #hadOutcome = false;
  /** When each claim began whose send or poll is under way; the rest of what is in flight waits to be written. */
  readonly #sending = new Map<ClaimedNotification, Instant>();
  /** Until what is under way is written, by the notification's id. */
  readonly #ends = new Map<string, Promise<void>>();
  /** Later claims of what is under way, by the notification's id. */
  readonly #heldOn = new Map<string, ClaimedNotification>();
  #waiting: (() => void)[] = [];
  #halted = false;
  #storeIsAhead = 0;
  #lastLookAt: Instant | undefined;
  #missed = 0;
  #claimsLost = 0;

  constructor(
    context: DeliveryContext,
    channel: DeliveryChannel,
    outcomes: OutcomeWriter,
    options: ChannelWorkerOptions,
  ) {
    this.#context = context;
    this.#channel = channel;
    this.#outcomes = outcomes;
    this.#options = options;
  }

  get channel(): DeliveryChannel['channel'] {
    return this.#channel.channel;
  }

  /** Claims for the free slots and begins what was claimed; waits only while no slot is free. */
  async look(): Promise<{ readonly claimed: number; readonly isFull: boolean }> {
    const limit = await this.#takeSlots();
    try {
      return await this.#lookFor(limit);
    } finally {
      // What was claimed is in flight by now.
      this.#asked -= limit;
      this.#freed();
    }
  }

  async #lookFor(limit: number): Promise<{ readonly claimed: number; readonly isFull: boolean }> {
    // Given back at once, it would be due at once: who drains the queue would never come to an end.
    if (this.#halted) return { claimed: 0, isFull: false };
    const { store, clock } = this.#context;
    const askedAt = clock.now();
    const { now, claimed } = await store.notifications.claim({
      channel: this.channel,
      limit,
      leaseFor: this.#options.lease,
      // The store's own clock is the same for every process; only a host with a clock of its own overrules it.
      now: clock === systemClock ? undefined : askedAt,
    });
    this.#lastLookAt = clock.now();
    this.#storeIsAhead = now - askedAt;
    const claim = this.#claimOf(askedAt);
    const fresh = claimed.filter((each) => !this.#holdOn(each));
    this.#inFlight += fresh.length;
    for (const each of fresh) this.#sending.set(each, askedAt);
    const isFull = claimed.length === limit && !this.isFailing;
    // The next claim goes out first: the store works on it while these are composed.
    const turn = isFull ? new Promise((resolve) => setImmediate(resolve)) : undefined;
    for (const each of fresh) this.#ends.set(each.notification.id, this.#workOff(each, claim, turn));
    return { claimed: claimed.length, isFull };
  }

  /** What is under way here is not begun a second time: a clock that jumped, or a process that slept, ended its claim early. */
  #holdOn(claimed: ClaimedNotification): boolean {
    const { id } = claimed.notification;
    const isUnderWay = this.#ends.has(id);
    if (isUnderWay) this.#heldOn.set(id, claimed);
    return isUnderWay;
  }

  /** True while no outcome can be written. */
  get isFailing(): boolean {
    return this.#outcomes.isFailing;
  }

  /** Waits until what is under way now has ended; what begins meanwhile is not waited for. */
  async idle(): Promise<void> {
    await Promise.all(this.#ends.values());
  }

  /**
   * Begins to work, again after `halt`. Slowly: with one slot, unless this process has had an outcome before, and twice as
   * many with each outcome, or pause without one: a process that dies soon after its start, again and again, holds little
   * up that way.
   */
  begin({ slowly = false } = {}): void {
    if (slowly && !this.#hadOutcome) this.#reach = 1;
    this.#halted = false;
  }

  /** Begins no send any more: what is claimed and not begun is given back. */
  halt(): void {
    this.#halted = true;
  }

  /** The store's time, as far as the last claim told it. */
  now(): Instant {
    return this.#context.clock.now() + this.#storeIsAhead;
  }

  health(): ChannelHealth {
    return {
      channel: this.channel,
      lastLookAt: this.#isBusy() ? this.#context.clock.now() : this.#lastLookAt,
      inFlight: this.#sending.size,
      slots: this.#options.slots,
      missed: this.#missed,
      claimsLost: this.#claimsLost,
    };
  }

  /** With every slot taken there is nothing to look for; one that outlasts its claim is not busy but stuck. */
  #isBusy(): boolean {
    const [oldest] = this.#sending.values();
    const { slots, lease } = this.#options;
    if (oldest === undefined || this.#sending.size < slots) return false;
    return this.#context.clock.now() - oldest <= lease;
  }

  /**
   * Takes slots whose send has ended; what waits to be written may not grow beyond as many again. While no outcome can be
   * written only one message at a time goes out to see whether it can: nobody would know of the others (a full disk).
   */
  async #takeSlots(): Promise<number> {
    const freeSlots = (): number => {
      if (this.isFailing) return 1 - this.#inFlight - this.#asked;
      const slots = Math.min(this.#reach, this.#options.slots);
      return Math.min(slots - this.#sending.size, 2 * slots - this.#inFlight) - this.#asked;
    };
    while (freeSlots() <= 0) {
      const isStarting = this.#reach < this.#options.slots;
      const timer = isStarting ? setTimeout(this.#reachFurther, startPause).unref() : undefined;
      await this.#nextEnd();
      clearTimeout(timer);
      // What ends in this tick makes one claim, not many.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const taken = Math.min(freeSlots(), maxPerClaim);
    this.#asked += taken;
    return taken;
  }

  /** Until a send ends, a claim is answered, or the outcome of one is written. */
  #nextEnd(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly #reachFurther = (): void => {
    if (this.#reach >= this.#options.slots) return;
    this.#reach *= 2;
    this.#freed();
  };

  #freed(): void {
    if (this.#waiting.length === 0) return;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  #claimOf(claimedAt: Instant): Claim {
    const now = (): Instant => this.now();
    return {
      context: this.#context,
      channel: this.#channel,
      settingsOf: settingsOfClaim(this.#context.applications, this.#channel.timeout),
      now,
      lease: this.#options.lease,
      endOf: (id) => this.#ends.get(id),
      yieldUntil: () => {
        if (this.#halted) return now();
        // Left alone for a while: what is slow now would only be slow again.
        return this.#context.clock.now() - claimedAt > this.#options.lease / 2 ? now() + slowPause : undefined;
      },
    };
  }

  async #workOff(claimed: ClaimedNotification, claim: Claim, turn: Promise<unknown> | undefined): Promise<void> {
    const { id: notificationId } = claimed.notification;
    if (turn !== undefined) await turn;
    try {
      // Whatever fails here, the clock of the host too: nobody waits for this by itself.
      const begun = this.now();
      await this.#write(claimed, await this.#send(claimed, claim), begun);
      this.#hadOutcome = true;
      this.#reachFurther();
    } catch (error) {
      const signal = { type: 'deliveryFailed', notificationId, channel: this.channel, step: 'settle', error } as const;
      this.#context.observer.observe(signal);
    } finally {
      this.#inFlight -= 1;
      this.#ends.delete(notificationId);
      this.#heldOn.delete(notificationId);
      this.#freed();
    }
  }

  /** Gives the slot back at the end of the send: the next one need not wait until its outcome is written. */
  async #send(claimed: ClaimedNotification, claim: Claim): Promise<Delivered> {
    try {
      const { spans } = this.#context.tracing;
      if (spans === undefined) return await deliver({ claimed, ...claim });
      const { id, organizationId, appointmentId, type, attempts } = claimed.notification;
      const { traceParent } = payloadOf(claimed.notification);
      const attributes = {
        'calends.channel': this.channel,
        'calends.notification_type': type,
        'calends.notification_id': id,
        'calends.organization_id': organizationId,
        'calends.appointment_id': appointmentId,
        'calends.attempt': attempts + 1,
      };
      return await spans.followUp('calends.deliver', traceParent, attributes, async (note) => {
        const delivered = await deliver({ claimed, ...claim });
        note('calends.outcome', delivered.step.outcome);
        return delivered;
      });
    } finally {
      this.#sending.delete(claimed);
      this.#freed();
    }
  }

  /** Writes the outcome; decides again when the appointment changed meanwhile, and gives way when the claim is lost. */
  async #write(claimed: ClaimedNotification, { step, attempt, redecide }: Delivered, begun: Instant): Promise<void> {
    const { organizationId, id } = claimed.notification;
    let written = step;
    // Each change of the appointment marks it once more.
    while (!(await this.#outcomes.write(written.update))) {
      const current = (await this.#context.store.notifications.find(organizationId, id))?.notification;
      const own = current && this.#ownOf(claimed, current);
      if (own === undefined) return attempt ? this.#afterReceipt(claimed, step, begun) : undefined;
      const isMarked = own.cancelRequestedAt !== undefined;
      const again = (): DeliveryStep =>
        isMarked
          ? next('ended', own, claimContext(claimed, begun), withdrawn)
          : next('released', own, claimed, this.now());
      written = redecide?.(own) ?? again();
    }
    if (written.outcome === 'missed') this.#missed += 1;
    // The loop sleeps until what it knew of then.
    if (written.outcome === 'returned') this.#context.wakes.emit('delivery');
    this.#tell(claimed, written, attempt, begun);
  }

  #tell({ found, dueAt }: ClaimedNotification, step: DeliveryStep, attempt: boolean, begun: Instant): void {
    const lost = found === 'SENDING' || found === 'POLLING';
    if (lost) this.#claimsLost += 1;
    const lateness = Math.max(0, begun - dueAt);
    this.#context.observer.observe(deliverySignal(step, { attempt, lateness, lost }));
  }

  /** The notification as it is by now, without what a later claim of this worker has counted; `undefined` = it is not held here. */
  #ownOf({ notification }: ClaimedNotification, current: Notification): Notification | undefined {
    const heldOn = this.#heldOn.get(notification.id)?.notification;
    const isHeld = heldOn !== undefined || current.cancelRequestedAt !== undefined;
    const { wakeAt } = heldOn ?? notification;
    if (!isHeld || current.phase !== notification.phase || current.wakeAt !== wakeAt) return undefined;
    const { attempts, lostClaims, pollAttempts, updatedAt } = notification;
    return { ...current, attempts, lostClaims, pollAttempts, updatedAt };
  }

  /**
   * The answer of an attempt comes after a receipt that took its claim: the message gets the name that the receipt did not say. What
   * became of it was told with the receipt, so the attempt is told in the phase that it had.
   */
  async #afterReceipt(claimed: ClaimedNotification, step: DeliveryStep, begun: Instant): Promise<void> {
    const { organizationId, id, attempts } = claimed.notification;
    for (let isTold = false; ; isTold = true) {
      const current = (await this.#context.store.notifications.find(organizationId, id))?.notification;
      const isOfAttempt = current?.attempts === attempts && (current.phase === 'SUBMITTED' || current.phase === 'DONE');
      if (!isOfAttempt) return;
      const own = { ...step, update: { ...step.update, next: claimed.notification } };
      if (!isTold) this.#tell(claimed, own, true, begun);
      const named = next('overtaken', current, step.update.next);
      if (named === undefined || (await this.#outcomes.write(named.update))) return;
    }
  }
}
