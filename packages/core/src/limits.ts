/** Greatest lengths and counts of what requests carry (D1, D2, D8). */
export const limits = {
  title: 200,
  notes: 4000,
  name: 100,
  email: 254,
  username: 254,
  cancelReason: 1000,
  customers: 20,
  participants: 50,
  mapKeys: 64,
  mapKeyLength: 64,
  mapValue: 1024,
  metadataBytes: 16 * 1024,
  metadataDepth: 14,
  applicationId: 64,
  organizationId: 128,
  participantId: 64,
  /** Leaves room for blanks, which are dropped. */
  phone: 64,
  /** With the plain-language form in parentheses, as it is answered (D4). */
  duration: 128,
  timezone: 64,
  locale: 35,
  agentId: 128,
  /** An instant with its offset. */
  instant: 64,
  listValues: 100,
  countedStarts: 100,
  idempotencyKey: 255,
} as const;
