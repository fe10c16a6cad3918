import type { Participant } from '../../domain/appointments/appointment.js';
import { channelFacts, type ContactChannel, contactChannels } from '../../settings/channels.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { UseCaseContext } from '../context.js';
import type { CustomerDetails } from '../../domain/customers/profile.js';
import type { CustomerContact } from '../../ports/customer-directory.js';
import { addressIn, normalizedName } from '../proofs/otp/codes.js';

/** A customer of a new appointment. */
interface BookedCustomer {
  readonly details: CustomerDetails;
  readonly participant: Participant;
}

/** Who books, and under which rules. */
interface Booking {
  readonly organizationId: string;
  /** Of customer-create; absent = staff, who vouches for every customer. */
  readonly proof?: ContactProof | undefined;
  readonly settings: Pick<ApplicationSettings, 'customerCreate'>;
}

/**
 * The customers of a new appointment, the one who books first.
 *
 * Of customer-create only what was proven recognises a customer (D64) and is written to, unless the application lets
 * messages go to everybody who is named (D62).
 */
export function bookedCustomers(
  { ids, customerIdentity }: Pick<UseCaseContext, 'ids' | 'customerIdentity'>,
  customers: readonly CustomerDetails[],
  { organizationId, proof, settings }: Booking,
): readonly BookedCustomer[] {
  return customers.map((details, index) => {
    const customer = { id: ids.next(), type: 'CUSTOMER' } as const;
    if (proof === undefined) {
      return { details, participant: { ...customer, identity: customerIdentity(organizationId, details) } };
    }
    const proven = index === 0 ? provenOf(details, proof) : undefined;
    const identity = proven && customerIdentity(organizationId, proven.known);
    const toldOver = settings.customerCreate.notifyOthers ? contactChannels : (proven?.toldOver ?? []);
    return { details, participant: { ...customer, identity, confirmed: false, toldOver } };
  });
}

/** What a right one-time password shows: the name that it was for, and where it had been sent. */
export interface ContactProof {
  readonly username: string;
  /** Absent where the verifier does not tell: then only a name that is an address says it. */
  readonly sentTo?: CustomerContact | undefined;
}

/** What was proven of the customer of a booking. */
interface ProvenCustomer {
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
  const isProven = {
    primaryEmail: isSame(primaryEmail, sentTo.email),
    primaryPhone: isSame(primaryPhone, sentTo.phone),
  };
  return {
    known: {
      username: details.username === username ? username : undefined,
      primaryEmail: isProven.primaryEmail || primaryEmail === username ? primaryEmail : undefined,
      primaryPhone: isProven.primaryPhone || primaryPhone === username ? primaryPhone : undefined,
    },
    toldOver: contactChannels.filter((channel) => isProven[channelFacts[channel].address.profile]),
  };
}

function isSame(given: string | undefined, proven: string | undefined): boolean {
  return given !== undefined && proven !== undefined && normalizedName(given) === normalizedName(proven);
}
