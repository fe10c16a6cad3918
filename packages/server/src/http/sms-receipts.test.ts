import type { DeliveryReceipt } from '@calends/core/operations';
import { StoreError } from '@calends/core/store';
import express from 'express';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../log/log.js';
import { lastResort } from './last-resort.js';
import { smsReceipts } from './sms-receipts.js';

const authToken = 'the auth token of the account';
/** What the provider calls; the server itself is behind a proxy and knows nothing of it. */
const publicAddress = 'https://example.org/calends/callbacks/sms';
const reference = Buffer.from(JSON.stringify(['org-1', 'n-1'])).toString('base64url');
const query = `?calends=${reference}`;
const delivered = { MessageSid: 'SM1', MessageStatus: 'delivered' };

let server: Server;
let address = '';
let received: DeliveryReceipt[] = [];
let isKnown = true;
let fault: Error | undefined;

beforeAll(async () => {
  const notifications = {
    receive: (receipt: DeliveryReceipt) => {
      received.push(receipt);
      return fault === undefined ? Promise.resolve(isKnown) : Promise.reject(fault);
    },
  };
  const handlers = smsReceipts(notifications, { address: publicAddress, authToken });
  const application = express().post('/callbacks/sms', ...handlers);
  application.use(lastResort(createLog('silent')));
  server = createServer(application).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks/sms`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  [received, isKnown, fault] = [[], true, undefined];
});

function sign(url: string, form: Readonly<Record<string, string>>): string {
  const text = Object.keys(form)
    .sort()
    .map((name) => `${name}${form[name]}`)
    .join('');
  return createHmac('sha1', authToken).update(`${url}${text}`).digest('base64');
}

async function call(
  form: Readonly<Record<string, string>>,
  { at = query, signature = sign(`${publicAddress}${at}`, form), encoding = 'identity' } = {},
) {
  const response = await fetch(`${address}${at}`, {
    method: 'POST',
    headers: { 'X-Twilio-Signature': signature, 'Content-Encoding': encoding, Connection: 'close' },
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  return { status: response.status, code: text === '' ? undefined : (JSON.parse(text) as { code: string }).code };
}

describe('a receipt of an SMS', () => {
  it('a receipt of an SMS that is signed reaches the notification that its address names', async () => {
    expect(await call(delivered)).toEqual({ status: 204, code: undefined });
    expect(received).toEqual([
      { organizationId: 'org-1', notificationId: 'n-1', report: expect.objectContaining({ state: 'delivered' }) },
    ]);
  });

  it('a receipt of an SMS of a notification that is gone is taken too: the provider has nothing better to send', async () => {
    isKnown = false;
    expect(await call(delivered)).toEqual({ status: 204, code: undefined });
  });

  it.each([
    ['a database that does not answer', new StoreError('unavailable', 'away'), 503, 'unavailable'],
    ['a defect', new Error('a secret'), 500, 'internal'],
  ])('a receipt of an SMS meets %s as every other request does', async (_what, met, status, code) => {
    fault = met;
    expect(await call(delivered)).toEqual({ status, code });
  });

  it.each([
    ['a wrong signature', delivered, { signature: sign(publicAddress, delivered) }, 403, 'forbidden'],
    ['no signature', delivered, { signature: '' }, 403, 'forbidden'],
    [
      'another notification than was signed',
      delivered,
      {
        at: `?calends=${Buffer.from('["org-1","n-2"]').toString('base64url')}`,
        signature: sign(`${publicAddress}${query}`, delivered),
      },
      403,
      'forbidden',
    ],
    ['no reference', delivered, { at: '' }, 400, 'validation_failed'],
    ['no status', { MessageSid: 'SM1' }, {}, 400, 'validation_failed'],
    ['a body that is not compressed as it says', delivered, { encoding: 'gzip' }, 400, 'validation_failed'],
    ['an encoding that nobody knows', delivered, { encoding: 'unknown' }, 400, 'validation_failed'],
    ['more than 16 KiB', { ...delivered, more: 'x'.repeat(16 * 1024) }, {}, 413, 'payload_too_large'],
  ])('a receipt of an SMS with %s is refused and changes nothing', async (_what, form, options, status, code) => {
    expect(await call(form, options)).toEqual({ status, code });
    expect(received).toEqual([]);
  });
});
