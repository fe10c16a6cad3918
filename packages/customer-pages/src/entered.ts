import type { ContactInput } from '@calends/core';
import { isMailAddress, isPhoneNumber } from '@calends/core/notifier';
import { isSafeText, limits } from '@calends/core/operations';
import type { Request } from 'express';
import { field } from './form-fields.js';
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
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
    phone: text('phone').replace(/\s/g, ''),
  };
}

/** What is wrong with it, as far as a customer can mend it before a code is sent; the library looks closer. */
export function faultOf({ firstName, lastName, email, phone }: Entered, contact: 'email' | 'phone') {
  const faults: readonly (readonly [boolean, PageTextKey])[] = [
    [firstName === '' && lastName === '', 'enterName'],
    [email === '' ? contact === 'email' : !isMailAddress(email), 'enterEmail'],
    [phone === '' ? contact === 'phone' : !isPhoneNumber(phone), 'enterPhone'],
    [[firstName, lastName].some((name) => name.length > limits.name || !isSafeText(name)), 'detailsRefused'],
  ];
  return faults.find(([isFault]) => isFault)?.[1];
}

/** How to reach the customer. */
export function contactOf({ email, phone }: Entered): ContactInput {
  return { ...(email === '' ? {} : { primaryEmail: email }), ...(phone === '' ? {} : { primaryPhone: phone }) };
}
