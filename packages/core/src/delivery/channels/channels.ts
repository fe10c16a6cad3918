import type { NotificationChannel } from '@calends/model';
import type { Channel } from './channel.js';
import { email } from './email.js';
import { sms } from './sms.js';
import { webhooks } from './webhooks.js';

/** How each channel works. */
export const channels: Readonly<Record<NotificationChannel, Channel>> = { EMAIL: email, SMS: sms, WEBHOOKS: webhooks };
