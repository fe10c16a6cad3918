import * as z from 'zod';
import { limits, mailboxField } from '@calends/model';
import { raise } from '../field-errors.js';
import { request, requestObject } from '../wire-documentation.js';
import { boundedTextMap, clearable, textMapDescription } from './bounded.js';
import { optionalText, requiredText } from './request-fields.js';

const contact = requestObject('CustomerContact', 'How to reach the customer.', {
  primaryEmail: request(
    z
      .string()
      .max(limits.email, { abort: true })
      .regex(mailboxField, { error: 'Must be an e-mail address.' })
      .nullish(),
    'E-mail address: one mailbox; blanks around it are dropped.',
  ),
  primaryPhone: optionalText(limits.phone, 'Phone number in E.164 form; blanks are dropped.'),
});

const name = requestObject('CustomerName', 'Name of the customer.', {
  firstName: optionalText(limits.name, 'First name.'),
  lastName: optionalText(limits.name, 'Last name.'),
});

const shared = {
  contact: contact.nullish(),
  name: name.nullish(),
  username: optionalText(limits.username, 'User name of the customer at the host.'),
};

/** A customer in create requests, v1 and v2 (spec: Customer object; D1). */
export const customerSchema = request(
  z
    .object({
      ...shared,
      metadata: request(boundedTextMap(limits.metadataBytes).nullish(), textMapDescription),
    })
    .superRefine((customer, context) => {
      const ways = [customer.contact?.primaryEmail, customer.contact?.primaryPhone, customer.username];
      if (ways.some((way) => typeof way === 'string' && way.trim() !== '')) return;
      raise(context, 'required', 'Must have an e-mail address, a phone number or a user name.');
    }),
  {
    id: 'Customer',
    description: 'A customer; at least one of `contact.primaryEmail`, `contact.primaryPhone` and `username`.',
  },
);
/** A customer in create requests. */
export type Customer = z.infer<typeof customerSchema>;

const updatedFields = {
  ...shared,
  contact: clearable(contact).optional(),
  name: clearable(name).optional(),
  metadata: request(
    clearable(boundedTextMap(limits.metadataBytes)).optional(),
    'Map of string to string; replaces what was saved.',
  ),
};

/** The customer of a v2 update request, addressed by participant id (spec: UpdateAppointmentRequest; D2). */
export const updatedCustomerSchema = requestObject(
  'UpdatedCustomer',
  'New profile of one customer; absent keeps, empty clears.',
  { id: requiredText(limits.id, 'Participant id of the customer to update.'), ...updatedFields },
);
/** The customer of a v2 update, addressed by participant id. */
export type UpdatedCustomer = z.infer<typeof updatedCustomerSchema>;

/** The customer of a v1 update request (spec: v1 shape differences). */
export const updatedCustomerV1Schema = requestObject(
  'UpdatedCustomerV1',
  'New profile of one customer; absent keeps, empty clears.',
  { participantId: requiredText(limits.id, 'Participant id of the customer to update.'), ...updatedFields },
);
/** The customer of a v1 update, addressed by participant id. */
export type UpdatedCustomerV1 = z.infer<typeof updatedCustomerV1Schema>;
