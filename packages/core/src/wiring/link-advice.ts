import type { Ports } from '../ports/ports.js';

/** What `check()` says where messages to customers have nowhere to lead before the room is open (D61). */
export function linkAdvice(
  { notifiers, linkSource }: Pick<Ports, 'notifiers' | 'linkSource'>,
  managePageUrl: string | undefined,
): readonly string[] {
  const tellsCustomers = notifiers.email !== undefined || notifiers.sms !== undefined;
  if (!tellsCustomers || linkSource !== undefined || managePageUrl !== undefined) return [];
  return [
    'managePageUrl: neither it nor a linkSource is given; messages to customers have no link before the room is open, then its address.',
  ];
}
