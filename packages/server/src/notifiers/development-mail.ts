import type { EmailMessage, Notifier } from '@calends/core';
import { fileNotifier } from '@calends/notifier-email';

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
