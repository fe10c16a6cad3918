import type { OtpConsumption } from '../../../domain/customers/proofs.js';
import { CalendsError } from '../../../domain/calls/errors.js';
import type { OtpProof, OtpVerifier } from '../../../ports/otp-verifier.js';
import { dropRejectionsIn, fieldsOf } from '../../../support/host-answers.js';

/**
 * What a verifier of a host says that a code proves. Only what is one of its answers is a yes: `{ valid: false }` is none.
 *
 * @throws CalendsError `internal` for an answer of no known form
 */
export function proofIn(verdict: Exclude<Awaited<ReturnType<OtpVerifier['verify']>>, false | 'spent'>): OtpProof {
  if (verdict === true) return {};
  // Hosts in plain JavaScript have no compiler that tells them.
  const said = fieldsOf(verdict);
  if (isConsumption(said)) return { consumption: said };
  const names = Object.keys(said);
  const isProof = names.length > 0 && names.every((name) => name === 'consumption' || name === 'sentTo');
  const { consumption, sentTo } = said;
  if (isProof && (isAbsent(consumption) || isConsumption(consumption)) && (isAbsent(sentTo) || isContact(sentTo))) {
    return {
      consumption: consumption ?? undefined,
      sentTo: sentTo ? { email: sentTo.email ?? undefined, phone: sentTo.phone ?? undefined } : undefined,
    };
  }
  dropRejectionsIn(verdict);
  const cause = new TypeError('otpVerifier: verify must answer true, false, "spent" or an OtpProof');
  throw new CalendsError('internal', 'The one-time password could not be checked.', { cause });
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

function isConsumption(value: unknown): value is OtpConsumption {
  const { subject, challengeId, at } = fieldsOf(value);
  return typeof subject === 'string' && typeof challengeId === 'string' && Number.isFinite(at);
}

/** An address that is not known may be `null`. */
function isContact(value: unknown): value is { readonly [Part in 'email' | 'phone']?: string | null | undefined } {
  const { email, phone } = fieldsOf(value);
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return isObject && [email, phone].every((address) => isAbsent(address) || typeof address === 'string');
}
