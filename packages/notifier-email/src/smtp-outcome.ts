import type { SendResult } from '@calends/core/notifier';
import type { NodemailerError, SMTPSentMessageInfo } from 'nodemailer';

/** A reply code, with the enhanced one of RFC 3463 where the server gave it; what follows may hold addresses. */
const replyCodes = /^(?<code>\d{3})(?:[ -](?<enhanced>\d\.\d{1,3}\.\d{1,3})(?=\s|$))?/;

/** Replies that are about the login (RFC 4954, section 6), whichever command they answer. */
const loginReplies = new Set([530, 534, 535, 538]);

const commands: Readonly<Record<string, string>> = {
  CONN: 'connection',
  EHLO: 'session',
  HELO: 'session',
  STARTTLS: 'encryption',
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipient',
  DATA: 'mail',
};

const faults: Readonly<Record<string, string>> = {
  EABORT: 'no answer in time',
  ETIMEDOUT: 'no answer in time',
  EDNS: 'the name of the server is not known',
  ETLS: 'no encrypted connection',
  EAUTH: 'authentication failed',
  ENOAUTH: 'authentication failed',
  EOAUTH2: 'authentication failed',
  EPROTOCOL: 'the server does not speak SMTP',
  ECONNECTION: 'the connection failed',
  ESOCKET: 'the connection failed',
};

/** The server took the mail; SMTP tells nothing more, so this is its delivery (D50). */
export function accepted({ messageId, response }: SMTPSentMessageInfo): SendResult {
  return { status: 'delivered', messageId, providerStatus: codesIn(response) };
}

/**
 * What a failed attempt means.
 *
 * A refusal of the mail itself is definite: 5xx permanent, 4xx transient (D54). A refusal of the client, its login or
 * its encryption is a fault of the configuration and transient: the mail is as good as before once that is repaired.
 * 503 is transient too, it is about the order of commands. Without a refusal it counts whether the end of the mail had
 * gone to the server: before that no server delivers (RFC 5321, section 4.1.1.4), after it nobody knows.
 */
export function outcomeOf(error: unknown, handedOver: boolean): SendResult {
  const { response, responseCode, command = '' } = smtpError(error);
  if (responseCode !== undefined && responseCode >= 400) {
    return {
      status: 'failed',
      permanent:
        isAboutTheMail(command) && responseCode >= 500 && responseCode !== 503 && !loginReplies.has(responseCode),
      error: describeFault(error),
      providerStatus: codesIn(response),
    };
  }
  return handedOver
    ? { status: 'unknown', error: `${describeFault(error)} after the mail was handed over` }
    : { status: 'failed', permanent: false, error: describeFault(error) };
}

/** A fault in words without personal data: the server's text is left out, only its codes are kept. */
export function describeFault(error: unknown): string {
  const { code = '', originalCode, response, responseCode, command = '' } = smtpError(error);
  if (responseCode !== undefined && responseCode >= 400) {
    const login = command.startsWith('AUTH') || loginReplies.has(responseCode);
    return `SMTP: ${login ? 'authentication' : (commands[command] ?? 'session')} refused (${codesIn(response) ?? responseCode})`;
  }
  const reason = faults[code] ?? 'not sent';
  return `SMTP: ${originalCode === undefined ? reason : `${reason} (${originalCode})`}`;
}

function isAboutTheMail(command: string): boolean {
  return command === 'MAIL FROM' || command === 'RCPT TO' || command === 'DATA';
}

function codesIn(response: string | undefined): string | undefined {
  const found = replyCodes.exec(response ?? '')?.groups;
  return found === undefined ? undefined : [found['code'], found['enhanced']].filter(Boolean).join(' ');
}

/** The fields of nodemailer's errors, without what anything else that was thrown has in their place. */
function smtpError(error: unknown): Partial<NodemailerError> {
  return error instanceof Error ? error : {};
}
