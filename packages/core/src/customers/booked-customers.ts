import type { ContactChannel, Participant } from '../appointments/appointment.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { UseCaseContext } from '../use-case/context.js';
import { type ContactProof, provenOf } from './contact-proof.js';
import type { CustomerDetails } from './customer-input.js';

/** A customer of a new appointment. */
export interface BookedCustomer {
  readonly details: CustomerDetails;
  readonly participant: Participant;
}

/** Who books, and under which rules. */
export interface Booking {
  readonly organizationId: string;
  /** Of customer-create; absent = staff, who vouches for every customer. */
  readonly proof?: ContactProof | undefined;
  readonly settings: Pick<ApplicationSettings, 'customerCreate'>;
}

const everyChannel: readonly ContactChannel[] = ['EMAIL', 'SMS'];

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
    const toldOver = settings.customerCreate.notifyOthers ? everyChannel : (proven?.toldOver ?? []);
    return { details, participant: { ...customer, identity, confirmed: false, toldOver } };
  });
}
