import type { ContactInput } from '@calends/core';
import { isMailAddress, isPhoneNumber } from '@calends/core/notifier';
import { isSafeText, limits } from '@calends/core/operations';
import type { Request } from 'express';
import { field } from './form-fields.js';
import { tidiedPhone } from './phone.js';
import type { PageTextKey } from './texts/page-texts.js';

/** Who books, as it was entered. */
export interface Entered {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
}

export const nothingEntered: Entered = { firstName: '', lastName: '', email: '', phone: '' };

/** Reads it from the form. */
export function enteredIn(request: Request): Entered {
  const text = (name: string): string => field(request, name).trim();
  return { firstName: text('firstName'), lastName: text('lastName'), email: text('email'), phone: text('phone') };
}

/** The addresses as the library takes them: the fields keep what was typed. */
export function addressesOf({ email, phone }: Entered): Pick<Entered, 'email' | 'phone'> {
  return { email, phone: tidiedPhone(phone) };
}

/** What is wrong with it, as far as a customer can mend it before a code is sent; the library looks closer. */
export function faultOf(entered: Entered, contact: 'email' | 'phone') {
  const { firstName, lastName } = entered;
  const { email, phone } = addressesOf(entered);
  const faults: readonly (readonly [boolean, PageTextKey])[] = [
    [firstName === '' && lastName === '', 'enterName'],
    [email === '' ? contact === 'email' : !isMailAddress(email), 'enterEmail'],
    [phone === '' ? contact === 'phone' : !isPhoneNumber(phone), 'enterPhone'],
    [[firstName, lastName].some((name) => name.length > limits.name || !isSafeText(name)), 'detailsRefused'],
  ];
  return faults.find(([isFault]) => isFault)?.[1];
}

/** How to reach the customer. */
export function contactOf(entered: Entered): ContactInput {
  const { email, phone } = addressesOf(entered);
  return { ...(email === '' ? {} : { primaryEmail: email }), ...(phone === '' ? {} : { primaryPhone: phone }) };
}
