import { describe, expect, it } from 'vitest';
import { tidiedPhone } from './phone.js';

describe('A phone number as people write it', () => {
  it.each([
    ['+30 210 1234567', '+302101234567'],
    ['+30 210-000 0000', '+302100000000'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['+44(0) 20 7946 0958', '+442079460958'],
    ['(+44) (0)20 7946 0958', '+442079460958'],
    ['+49 (30) 123.456', '+4930123456'],
    ['+49 30/901820', '+4930901820'],
    ['+49 30 / 90 18 20', '+4930901820'],
    ['+1 555\u2011010\u20109999', '+15550109999'],
    ['+1 555 010 \u2013 9999', '+15550109999'],
    ['+33\u00A01\u202F23\u202F45\u202F67\u202F89', '+33123456789'],
    // What the address book of a phone puts around a number that is copied.
    ['\u202A+30 210 1234567\u202C', '+302101234567'],
  ])('%s is %s', (typed, phone) => {
    expect(tidiedPhone(typed)).toBe(phone);
  });

  it.each([
    ['without a country', '030 901820'],
    ['with the zeros of another network in front', '0049 30 901820'],
    ['with letters', '+44 20 7946 0958 ext 2'],
    ['with an extension behind the slash', '+49 30 901820/12'],
    ['with another number behind the slash', '+49 30 901820/+49 30 901821'],
    ['with two slashes', '+49/30/901820'],
    ['with a zero in brackets that stands elsewhere', '+44 20 (0)7946 0958'],
    ['with the zero of its country beside the area code', '+49 (030) 901820'],
    ['with a plus that is not in front', '4+4 20 7946 0958'],
    ['that is only marks', '-'],
    ['that is too short', '+44 12-34'],
    ['that is too long', '+44 (0)20 7946 0958 7946 0958'],
    ['of digits that no phone has', '+３０２１０１２３４５６７'],
    ['of nothing', ''],
  ])('a number %s stays as it was typed, to be refused', (_name, typed) => {
    expect(tidiedPhone(typed)).toBe(typed);
  });
});
