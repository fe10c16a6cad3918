/**
 * The size limits of the wire (D2, D7, D8, D27, D30, D33): lengths are counted in UTF-16 code units, as `String.length` does.
 *
 * A value over its limit is answered with 400, before any grammar is tried on it.
 */
export const limits = {
  /** Ids of appointments, participants, notifications and applications. */
  id: 64,
  organizationId: 128,
  /** Ids of agents: user ids of the host. */
  agentId: 128,
  title: 200,
  notes: 4000,
  name: 100,
  email: 254,
  /** Leaves room for blanks, which are dropped before the E.164 form is checked. */
  phone: 64,
  username: 254,
  /** An instant with its offset. */
  instant: 64,
  /** A duration with the plain-language form in parentheses, as it is answered (D4). */
  duration: 128,
  timezone: 64,
  locale: 35,
  /** Codes of manage links and calendar feeds. */
  linkCode: 1400,
  /** Where a replay of web hooks goes on. */
  replayPlace: 200,
  cancelReason: 1000,
  /** `deploymentId` and `touchpointId` of a routing provider. */
  routingKey: 1024,
  customersMin: 1,
  customersMax: 20,
  mapEntries: 64,
  mapKey: 64,
  mapValue: 1024,
  /** Bytes of a metadata map as compact JSON in UTF-8. */
  metadataBytes: 16 * 1024,
  headerEntries: 32,
  headerName: 128,
  /** Names and values of all notification headers, bytes in UTF-8; as JSON text they may take twice as much. */
  headerBytes: 8 * 1024,
  /** Nesting of a body; the body itself is level 1. */
  jsonDepth: 16,
  /** Values of one query array; of `range` so many pairs. */
  queryValues: 100,
  pageSizeMax: 100,
  pageNumberMax: 2 ** 31 - 1,
} as const;

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
