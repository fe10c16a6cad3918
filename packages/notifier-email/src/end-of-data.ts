import type { SMTPSentMessageInfo, Transporter } from 'nodemailer';

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
