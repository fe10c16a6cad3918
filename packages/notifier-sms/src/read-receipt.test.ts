import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ReceiptCall, ReceiptError, readReceipt, SignatureError } from './read-receipt.js';
import { callbackAddress } from './receipt-reference.js';
import { isSigned } from './receipt-signature.js';

const authToken = 'the auth token';
const url = callbackAddress('https://calends.example/receipts', { organizationId: 'org-1', notificationId: 'n-1' });
const form =
  'MessageSid=SM1&MessageStatus=delivered&To=%2B14155552671&From=%2B15005550006&AccountSid=AC1&ApiVersion=2010';

/** The signature by hand, not by the code that is tested. */
function sign(text: string, token = authToken): string {
  return createHmac('sha1', token).update(text).digest('base64');
}

const signedForm = 'AccountSidAC1ApiVersion2010From+15005550006MessageSidSM1MessageStatusdeliveredTo+14155552671';

function call(changes: Partial<ReceiptCall> = {}): ReceiptCall {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    'x-twilio-signature': sign(url + signedForm),
  };
  return { url, headers, body: form, authTokens: authToken, ...changes };
}

function signedCall(body: string, signedText: string, changes: Partial<ReceiptCall> = {}): ReceiptCall {
  return call({ body, headers: { 'X-Twilio-Signature': sign(url + signedText) }, ...changes });
}

describe('the signature of a call', () => {
  const address = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const parameters =
    'Digits=1234&To=%2B18005551212&From=%2B14158675309&Caller=%2B14158675309&CallSid=CA1234567890ABCDE';
  const json = '{"property": "value", "boolean": true}';
  const bodyHash = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620';

  // The examples of the provider's documentation and of its own libraries; the token is 12345.
  it.each([
    ['a form', address, parameters, 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
    [
      'a form that repeats a name',
      address,
      'Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234',
      'IK+Dwps556ElfBT0I3Rgjkr1wJU=',
    ],
    ['a hashed body', `${address}&bodySHA256=${bodyHash}`, json, 'a9nBmqA0ju/hNViExpshrM61xv4='],
  ])('the signature of a call is that of the documented example: %s', (_, url, body, signature) => {
    expect(isSigned({ url, body: Buffer.from(body), signature }, ['12345'])).toBe(true);
    expect(isSigned({ url, body: Buffer.from(`${body} `), signature }, ['12345'])).toBe(false);
    expect(isSigned({ url: `${url}&more=1`, body: Buffer.from(body), signature }, ['12345'])).toBe(false);
    expect(isSigned({ url, body: Buffer.from(body), signature }, ['12346'])).toBe(false);
  });

  it.each([
    ['https://a.example:443/x?y=1', 'https://a.example/x?y=1', true],
    ['https://a.example/x?y=1', 'https://a.example:443/x?y=1', true],
    ['https://a.example:8443/x', 'https://a.example/x', true],
    ['http://[::1]/x', 'http://[::1]:80/x', true],
    ['https://a.example', 'https://a.example:443', true],
    ['https://a.example/x', 'https://a.example:8443/x', false],
    ['https://a.example/x', 'http://a.example/x', false],
    ['https://a.example/x', 'https://b.example/x', false],
  ])('the signature of a call of a call to %s made for %s: valid %s', (url, signedUrl, isValid) => {
    const signature = sign(`${signedUrl}a1`);
    expect(isSigned({ url, body: Buffer.from('a=1'), signature }, [authToken])).toBe(isValid);
  });

  it('the signature of a call is that of an independent computation for any form', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(fc.dictionary(text, text), (fields) => {
        const signature = sign(
          Object.entries(fields)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .reduce((signed, [name, value]) => signed + name + value, address),
        );
        const body = Buffer.from(new URLSearchParams(fields).toString());
        expect(isSigned({ url: address, body, signature }, [authToken])).toBe(true);
      }),
    );
  });

  it('the signature of a call does not hold for another one, of any length', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String({ minLength: 28, maxLength: 28 })), (signature) => {
        expect(isSigned({ url: address, body: Buffer.from(parameters), signature }, ['12345'])).toBe(false);
      }),
    );
  });
});

describe('a receipt', () => {
  it('a receipt tells which notification it is of, and what became of the message', () => {
    expect(readReceipt(call())).toEqual({
      organizationId: 'org-1',
      notificationId: 'n-1',
      report: { state: 'delivered', messageId: 'SM1', providerStatus: 'delivered' },
    });
  });

  it('a receipt is read from bytes and with any of several tokens', () => {
    const read = readReceipt(call({ body: Buffer.from(form), authTokens: ['the next token', authToken] }));
    expect(read.notificationId).toBe('n-1');
  });

  it('a receipt tells why a message was not delivered, without the number', () => {
    const body = 'MessageSid=SM1&MessageStatus=undelivered&ErrorCode=30003&To=%2B14155552671';
    const signed = 'ErrorCode30003MessageSidSM1MessageStatusundeliveredTo+14155552671';
    expect(readReceipt(signedCall(body, signed)).report).toEqual({
      state: 'failed',
      messageId: 'SM1',
      providerStatus: 'undelivered',
      error: 'The message was not delivered (code 30003: the handset cannot be reached).',
    });
  });

  it('a receipt is read with the older names of the fields', () => {
    expect(readReceipt(signedCall('SmsSid=SM1&SmsStatus=sent', 'SmsSidSM1SmsStatussent')).report).toEqual({
      state: 'sent',
      messageId: 'SM1',
      providerStatus: 'sent',
    });
  });

  it('a receipt is read from JSON whose hash is in the address', () => {
    const body = '{"MessageSid":"SM1","MessageStatus":"read"}';
    const hashed = `${url}&bodySHA256=aa8e1fd5e26a4f2bb5b4c7b8e7f8e3d4`;
    const headers = { 'content-type': 'application/json', 'x-twilio-signature': sign(hashed) };
    expect(() => readReceipt(call({ url: hashed, headers, body }))).toThrow(SignatureError);
    const right = `${url}&bodySHA256=de1b0425eeccc1b08b04e5a09f5aa80a8bd5fbb1871ce575f834abf23a48da5b`;
    expect(
      readReceipt(call({ url: right, headers: { ...headers, 'x-twilio-signature': sign(right) }, body })).report.state,
    ).toBe('delivered');
  });

  it.each<[string, Partial<ReceiptCall>]>([
    ['has no signature', { headers: {} }],
    ['has an empty signature', { headers: { 'x-twilio-signature': '' } }],
    ['has another status', { body: form.replace('delivered', 'failed') }],
    ['has one parameter more', { body: `${form}&x=1` }],
    [
      'names another notification',
      { url: callbackAddress(url.split('?')[0] ?? '', { organizationId: 'org-1', notificationId: 'n-2' }) },
    ],
    ['was made for another account', { authTokens: 'another token' }],
    ['has an address that is none', { url: '/receipts' }],
  ])('a receipt that %s is refused', (_, changes) => {
    expect(() => readReceipt(call(changes))).toThrow(SignatureError);
  });

  it.each([
    '',
    'calends=',
    'calends=***',
    'calends=bm8',
    `calends=${'A'.repeat(4000)}`,
    'calends=WzEsMl0',
    'calends=e30',
  ])('a receipt that is signed and has %j in its address is none', (query) => {
    const address = `https://calends.example/receipts?${query}`;
    const headers = { 'x-twilio-signature': sign(address + signedForm) };
    expect(() => readReceipt(call({ url: address, headers }))).toThrow(ReceiptError);
  });

  it('a receipt that is signed and has no status is none', () => {
    expect(() => readReceipt(signedCall('MessageSid=SM1', 'MessageSidSM1'))).toThrow(ReceiptError);
  });

  it.each<[unknown]>([[''], [[]], [[authToken, '']], [undefined], [null], [[undefined]]])(
    'a receipt cannot be checked with the tokens %j',
    (authTokens) => {
      const read = () => readReceipt(call({ authTokens: authTokens as string }));
      expect(read).toThrow(new TypeError('authTokens: must be given'));
    },
  );

  it.each([
    ['nothing, as parsers leave it of a type that they do not know', undefined],
    ['an empty object, as others leave it', {}],
    ['what a parser made of it', { MessageSid: 'SM1', MessageStatus: 'delivered' }],
    ['null', null],
  ])('a receipt is not taken for signed when its body is %s', (_what, body) => {
    expect(() => readReceipt(call({ body: body as string }))).toThrow(SignatureError);
    expect(() => readReceipt(call({ body: body as string, headers: {} }))).toThrow(SignatureError);
  });

  it('a receipt finds its row whatever the ids are', () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(id, id, (organizationId, notificationId) => {
        const address = callbackAddress('https://calends.example/r?of=sms', { organizationId, notificationId });
        const headers = { 'x-twilio-signature': sign(address + signedForm) };
        expect(readReceipt(call({ url: address, headers }))).toMatchObject({ organizationId, notificationId });
      }),
    );
  });
});
