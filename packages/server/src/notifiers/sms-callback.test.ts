import { twilioOptionsFromUrl } from '@calends/notifier-sms';
import { describe, expect, it } from 'vitest';
import { smsCallbackOf, withSmsCallback } from './sms-callback.js';

const plain = twilioOptionsFromUrl('https://AC1:token@api.twilio.com');
const withKey = twilioOptionsFromUrl('https://AC1:secret@api.twilio.com?apiKey=SK1');
const named = twilioOptionsFromUrl(
  `https://AC1:token@api.twilio.com?callback=${encodeURIComponent('https://hooks.example/sms?tenant=1')}`,
);

describe('the address for receipts of SMS', () => {
  it.each([
    ['is below the public address', plain, 'https://example.org/calends', 'https://example.org/calends/callbacks/sms'],
    ['may be a loopback address', plain, 'http://127.0.0.1:3000', 'http://127.0.0.1:3000/callbacks/sms'],
    [
      'is the one that CALENDS_SMS_URL names, without its query',
      named,
      'https://example.org',
      'https://hooks.example/sms',
    ],
    ['is none without a public address', plain, undefined, undefined],
    ['is none where the provider could only call over http', plain, 'http://example.org', undefined],
    ['is none with an API key, whose secret signs nothing', withKey, 'https://example.org', undefined],
    ['is none without a provider', undefined, 'https://example.org', undefined],
  ])('the address for receipts of SMS %s', (_what, sms, publicUrl, address) => {
    const callback = smsCallbackOf(withSmsCallback({ sms, publicUrl }));
    expect(callback).toEqual(address === undefined ? undefined : { address, authToken: 'token' });
  });
});
