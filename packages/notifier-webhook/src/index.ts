/**
 * Delivers the notifications of Calends to web hooks, signed after Standard Webhooks.
 *
 * @packageDocumentation
 */
export type { Resolve } from './address/checked-connector.js';
export type { WebhookNotifierOptions } from './options.js';
export { signWebhook, type WebhookToSign } from './signature/sign-webhook.js';
export {
  type ReceivedHeaders,
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookContent,
} from './signature/verify-webhook.js';
export { generateWebhookSecret, type WebhookSecret } from './signature/webhook-secret.js';
export {
  type WebhookVerificationCode,
  webhookVerificationCodes,
  WebhookVerificationError,
} from './signature/webhook-verification-error.js';
export { type ClosableWebhookNotifier, webhookNotifier } from './webhook-notifier.js';
