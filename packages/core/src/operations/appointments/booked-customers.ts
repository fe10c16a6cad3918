import { isMailAddress, isPhoneNumber, limits } from '@calends/model';
import type { CustomerInput } from './commands.js';
import type { InputIssues } from '../../domain/calls/input.js';
import type { CustomerDetails } from '../../domain/customers/profile.js';
import type { Participant } from '../../domain/appointments/appointment.js';
import { channelFacts, type ContactChannel, contactChannels } from '../../settings/channels.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { UseCaseContext } from '../context.js';
import type { CustomerContact } from '../../ports/customer-directory.js';
import { plainMailbox } from '../proofs/mailbox.js';
import { addressIn, normalizedName } from '../proofs/otp/codes.js';

/** Reads a new customer: e-mail, phone or username must be there (D1, D8). */
export function readCustomer(pointer: string, input: CustomerInput, issues: InputIssues): CustomerDetails {
  return applyCustomer(pointer, { metadata: {} }, input, issues);
}

/** Applies a change to a customer: absent keeps, empty clears (D2); one way to reach them must remain. */
export function applyCustomer(
  pointer: string,
  current: CustomerDetails,
  input: CustomerInput,
  issues: InputIssues,
): CustomerDetails {
  if (!issues.isObject(pointer, input)) return current;
  const kept = <T>(at: string, value: unknown, present: T, read: (at: string, value: unknown) => T): T =>
    value === undefined ? present : read(`${pointer}${at}`, value);
  const part = <Part extends object>(at: string, value: Part | null | undefined, cleared: Part): Partial<Part> => {
    if (value === undefined) return {};
    if (value === null) return cleared;
    if (!issues.hasMembers(`${pointer}${at}`, value)) return {};
    return Object.keys(value).length === 0 ? cleared : value;
  };
  const contact = part('/contact', input.contact, clearedContact);
  const name = part('/name', input.name, clearedName);
  const text = (max: number) => (at: string, value: unknown) => issues.text(at, value, max) || undefined;
  const next: CustomerDetails = {
    username: kept('/username', input.username, current.username, text(limits.username)),
    primaryEmail: kept('/contact/primaryEmail', contact.primaryEmail, current.primaryEmail, (at, value) => {
      const address = issues.text(at, value, limits.email)?.replaceAll(/^ +| +$/g, '');
      const mailbox = formed(at, address, isMailAddress, 'Must be an e-mail address.', issues);
      return mailbox && plainMailbox(mailbox);
    }),
    primaryPhone: kept('/contact/primaryPhone', contact.primaryPhone, current.primaryPhone, (at, value) => {
      const phone = issues.text(at, value, limits.phone)?.replaceAll(/\s/g, '');
      return formed(at, phone, isPhoneNumber, 'Must be a phone number in E.164 form.', issues);
    }),
    firstName: kept('/name/firstName', name.firstName, current.firstName, text(limits.name)),
    lastName: kept('/name/lastName', name.lastName, current.lastName, text(limits.name)),
    metadata: kept('/metadata', input.metadata, current.metadata, (at, value) =>
      issues.textMap(at, value, limits.metadataBytes),
    ),
  };
  if (!isReachable(input) && !isReachable(next)) {
    issues.add(
      pointer,
      'required',
      'Must have at least one of contact.primaryEmail, contact.primaryPhone and username.',
    );
  }
  return next;
}

const clearedContact = { primaryEmail: null, primaryPhone: null };
const clearedName = { firstName: null, lastName: null };

/** True also for an unusable address that was given: it has its own issue. Blanks alone are no address. */
function isReachable(customer: CustomerInput | CustomerDetails): boolean {
  const contact = 'contact' in customer ? (customer.contact ?? {}) : customer;
  const { primaryEmail, primaryPhone } = contact as Partial<CustomerDetails>;
  const ways: readonly unknown[] = [customer.username, primaryEmail, primaryPhone];
  return ways.some((way) => (typeof way === 'string' ? way.trim() !== '' : Boolean(way)));
}

function formed(
  pointer: string,
  text: string | undefined,
  isRight: (text: string) => boolean,
  rule: string,
  issues: InputIssues,
): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (isRight(text)) return text;
  issues.add(pointer, 'invalid_format', rule);
  return undefined;
}

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
    const id = ids.next();
    if (proof === undefined) {
      return { details, participant: { id, type: 'CUSTOMER', identity: customerIdentity(organizationId, details) } };
    }
    const proven = index === 0 ? provenOf(details, proof) : undefined;
    const identity = proven && customerIdentity(organizationId, proven.known);
    const toldOver = settings.customerCreate.notifyOthers ? contactChannels : (proven?.toldOver ?? []);
    return { details, participant: { id, type: 'CUSTOMER', identity, confirmed: false, toldOver } };
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
      username: isSame(details.username, username) ? details.username : undefined,
      primaryEmail: isProven.primaryEmail || isSame(primaryEmail, username) ? primaryEmail : undefined,
      primaryPhone: isProven.primaryPhone || isSame(primaryPhone, username) ? primaryPhone : undefined,
    },
    toldOver: contactChannels.filter((channel) => isProven[channelFacts[channel].address.profile]),
  };
}

/** Tells whether a user name is one of the customer's, however both are written (D44). */
export function isNamed(username: string, { username: own, primaryEmail, primaryPhone }: CustomerDetails): boolean {
  return username !== '' && [own, primaryEmail, primaryPhone].some((name) => isSame(name, username));
}

function isSame(given: string | undefined, proven: string | undefined): boolean {
  return given !== undefined && proven !== undefined && normalizedName(given) === normalizedName(proven);
}
