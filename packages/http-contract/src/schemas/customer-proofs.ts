import { limits } from '@calends/model';
import { requestObject, responseObject } from '../wire-documentation.js';
import { instant, text } from './answers.js';
import { fields, requiredText } from './request-fields.js';

/** Body of the request for a one-time password (D44). */
export const oneTimePasswordRequestSchema = requestObject('OneTimePasswordRequest', 'Asks for a one-time password.', {
  applicationId: fields.applicationId(),
  username: requiredText(limits.username, 'E-mail address, E.164 phone number, or user name.'),
  locale: fields.locale(),
});

/** Body of the exchange of a manage link (D45). */
export const customerSessionRequestSchema = requestObject(
  'CustomerSessionRequest',
  'Exchanges a manage link for a bearer token.',
  { code: requiredText(limits.linkCode, 'The code of the link: what stands behind its `#`.') },
);

/** What a manage link is exchanged for (D45). */
export const customerSessionResponseSchema = responseObject('CustomerSessionResponse', 'A customer’s bearer token.', {
  token: text('Bearer token of ROLE_CUSTOMER, for this appointment alone.'),
  expiresAt: instant('When the token ends.'),
  appointmentId: text('The appointment.'),
});
