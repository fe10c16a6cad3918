import { isMailAddress, isPhoneNumber, limits } from '@calends/model';
import type { CustomerInput } from './commands.js';
import type { InputIssues } from '../../domain/calls/input.js';
import type { CustomerDetails } from '../../domain/customers/profile.js';

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
  const kept = <T>(value: unknown, read: () => T, present: T): T => (value === undefined ? present : read());
  const part = <Part extends object>(at: string, value: Part | null | undefined, cleared: Part): Partial<Part> => {
    if (value === undefined) return {};
    if (value === null) return cleared;
    if (!issues.isObject(`${pointer}${at}`, value)) return {};
    return Object.keys(value).length === 0 ? cleared : value;
  };
  const contact = part('/contact', input.contact, clearedContact);
  const name = part('/name', input.name, clearedName);
  const text = (at: string, value: unknown, maxLength: number): string | undefined =>
    issues.text(`${pointer}${at}`, value, maxLength) || undefined;
  const next: CustomerDetails = {
    username: kept(input.username, () => text('/username', input.username, limits.username), current.username),
    primaryEmail: kept(
      contact.primaryEmail,
      () => readEmail(`${pointer}/contact/primaryEmail`, contact.primaryEmail, issues),
      current.primaryEmail,
    ),
    primaryPhone: kept(
      contact.primaryPhone,
      () => readPhone(`${pointer}/contact/primaryPhone`, contact.primaryPhone, issues),
      current.primaryPhone,
    ),
    firstName: kept(name.firstName, () => text('/name/firstName', name.firstName, limits.name), current.firstName),
    lastName: kept(name.lastName, () => text('/name/lastName', name.lastName, limits.name), current.lastName),
    metadata: kept(
      input.metadata,
      () => issues.textMap(`${pointer}/metadata`, input.metadata, limits.metadataBytes),
      current.metadata,
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

function readEmail(pointer: string, value: unknown, issues: InputIssues): string | undefined {
  const address = issues.text(pointer, value, limits.email)?.replaceAll(/^ +| +$/g, '');
  if (address === undefined || address === '') return undefined;
  if (isMailAddress(address)) return address;
  issues.add(pointer, 'invalid_format', 'Must be an e-mail address.');
  return undefined;
}

function readPhone(pointer: string, value: unknown, issues: InputIssues): string | undefined {
  const phone = issues.text(pointer, value, limits.phone)?.replaceAll(/\s/g, '');
  if (phone === undefined || phone === '') return undefined;
  if (isPhoneNumber(phone)) return phone;
  issues.add(pointer, 'invalid_format', 'Must be a phone number in E.164 form.');
  return undefined;
}
