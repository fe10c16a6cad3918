import type { ErrorCode, InputIssue, TimeReasonCode } from '@calends/model';

/** One reason for which a time cannot be had, with ids only where the caller may see that appointment (D75). */
export interface TimeReason {
  /** `BUSY`: an actor has another appointment then, or within the buffer of the application. */
  readonly code: TimeReasonCode;
  /** The agent in the way; absent for a customer, whom nobody is told. */
  readonly actorId?: string;
  readonly appointmentId?: string;
}

/** What a {@link CalendsError} may carry beyond its code. */
export interface CalendsErrorOptions {
  readonly issues?: readonly InputIssue[];
  /** Ids of the appointments in the way, as far as the caller may see them (D26). */
  readonly appointmentIds?: readonly string[];
  /** Why the time cannot be had, as far as the caller may know (D75). */
  readonly reasons?: readonly TimeReason[];
  /** True when the same call may succeed a moment later. Default: true with the code `unavailable`, else false. */
  readonly temporary?: boolean;
  readonly cause?: unknown;
}

const brand = Symbol.for('calends.error');

/**
 * The one error class that operations of this library throw on purpose.
 *
 * `message` is safe to show to a client; `cause` is for logs only. Recognise it with
 * {@link CalendsError.is}, which also holds when two copies of the package are loaded.
 */
export class CalendsError extends Error {
  override readonly name = 'CalendsError';
  readonly code: ErrorCode;
  readonly issues: readonly InputIssue[];
  readonly appointmentIds: readonly string[];
  readonly reasons: readonly TimeReason[];
  readonly temporary: boolean;

  constructor(code: ErrorCode, message: string, options: CalendsErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.issues = options.issues ?? [];
    this.appointmentIds = options.appointmentIds ?? [];
    this.reasons = options.reasons ?? [];
    this.temporary = options.temporary ?? code === 'unavailable';
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells whether a caught value is a {@link CalendsError}, from this or another copy of the package. */
  static is(value: unknown): value is CalendsError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** A request of which one field is not valid. */
export function invalidField(pointer: string, detail: string): CalendsError {
  return new CalendsError('validation_failed', 'The request is not valid.', {
    issues: [{ pointer, code: 'invalid_value', detail }],
  });
}
