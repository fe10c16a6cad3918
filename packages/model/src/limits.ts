/**
 * The greatest lengths and counts of what requests carry (D1, D2, D7, D8, D27, D30, D33): lengths are counted in UTF-16 code units, as `String.length` does.
 *
 * A value over its limit is refused before any grammar is tried on it.
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
  customers: 20,
  participants: 50,
  /** Actors that a service names for one requirement, and that one question is about. */
  actors: 100,
  /** Actors of one kind that a booking takes at once. */
  actorsAtOnce: 10,
  /** Days that one question for free times may span. */
  availabilityDays: 92,
  /** Starts in one answer of free times. */
  offers: 5000,
  /** Tokens of holds. */
  holdToken: 200,
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
  /** Nesting of a metadata map, which stands two levels deep in a body. */
  metadataDepth: 14,
  /** Values of one query array; of `range` so many pairs. */
  queryValues: 100,
  /** Entries of a page that was asked for without a size. */
  pageSize: 20,
  pageSizeMax: 100,
  /** The documents say int64; a number in JSON is exact up to here. */
  pageNumberMax: Number.MAX_SAFE_INTEGER,
  idempotencyKey: 255,
} as const;
