import { type Clock, systemClock } from '@calends/core';
import { type EmailMessage, type Notifier, type SendAttempt, type SendResult } from '@calends/core/notifier';
import { checkOptionNames } from '@calends/core/store';
import { createTransport } from 'nodemailer';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeMail } from './compose-mail.js';
import { checkedDomain } from './smtp-options.js';

/** Where mails are written. */
export interface FileNotifierOptions {
  /** Made, with those above it, when the first mail is written; only its owner may look into what is made here. */
  readonly directory: string;
  /** Right side of each Message-ID. Default: the domain of the message's `from`. */
  readonly messageIdDomain?: string | undefined;
  /** Names the files. Default: the clock of the system. */
  readonly clock?: Clock | undefined;
}

/**
 * Makes a notifier for development that writes each mail into a file instead of sending it.
 *
 * The file is the whole mail as SMTP would carry it and opens in a mail client. Its name is the time and the
 * notification's id, `20260504T090000.000Z-{notificationId}.eml`; it appears all at once, and replaces one of the same
 * name. Mails hold names and links that let in, so only the owner may read them (0600, in folders of 0700); what is there
 * already keeps its mode. The mail counts as delivered. A disk that does not take it is a transient failure.
 *
 * @throws TypeError for options that are missing, misspelt or unusable
 * @example
 * ```ts
 * import { createScheduling } from '@calends/core';
 * import { fileNotifier } from '@calends/notifier-email';
 * import { memoryStore } from '@calends/store-memory';
 *
 * const email = fileNotifier({ directory: './mails' });
 * const secret = 'at least thirty-two bytes, the same everywhere';
 * const scheduling = createScheduling({ store: memoryStore(), secret, notifiers: { email } });
 * await scheduling.close();
 * ```
 */
export function fileNotifier(options: FileNotifierOptions): Notifier<EmailMessage> {
  checkOptionNames('fileNotifier', options, ['directory', 'messageIdDomain', 'clock']);
  const { directory, clock = systemClock } = options;
  if (typeof directory !== 'string' || directory === '') throw new TypeError('fileNotifier: directory: must be given');
  if (typeof (Object(clock) as Clock).now !== 'function') throw new TypeError('fileNotifier: clock: must have now');
  const messageIdDomain = checkedDomain('fileNotifier', options.messageIdDomain);
  const builder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  const write = async (file: string, content: Buffer, signal: AbortSignal): Promise<void> => {
    const draft = join(directory, `.${randomUUID()}.tmp`);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    try {
      await writeFile(draft, content, { signal, mode: 0o600 });
      await rename(draft, join(directory, file));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  };

  return {
    capability: 'none',
    timeout: 10_000,
    async send(message: EmailMessage, { signal }: SendAttempt): Promise<SendResult> {
      const composed = composeMail(message, messageIdDomain);
      if ('refusal' in composed) return { status: 'failed', permanent: true, error: composed.refusal };
      const time = new Date(clock.now()).toISOString().replaceAll(/[-:]/g, '');
      try {
        const built = await builder.sendMail(composed.mail);
        await write(`${time}-${message.notificationId}.eml`, built.message as Buffer, signal);
        return { status: 'delivered', messageId: built.messageId, providerStatus: 'written' };
      } catch (error) {
        return { status: 'failed', permanent: false, error: `file: not written (${codeOf(error)})` };
      }
    },
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unexpected';
}
