import * as z from 'zod';
import { limits } from '@calends/model';
import { request, response } from '../wire-documentation.js';
import { instant, text } from './answers.js';
import { fields, requiredText } from './request-fields.js';

/** Body of the request for a one-time password (D44). */
export const oneTimePasswordRequestSchema = request(
  z.object({
    applicationId: fields.applicationId(),
    username: requiredText(limits.username, 'E-mail address, E.164 phone number, or user name.'),
    locale: fields.locale(),
  }),
  { id: 'OneTimePasswordRequest', description: 'Asks for a one-time password.' },
);

/** Body of the exchange of a manage link (D45). */
export const customerSessionRequestSchema = request(
  z.object({ code: requiredText(limits.linkCode, 'The code of the link: what stands behind its `#`.') }),
  { id: 'CustomerSessionRequest', description: 'Exchanges a manage link for a bearer token.' },
);

/** What a manage link is exchanged for (D45). */
export const customerSessionResponseSchema = response(
  z.object({
    token: text('Bearer token of ROLE_CUSTOMER, for this appointment alone.'),
    expiresAt: instant('When the token ends.'),
    appointmentId: text('The appointment.'),
  }),
  { id: 'CustomerSessionResponse', description: 'A customer’s bearer token.' },
);
