import { limits } from '@calends/model';
import { bodyLimits, operationsOf } from '../operation.js';
import {
  customerSessionRequestSchema,
  customerSessionResponseSchema,
  oneTimePasswordRequestSchema,
} from '../schemas/customer-proofs.js';
import { noRole } from '../roles.js';

/*
 * What customers and calendars need beside the documents (D44, D45; decisions, Across all). Each is mounted only when the
 * host turns it on; what proves the caller is in the request itself.
 */

const family = {
  family: 'customers',
  tag: 'Customers',
  authentication: 'none',
  roles: noRole,
} as const;

/** The additive operations for customers and calendars, by id. */
export const customerOperations = operationsOf(family, {
  requestOneTimePassword: {
    useCase: 'requestOtp',
    method: 'POST',
    path: '/api/customers/one-time-passwords',
    summary: 'Request a one-time password',
    description:
      'Sends a one-time password, if the user name is known and no limit is reached. The answer is the same whether or not.',
    optional: 'oneTimePasswords',
    body: oneTimePasswordRequestSchema,
    bodyRequired: true,
    bodyLimit: bodyLimits.proof,
    limiterClass: 'proof',
    success: { status: 204 },
    statuses: [204, 400, 500],
  },
  beginCustomerSession: {
    useCase: 'exchangeManageLink',
    method: 'POST',
    path: '/api/customers/sessions',
    summary: 'Exchange a manage link for a bearer token',
    description:
      'Answers a bearer token with which the customer of the link may see, move and cancel the one appointment. Whatever ' +
      'is wrong with a link gives the same 403.',
    optional: 'customerSessions',
    body: customerSessionRequestSchema,
    bodyRequired: true,
    bodyLimit: bodyLimits.proof,
    limiterClass: 'proof',
    success: { status: 200, schema: customerSessionResponseSchema },
    statuses: [200, 400, 403, 500],
  },
  getCalendarFeed: {
    useCase: 'readCalendarFeed',
    method: 'GET',
    path: '/api/calendar-feeds/{code}.ics',
    summary: 'Read the calendar feed of an agent',
    description:
      'The appointments of an agent as an iCalendar file, without data of customers. Whoever knows the address can read it, ' +
      'until it is rotated or revoked.',
    optional: 'calendarFeeds',
    pathParameters: [{ name: 'code', description: 'The secret of the address.', longest: limits.linkCode }],
    limiterClass: 'unauthenticated',
    success: { status: 200, mediaType: 'text/calendar' },
    statuses: [200, 404, 500],
    acceptsIfNoneMatch: true,
    answersETag: true,
  },
});
