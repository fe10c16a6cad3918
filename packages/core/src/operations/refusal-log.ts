import { setTimeout } from 'node:timers';
import { type ErrorCode, isWellFormedId, minutes } from '@calends/model';
import type { Ports } from '../ports/ports.js';
import { outside } from '../support/outside.js';
import { auditedActor, type AuditProof, type AuditRefusal } from '../domain/audit/audit-entry.js';
import type { AuditOperation } from '../domain/operation-table.js';
import type { Caller } from '../domain/calls/caller.js';

type RefusalLogPorts = Pick<Ports, 'store' | 'clock' | 'ids' | 'observer'>;

/** A call that an adapter refused before it reached an operation. */
export interface RefusedCall {
  /** Absent where the call was on no appointment; then `organizationId` and `applicationId` say whose record it is. */
  readonly appointmentId?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly operation: AuditOperation;
  /** Why it was refused. */
  readonly outcome: ErrorCode;
  /** Absent where the credentials told nobody. */
  readonly caller?: Caller | undefined;
  readonly proof: AuditProof;
  readonly requestId: string;
}

/** A refused call of a use case, which knows which customer it was. */
interface RefusedUse extends RefusedCall {
  readonly participantId?: string | undefined;
}

const maxWaiting = 1000;
const flushAfter = 200;
/** The same refusal is written down once in this time: somebody who tries on and on fills no table. */
const repeatedWithin = minutes(1);
const maxRemembered = 10_000;

/**
 * Collects refused calls and writes them together, off the way of the request: a flood of them costs a request nothing,
 * and memory a bounded amount.
 */
export class RefusalLog {
  readonly #ports: RefusalLogPorts;
  #waiting: AuditRefusal[] = [];
  #dropped = 0;
  #seen = new Set<string>();
  #seenSince = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(ports: RefusalLogPorts) {
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
    if (this.#waiting.length >= maxWaiting) {
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
      await store.audit.recordRefusals(refusals);
    } catch (error) {
      observer.observe({ type: 'auditRefusalsDropped', count: refusals.length, error });
    }
  }

  #isRepeated(key: string, now: number): boolean {
    // Also where the clock has gone back.
    if (Math.abs(now - this.#seenSince) >= repeatedWithin || this.#seen.size >= maxRemembered) {
      this.#seen = new Set();
      this.#seenSince = now;
    }
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }
}
