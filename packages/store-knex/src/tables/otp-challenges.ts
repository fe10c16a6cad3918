import type { OtpChallenge } from '@calends/core/store';
import { columnsOf, readerOf, tableOf } from './table.js';

const key = columnsOf<Pick<OtpChallenge, 'organizationId' | 'subject'>>();
const is = columnsOf<OtpChallenge>();

export const otpTable = tableOf<OtpChallenge>('calends_otp_challenges')(
  { organization_id: key.text('organizationId'), subject: key.text('subject') },
  {
    challenge_id: is.text('challengeId'),
    code_hash: is.text('codeHash'),
    issued_at: is.integer('issuedAt'),
    expires_at: is.integer('expiresAt'),
    tries: is.integer('tries'),
    consumed_at: is.nullableInteger('consumedAt'),
    issues: is.json('issues'),
    sent_to: is.nullableText('sentTo'),
  },
);

/** The challenge of a row, exactly as it was put. */
export const readOtp = readerOf(otpTable);
