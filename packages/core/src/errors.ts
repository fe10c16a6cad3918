/**
 * The closed set of things that can go wrong in a way that a caller can act on (D37, D75).
 *
 * The HTTP adapter gives each code its status; hosts that call the library directly switch on it.
 */
export const errorCodes = [
  'validation_failed',
  'invalid_schedule',
  'invalid_agent',
  'invalid_state',
  'unauthenticated',
  'forbidden',
  'not_assigned',
  'stale_ticket',
  'outside_cancellation_window',
  'outside_reschedule_window',
  'reschedule_limit',
  'not_found',
  'slot_conflict',
  'version_mismatch',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'retry_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'unavailable',
  'internal',
] as const;

/** One of {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number];

/** One fault in the input: where it is and which rule it breaks; never the value itself (D36). */
export interface InputIssue {
  /** JSON Pointer into the command, for example `/customers/0/contact/primaryEmail`. */
  readonly pointer: string;
  /** Small stable word, for example `required`, `too_long`, `invalid_format`. */
  readonly code: string;
  /** One English sentence that names the rule. */
  readonly detail: string;
}

/** The closed set of reasons for which a time cannot be had (D75). */
export const timeReasonCodes = ['BUSY'] as const;

/** One of {@link timeReasonCodes}. */
export type TimeReasonCode = (typeof timeReasonCodes)[number];

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
