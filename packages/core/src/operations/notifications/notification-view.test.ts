import { describe, expect, it } from 'vitest';
import { minutes } from '@calends/model';
import { allOn, claimedToSend, notification } from '../../../test/notifications/sample-notification.js';
import { now, scheduled } from '../../../test/sample-appointments.js';
import { sampleCustomer } from '../../../test/sample-messages.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { Addressee } from '../../domain/notifications/notification.js';
import { eventView, statusView } from './notification-view.js';

const means = { canAsk: true, isDisabled: false };
const view = (row = notification(), customer: CustomerProfile | undefined = sampleCustomer) =>
  statusView({ notification: row, appointment: scheduled(), customer }, allOn, means, now);

describe('The recipient (D57)', () => {
  it.each<[string, Addressee | undefined, Partial<CustomerProfile> | undefined, object]>([
    ['a customer with both names', undefined, {}, { displayName: 'Maria Papadaki', reasonCode: null }],
    ['with a first name only', undefined, { lastName: undefined }, { displayName: 'Maria', reasonCode: null }],
    ['with a last name only', undefined, { firstName: '' }, { displayName: 'Papadaki', reasonCode: null }],
    [
      'without a name',
      undefined,
      { firstName: undefined, lastName: undefined },
      { displayName: '-', reasonCode: 'NO_NAME' },
    ],
    ['with empty names', undefined, { firstName: '', lastName: '' }, { displayName: '-', reasonCode: 'NO_NAME' }],
    [
      'with names of blanks',
      undefined,
      { firstName: ' ', lastName: '\n' },
      { displayName: '-', reasonCode: 'NO_NAME' },
    ],
    [
      'with names in several lines',
      undefined,
      { firstName: ' Ada\r\n', lastName: 'King\u2028Lovelace' },
      { displayName: 'Ada King Lovelace', reasonCode: null },
    ],
    ['without a profile', undefined, undefined, { displayName: '-', reasonCode: 'NOT_FOUND' }],
    ['an endpoint', { type: 'SYSTEM', id: 'crm', label: 'CRM' }, {}, { displayName: 'CRM', reasonCode: null }],
    ['an endpoint without a label', { type: 'SYSTEM', id: 'crm' }, {}, { displayName: '-', reasonCode: 'NO_NAME' }],
    [
      'an endpoint with an empty one',
      { type: 'SYSTEM', id: 'x', label: '' },
      {},
      { displayName: '-', reasonCode: 'NO_NAME' },
    ],
  ])('the recipient is told by a name or a reason: %s', (_what, addressee, customer, expected) => {
    const row = notification(addressee && { addressee });
    const listed = {
      notification: row,
      appointment: scheduled(),
      customer: customer && { ...sampleCustomer, ...customer },
    };
    const { recipient } = statusView(listed, allOn, means, now);
    expect(recipient).toEqual({ ...expected, type: addressee?.type ?? 'CUSTOMER' });
  });
});

describe('A status', () => {
  it('a status has exactly the documented fields', () => {
    expect(Object.keys(view()).sort()).toEqual(
      [
        'id',
        'appointmentId',
        'canRetry',
        'channel',
        'createdAt',
        'errorMessage',
        'message',
        'nextPollAt',
        'nextRetryAt',
        'offset',
        'providerStatus',
        'recipient',
        'retryCount',
        'scheduledFor',
        'status',
        'type',
        'updatedAt',
      ].sort(),
    );
  });

  it('a status counts attempts, automatic and by hand, as retryCount (D51)', () => {
    expect(view(claimedToSend({ attempts: 7, manualRetries: 2 })).retryCount).toBe(7);
  });

  it('a status shows nothing of what it keeps and to whom it is sent', () => {
    const kept = JSON.stringify({ customer: sampleCustomer });
    const shown = JSON.stringify(view(notification({ kept })));
    expect(shown).not.toContain('maria@example.org');
    expect(shown).not.toContain('+306900000001');
  });
});

describe('An event', () => {
  const event = { number: 12, timestamp: now + minutes(1), status: 'PENDING', attempts: 3, pollAttempts: 0 } as const;
  const row = notification({ offset: minutes(30), scheduledFor: now, attempts: 5, status: 'FAILED' });

  it('an event tells how things stood then, not how they stand now', () => {
    const shown = eventView({ event, notification: row, customer: sampleCustomer });
    expect(shown).toMatchObject({
      id: `${row.id}-000012`,
      statusId: row.id,
      status: 'PENDING',
      retryCount: 3,
      offset: minutes(30),
      scheduledFor: now,
      recipient: { displayName: 'Maria Papadaki' },
    });
    expect(shown.pollAttempts).toBeUndefined();
    expect(eventView({ event: { ...event, pollAttempts: 2 }, notification: row, customer: undefined })).toMatchObject({
      pollAttempts: 2,
      recipient: { displayName: '-', reasonCode: 'NOT_FOUND' },
    });
  });

  it('an event has an id that orders as its number does', () => {
    const ids = [1, 2, 9, 10, 11, 99, 100].map(
      (number) => eventView({ event: { ...event, number }, notification: row, customer: undefined }).id,
    );
    expect([...ids].sort()).toEqual(ids);
  });
});
