import type { EmailMessage, Notifier, Notifiers } from '@calends/core/notifier';
import { fileNotifier, smtpNotifier } from '@calends/notifier-email';
import { twilioNotifier, type TwilioOptions } from '@calends/notifier-sms';
import { type ClosableWebhookNotifier, webhookNotifier } from '@calends/notifier-webhook';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { folderBeside } from '../configuration/database-address.js';
import { applicationsWith, type Environment } from '../configuration/environment.js';
import type { Log } from '../log/log.js';

/** The notifiers of a server, and how they end. */
export interface OpenNotifiers {
  readonly notifiers: Notifiers;
  /** Waits for what is being sent, then hangs up; to be called when the worker has stopped. */
  close(): Promise<void>;
}

type Part = Pick<Environment, 'applications' | 'database' | 'production' | 'smtpUrl' | 'worker'>;

/**
 * Makes a notifier for each channel that this process can serve.
 *
 * Mails without `SMTP_URL` are written into files; SMS without a provider wait. Both only happen outside production:
 * there `readEnvironment` has refused to go on. A process without a worker sends test calls of web hooks and nothing else.
 *
 * @throws ConfigurationError for a web hook endpoint to which nothing could ever be sent
 */
export function openNotifiers(environment: Part, sms: TwilioOptions | undefined, log: Log): OpenNotifiers {
  const webhooks = webhookNotifier();
  const faults = endpointFaults(environment.applications, webhooks);
  if (faults.length > 0) throw new ConfigurationError(faults);
  // Test calls are made by the process that is asked for them (D78).
  if (!environment.worker) return { notifiers: { webhooks }, close: () => webhooks.close() };
  const email = openEmail(environment, log);
  const waiting = applicationsWith('sms', environment.applications);
  if (sms === undefined && waiting.length > 0) {
    log.warn({ applications: waiting }, 'CALENDS_SMS_URL is not set: SMS of these applications wait');
  }
  return {
    notifiers: { email: email?.notifier, sms: sms === undefined ? undefined : twilioNotifier(sms), webhooks },
    close: async () => {
      await Promise.all([email?.close(), webhooks.close()]);
    },
  };
}

function openEmail({ applications, database, production, smtpUrl }: Part, log: Log) {
  if (smtpUrl !== undefined) {
    const notifier = smtpNotifier({ url: smtpUrl });
    return { notifier, close: () => notifier.close() };
  }
  if (production) return undefined;
  const writing = applicationsWith('email', applications);
  const directory = resolve(join(folderBeside(database) ?? 'data', 'mails'));
  log.info({ directory, applications: writing }, 'SMTP_URL is not set: mails are written into files, not sent');
  return { notifier: developmentMail(directory), close: () => Promise.resolve() };
}

/** Addresses are judged by the rules of the notifier itself, so that what passes here is not refused later. */
function endpointFaults(
  applications: Environment['applications'],
  { endpointFault }: ClosableWebhookNotifier,
): readonly string[] {
  return Object.entries(applications).flatMap(([id, { notifications }]) =>
    (notifications?.webhooks ?? []).flatMap((endpoint, index) => {
      const fault = endpointFault(endpoint);
      const place = `CALENDS_CONFIG: applications.${id}.notifications.webhooks.${index}`;
      return fault === undefined ? [] : [`${place}: ${fault}`];
    }),
  );
}

/**
 * Writes mails into files, and shows one-time passwords to the developer who sits before the terminal: past the log,
 * which others may read, and only where no mail server is set.
 */
export function developmentMail(directory: string): Notifier<EmailMessage> {
  const files = fileNotifier({ directory });
  return {
    ...files,
    send: async (message, attempt) => {
      const result = await files.send(message, attempt);
      if (message.type === 'ONE_TIME_PASSWORD') process.stdout.write(`\n${message.text}\n(development only)\n\n`);
      return result;
    },
  };
}
