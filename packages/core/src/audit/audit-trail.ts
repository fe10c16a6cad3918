import { setTimeout } from 'node:timers';
import { isWellFormedId } from '../appointments/well-formed-id.js';
import { minutes } from '../appointments/time-units.js';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Observer } from '../ports/observer.js';
import type { AuditStore } from '../ports/audit-store.js';
import { outside } from '../system/outside.js';
import type { AuditRefusal } from './audit-entry.js';
import { auditedActor } from './audit-line.js';
import type { RefusedCall } from './audit-operations.js';

/** What the trail works with. */
export interface AuditTrailPorts {
  readonly store: Pick<AuditStore, 'recordRefusals'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer: Observer;
}

/** A refused call of a use case, which knows which customer it was. */
export interface RefusedUse extends RefusedCall {
  readonly participantId?: string | undefined;
}

const mostWaiting = 1000;
const flushAfter = 200;
/** The same refusal is written down once in this time: somebody who tries on and on fills no table. */
const repeatedWithin = minutes(1);
const mostRemembered = 10_000;

/**
 * Collects refused calls and writes them together, off the way of the request: a flood of them costs a request nothing,
 * and memory a bounded amount.
 */
export class AuditTrail {
  readonly #ports: AuditTrailPorts;
  #waiting: AuditRefusal[] = [];
  #dropped = 0;
  #seen = new Set<string>();
  #seenSince = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(ports: AuditTrailPorts) {
    this.#ports = ports;
  }

  /** Notes a refused call; never throws. */
  refused(refusal: RefusedUse): void {
    const { appointmentId, applicationId, operation, outcome, caller, participantId, proof, requestId } = refusal;
    if (appointmentId === undefined ? applicationId === undefined : !isWellFormedId(appointmentId)) return;
    const at = this.#ports.clock.now();
    const actor = caller === undefined ? null : auditedActor(caller, participantId);
    const organizationId = caller?.organizationId ?? refusal.organizationId;
    if (this.#isRepeated([organizationId, applicationId, appointmentId, operation, actor?.id, outcome].join('\n'), at))
      return;
    if (this.#waiting.length >= mostWaiting) {
      this.#dropped += 1;
    } else {
      const id = this.#ports.ids.next();
      const about = { organizationId, applicationId, appointmentId };
      this.#waiting.push({ id, ...about, at, actor, proof, operation, requestId, outcome });
    }
    this.#timer ??= setTimeout(() => outside(() => void this.flush()), flushAfter).unref();
  }

  /** Writes what waits; resolves also when the store does not take it. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const refusals = this.#waiting;
    const dropped = this.#dropped;
    this.#waiting = [];
    this.#dropped = 0;
    const { store, observer } = this.#ports;
    if (dropped > 0) observer.observe({ type: 'auditRefusalsDropped', count: dropped });
    if (refusals.length === 0) return;
    try {
      await store.recordRefusals(refusals);
    } catch (error) {
      observer.observe({ type: 'auditRefusalsDropped', count: refusals.length, error });
    }
  }

  #isRepeated(key: string, now: number): boolean {
    if (now - this.#seenSince >= repeatedWithin || this.#seen.size >= mostRemembered) {
      this.#seen = new Set();
      this.#seenSince = now;
    }
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }
}
