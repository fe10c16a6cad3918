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
  agentId: 128,
  /** An instant with its offset. */
  instant: 64,
  listValues: 100,
  countedStarts: 100,
  idempotencyKey: 255,
} as const;
