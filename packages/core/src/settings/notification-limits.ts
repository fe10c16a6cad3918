import { days, webhookSecretBytes } from '@calends/model';

/**
 * How much the notifications of one application may hold: counts, lengths in characters, spans in milliseconds.
 *
 * For hosts that read settings from somewhere and want to tell what is wrong before the library refuses it (D54, D55, D59).
 */
export const notificationLimits = {
  /** Web hook endpoints. */
  endpoints: 50,
  endpointId: 64,
  endpointLabel: 100,
  /** Of an endpoint and of its tokens. */
  address: 2048,
  /** Of an endpoint, while one is being changed. */
  secrets: 4,
  /** Standard Webhooks: bytes of a symmetric secret. */
  secretBytes: webhookSecretBytes,
  /** A user name, a password, the id and the secret of a client, a scope. */
  credential: 1024,
  emailSender: 320,
  smsSender: 64,
  /** Entries of `reminders` and of `followUps`. */
  offsets: 20,
  /** Longer than 0, and no longer than this. */
  maxOffset: days(365),
  /** Entries of a list of `retry`: there is one attempt more. */
  waits: 20,
  /** Of a wait and of a lateness; 0 is allowed. */
  maxWait: days(7),
} as const;
