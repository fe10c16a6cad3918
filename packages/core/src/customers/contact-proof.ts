import type { ContactChannel } from '../appointments/appointment.js';
import type { CustomerContact } from '../ports/customer-directory.js';
import type { CustomerDetails } from './customer-input.js';
import { addressIn, normalizedName } from './otp-codes.js';

/** What a right one-time password shows: the name that it was for, and where it had been sent. */
export interface ContactProof {
  readonly username: string;
  /** Absent where the verifier does not tell: then only a name that is an address says it. */
  readonly sentTo?: CustomerContact | undefined;
}

/** What was proven of the customer of a booking. */
export interface ProvenCustomer {
  /** The fields that recognise the customer (D64). */
  readonly known: Pick<CustomerDetails, 'username' | 'primaryEmail' | 'primaryPhone'>;
  /** Over which channels messages may go (D62). */
  readonly toldOver: readonly ContactChannel[];
}

/** Tells what of a customer's details a one-time password proves; whatever else stands beside it is contact data. */
export function provenOf(
  details: CustomerDetails,
  { username, sentTo = addressIn(username) }: ContactProof,
): ProvenCustomer {
  const { primaryEmail, primaryPhone } = details;
  const mailed = isSame(primaryEmail, sentTo.email);
  const texted = isSame(primaryPhone, sentTo.phone);
  return {
    known: {
      username: details.username === username ? username : undefined,
      primaryEmail: mailed || primaryEmail === username ? primaryEmail : undefined,
      primaryPhone: texted || primaryPhone === username ? primaryPhone : undefined,
    },
    toldOver: [...(mailed ? (['EMAIL'] as const) : []), ...(texted ? (['SMS'] as const) : [])],
  };
}

function isSame(given: string | undefined, proven: string | undefined): boolean {
  return given !== undefined && proven !== undefined && normalizedName(given) === normalizedName(proven);
}
