/**
 * Sends the notifications of Calends as mails over SMTP, or writes them to files while developing.
 *
 * @packageDocumentation
 */
export { fileNotifier, type FileNotifierOptions } from './file-notifier.js';
export { smtpNotifier, type SmtpNotifier } from './smtp-notifier.js';
export type { SmtpNotifierOptions, SmtpPoolOptions } from './smtp-options.js';
