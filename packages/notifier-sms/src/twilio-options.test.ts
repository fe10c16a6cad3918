import { describe, expect, it } from 'vitest';
import { twilioNotifier } from './twilio-notifier.js';
import { type TwilioOptions, twilioOptionsFromUrl } from './twilio-options.js';

const options: TwilioOptions = { accountSid: 'AC1', authToken: 'secret-token' };
const addressRule = 'must be an https address';

describe('the options', () => {
  it.each<[string, Partial<TwilioOptions>, string]>([
    ['no account', { accountSid: '' }, 'accountSid: must be an account SID'],
    ['an account that leads elsewhere', { accountSid: '../x' }, 'accountSid: must be an account SID'],
    [
      'an account that is not set',
      { accountSid: undefined as unknown as string },
      'accountSid: must be an account SID',
    ],
    ['a token that is no text', { authToken: 12 as unknown as string }, 'authToken: must not be empty'],
    [
      'a key whose secret is not set',
      { authToken: undefined, apiKey: { sid: 'SK1' } as unknown as TwilioOptions['apiKey'] },
      'apiKey: must have',
    ],
    ['no secret', { authToken: undefined }, 'authToken or apiKey: exactly one'],
    ['two secrets', { apiKey: { sid: 'SK1', secret: 'x' } }, 'authToken or apiKey: exactly one'],
    ['an empty token', { authToken: '' }, 'authToken: must not be empty'],
    ['a key without secret', { authToken: undefined, apiKey: { sid: 'SK1', secret: '' } }, 'apiKey: must have'],
    ['http', { baseUrl: 'http://api.example' }, `baseUrl: ${addressRule}`],
    ['no address', { baseUrl: 'api.example' }, `baseUrl: ${addressRule}`],
    ['a query', { baseUrl: 'https://api.example?x=1' }, `baseUrl: ${addressRule}`],
    ['a callback over http', { statusCallback: 'http://a.example/' }, `statusCallback: ${addressRule}`],
    ['a callback with a password', { statusCallback: 'https://u:p@a.example/' }, `statusCallback: ${addressRule}`],
    ['a callback with a fragment', { statusCallback: 'https://a.example/#x' }, `statusCallback: ${addressRule}`],
    ['a callback with our parameter', { statusCallback: 'https://a.example/?calends=1' }, 'statusCallback:'],
    [
      'an address that is no text',
      { baseUrl: new URL('https://api.example') as unknown as string },
      `baseUrl: ${addressRule}`,
    ],
    [
      'a callback that is no text',
      { statusCallback: new URL('https://a.example/') as unknown as string },
      `statusCallback: ${addressRule}`,
    ],
    [
      'null for a key',
      { authToken: undefined, apiKey: null as unknown as TwilioOptions['apiKey'] },
      'apiKey: must have',
    ],
    ['no messaging service', { messagingServiceSid: '' }, 'messagingServiceSid:'],
    ['no time', { timeout: 0 }, 'timeout: must be a whole number'],
    ['part of a segment', { longest: 1.5 }, 'longest: must be a whole number'],
    [
      'a name that does not exist',
      { timeOut: 1 } as Partial<TwilioOptions>,
      'unknown option timeOut; did you mean timeout?',
    ],
  ])('the options are refused with %s, without a secret in the message', (_, changes, fault) => {
    const making = () => twilioNotifier({ ...options, ...changes });
    expect(making).toThrow(TypeError);
    expect(making).toThrow(`  - ${fault}`);
    expect(making).not.toThrow('secret-token');
  });

  it.each([null, undefined, 'secret-token'])('%j is refused in the place of options, and is not told', (given) => {
    const making = () => twilioNotifier(given as unknown as TwilioOptions);
    expect(making).toThrow(new TypeError('twilioNotifier: options: must be an object.'));
  });

  it('the options are taken with http where nothing leaves the machine', () => {
    const made = twilioNotifier({ ...options, baseUrl: 'http://[::1]:9', statusCallback: 'http://localhost/r' });
    expect(made).toMatchObject({ capability: 'none', timeout: 10_000 });
  });
});

describe('the options as an address', () => {
  it.each<[string, TwilioOptions]>([
    [
      'https://AC1:to%2Fken@api.twilio.com',
      { accountSid: 'AC1', authToken: 'to/ken', baseUrl: 'https://api.twilio.com' },
    ],
    [
      'https://AC1:t@sms.example:8443/api/laml/?callback=https%3A%2F%2Fa.example%2Fr%3Fx%3D1&messagingService=MG1',
      {
        accountSid: 'AC1',
        authToken: 't',
        baseUrl: 'https://sms.example:8443/api/laml',
        statusCallback: 'https://a.example/r?x=1',
        messagingServiceSid: 'MG1',
      },
    ],
    [
      'https://AC1:key-secret@api.twilio.com?apiKey=SK1',
      { accountSid: 'AC1', apiKey: { sid: 'SK1', secret: 'key-secret' }, baseUrl: 'https://api.twilio.com' },
    ],
    ['http://AC1:t@127.0.0.1:9', { accountSid: 'AC1', authToken: 't', baseUrl: 'http://127.0.0.1:9' }],
  ])('the address %s is read', (address, read) => {
    expect(twilioOptionsFromUrl(address)).toEqual(read);
  });

  it.each([
    ['is none', 'secret-token', 'must be an address'],
    ['has no scheme', 'AC1:secret-token@api.twilio.com', 'baseUrl'],
    ['has no account', 'https://:secret-token@api.twilio.com', 'accountSid'],
    ['has no secret', 'https://AC1@api.twilio.com', 'authToken: must not be empty'],
    ['goes over http', 'http://AC1:secret-token@api.twilio.com', 'baseUrl'],
    ['has another scheme', 'sms://AC1:secret-token@api.twilio.com', 'baseUrl'],
    ['has an unknown parameter', 'https://AC1:secret-token@api.twilio.com?from=1', 'callback, messagingService'],
    ['has a fragment', 'https://AC1:secret-token@api.twilio.com#x', 'nothing follows it'],
    ['has a bare %', 'https://AC1:secret-token%@api.twilio.com', '%25'],
    ['has an empty callback', 'https://AC1:secret-token@api.twilio.com?callback=', 'statusCallback'],
  ])('the options as an address is refused if it %s, without the secret in the message', (_, address, fault) => {
    const reading = () => twilioOptionsFromUrl(address);
    expect(reading).toThrow(TypeError);
    expect(reading).toThrow(fault);
    expect(reading).not.toThrow('secret-token');
  });
});
