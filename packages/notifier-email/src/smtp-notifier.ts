import type { EmailMessage, Notifier, SendAttempt, SendResult } from '@calends/core/notifier';
import { createTransport, type SMTPSentMessageInfo, type Transporter } from 'nodemailer';
import { composeMail } from './compose-mail.js';
import { accepted, describeFault, outcomeOf } from './smtp-outcome.js';
import { readOptions, type SmtpNotifierOptions, type SmtpSettings } from './smtp-options.js';

/** Sends mails over SMTP; made by {@link smtpNotifier}. */
export interface SmtpNotifier extends Notifier<EmailMessage> {
  /**
   * Connects, encrypts and logs in as a mail would, and sends nothing.
   *
   * @throws Error that says in words what failed, without any of the server's text
   */
  verify(): Promise<void>;
  /**
   * Waits for the mails under way (`timeout` at most), then closes every connection. What is sent afterwards fails
   * transiently. May be called again.
   */
  close(): Promise<void>;
}

/**
 * Makes a notifier that sends mails over SMTP.
 *
 * Nothing is connected before the first mail. `send` never rejects; it may be called by several workers at once. An
 * attempt that ends before the whole mail went out failed, one that ends after it without an answer is `unknown`, and
 * the capability is `none`: the core sends the mail again, with the same Message-ID, which lets clients and servers see
 * the double (D50, D54, D56).
 *
 * @throws TypeError for options that are missing, misspelt or unusable; it names the option and shows no value
 * @example
 * ```ts
 * import { createScheduling } from '@calends/core';
 * import { smtpNotifier } from '@calends/notifier-email';
 * import { memoryStore } from '@calends/store-memory';
 *
 * const email = smtpNotifier({ url: 'smtps://user:password@smtp.example.com' });
 * const secret = 'at least thirty-two bytes, the same everywhere';
 * const scheduling = createScheduling({ store: memoryStore(), secret, notifiers: { email } });
 *
 * await scheduling.close();
 * await email.close();
 * ```
 */
export function smtpNotifier(options: SmtpNotifierOptions): SmtpNotifier {
  return new SmtpSender(readOptions(options));
}

class SmtpSender implements SmtpNotifier {
  readonly capability = 'none';
  readonly timeout: number;
  readonly #settings: SmtpSettings;
  readonly #mailer: Transporter<SMTPSentMessageInfo>;
  readonly #endOfData = new EndOfData();
  readonly #underWay = new Set<Promise<SendResult>>();
  #closing: Promise<void> | undefined;

  constructor(settings: SmtpSettings) {
    this.timeout = settings.timeout;
    this.#settings = settings;
    this.#mailer = createTransport(settings.transport);
    // What goes wrong is told to the mail that it goes wrong for; an event nobody hears would end the process.
    this.#mailer.on('error', () => undefined);
    this.#endOfData.watch(this.#mailer);
  }

  async send(message: EmailMessage, { signal }: SendAttempt): Promise<SendResult> {
    if (this.#closing !== undefined) return { status: 'failed', permanent: false, error: 'SMTP: closed' };
    const sending = this.#attempt(message, signal);
    this.#underWay.add(sending);
    try {
      return await sending;
    } finally {
      this.#underWay.delete(sending);
    }
  }

  async verify(): Promise<void> {
    await this.#mailer.verify().catch((error: unknown) => {
      // Without its cause, which has the server's text and the user's name.
      throw new Error(describeFault(error));
    });
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all(this.#underWay).then(() => this.#mailer.close({ force: true }));
    return this.#closing;
  }

  async #attempt(message: EmailMessage, outer: AbortSignal): Promise<SendResult> {
    const composed = composeMail(message, this.#settings.messageIdDomain);
    if ('refusal' in composed) return { status: 'failed', permanent: true, error: composed.refusal };
    const attempt = new AbortController();
    const giveUp = (): void => attempt.abort();
    const timer = setTimeout(giveUp, this.#settings.deadline);
    outer.addEventListener('abort', giveUp, { once: true });
    if (outer.aborted) giveUp();
    try {
      return accepted(await this.#mailer.sendMail({ ...composed.mail, signal: attempt.signal }));
    } catch (error) {
      return outcomeOf(error, this.#endOfData.passed(attempt.signal));
    } finally {
      clearTimeout(timer);
      outer.removeEventListener('abort', giveUp);
    }
  }
}

/**
 * Tells of each mail whether its end went to the server.
 *
 * nodemailer reports a lost connection in the same way before and after. The stream of a mail ends right before the line
 * that tells the server to take it, so a stream that has not ended is a mail that nobody has.
 */
export class EndOfData {
  readonly #passed = new WeakSet<AbortSignal>();

  /** Watches every mail of a mailer from now on; each must have a signal of its own. */
  watch(mailer: Transporter<SMTPSentMessageInfo>): void {
    mailer.use('stream', ({ message, data: { signal } }, done) => {
      if (signal) {
        const read = message.createReadStream.bind(message);
        message.createReadStream = (options) => read(options).once('end', () => this.#passed.add(signal));
      }
      done();
    });
  }

  /** Whether the end of the mail with this signal went to the server. */
  passed(signal: AbortSignal): boolean {
    return this.#passed.has(signal);
  }
}
