import { describe, expect, it } from 'vitest';
import { forwardedHeaders } from './webhooks.js';

const written = { 'X-Campaign': 'spring', 'x-tenant': 'blue', 'x-api-key': 'kept from before' };
const ofCustomer = { notificationHeaders: written, notificationHeadersBy: 'CUSTOMER' } as const;
const ofStaff = { notificationHeaders: written };

describe('Headers that are forwarded (D63)', () => {
  it.each([
    ['a customer wrote are none by default', ofCustomer, {}, {}],
    [
      'a customer wrote are those that the application names',
      ofCustomer,
      { customerNotificationHeaders: ['x-campaign', 'x-other'] },
      { 'X-Campaign': 'spring' },
    ],
    [
      'a customer wrote are none of the closed list, named or not',
      ofCustomer,
      { customerNotificationHeaders: ['x-api-key'] },
      {},
    ],
    ['a customer wrote do not follow the list for staff', ofCustomer, { staffNotificationHeaders: ['x-campaign'] }, {}],
    ['staff wrote are all but the closed list', ofStaff, {}, { 'X-Campaign': 'spring', 'x-tenant': 'blue' }],
    [
      'staff wrote are those that the application narrows to',
      ofStaff,
      { staffNotificationHeaders: ['X-TENANT', 'x-api-key'] },
      { 'x-tenant': 'blue' },
    ],
    ['staff wrote are none where the application names none', ofStaff, { staffNotificationHeaders: [] }, {}],
  ])('headers that %s', (_what, appointment, settings, forwarded) => {
    expect(forwardedHeaders(appointment, { customerNotificationHeaders: [], ...settings })).toEqual(forwarded);
  });
});
