import type { OtpChallenge } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, integer, json, optionalInteger, optionalText, text } from './fields.js';

/** What is written of the challenge of a one-time password. */
export const otpFields = {
  organization_id: 'text',
  subject: 'text',
  challenge_id: 'text',
  code_hash: 'text',
  issued_at: 'integer',
  expires_at: 'integer',
  tries: 'integer',
  consumed_at: 'integer',
  issues: 'text',
  sent_to: 'text',
} as const satisfies Fields;

/** Columns by which a challenge is known. */
export const otpKey = ['organization_id', 'subject'] as const;

/** The values of a challenge in the order of {@link otpFields}. */
export const otpValues = (challenge: OtpChallenge): readonly SqlValue[] => [
  challenge.organizationId,
  challenge.subject,
  challenge.challengeId,
  challenge.codeHash,
  challenge.issuedAt,
  challenge.expiresAt,
  challenge.tries,
  challenge.consumedAt,
  JSON.stringify(challenge.issues),
  challenge.sentTo,
];

/** The challenge of a row, exactly as it was put. */
export const readOtp = (row: Row): OtpChallenge => ({
  organizationId: text(row, 'organization_id'),
  subject: text(row, 'subject'),
  challengeId: text(row, 'challenge_id'),
  codeHash: text(row, 'code_hash'),
  issuedAt: integer(row, 'issued_at'),
  expiresAt: integer(row, 'expires_at'),
  tries: integer(row, 'tries'),
  consumedAt: optionalInteger(row, 'consumed_at') ?? null,
  issues: json(row, 'issues') as OtpChallenge['issues'],
  sentTo: optionalText(row, 'sent_to') ?? null,
});
