/**
 * The greatest sizes of a request body in bytes, by what the operation takes: what is decoded before anything is proved is
 * kept small (D66).
 */
export const bodyLimits = {
  /** Of an operation that takes no body. */
  none: 0,
  /** A name and an application, or the code of a link. */
  proof: 2 * 1024,
  /** A few fields of an appointment that is there already; the longest is a reason of 1,000 characters. */
  fields: 16 * 1024,
  /** An appointment that somebody books who has not proved anything yet. */
  booking: 64 * 1024,
  /** A whole appointment, by callers with a token (D8); the host may set another. */
  appointment: 256 * 1024,
} as const;
