import { notificationTypes } from '@calends/core/store';
import { type HeaderFault, readHeaderMap } from '@calends/core/notifier';
import { notificationLimits as limits } from '@calends/core/operations';
import { webhookKeyOf } from '@calends/model';
import * as z from 'zod';
import { section, text, yesOrNo } from './setting-forms.js';

const { min, max } = limits.secretBytes;

const secretRule = `must be whsec_ and the base64 of ${min} to ${max} bytes`;
const secret = z
  .string({ error: secretRule })
  .refine((written) => webhookKeyOf(written) !== undefined, { error: secretRule });

const secretsRule = `must be a secret or a list of 1 to ${limits.secrets}, the newest first`;
const secrets = z
  .array(secret, { error: secretsRule })
  .min(1, { error: secretsRule })
  .max(limits.secrets, { error: secretsRule });

const addressRule = 'must be an http or https address without user name and fragment';
const address = text(limits.address).refine(isAddress, { error: addressRule });

const headerRules: Readonly<Record<HeaderFault, string>> = {
  not_a_string_map: 'must be an object whose values are texts',
  too_many: 'must have at most 32 entries',
  too_long: 'must have at most 8 KiB',
  name: 'must have names that are header names, each once',
  reserved: 'must not set a header that is reserved, such as authorization, content-… or webhook-…',
  value: 'must have values that headers can have',
};

const headers = z.custom<Readonly<Record<string, string>>>().superRefine((map, context) => {
  const reading = readHeaderMap(map);
  if (!reading.ok) context.addIssue({ code: 'custom', message: headerRules[reading.fault] });
});

const authentication = z.discriminatedUnion(
  'type',
  [
    section({
      type: z.literal('basic'),
      // RFC 7617, section 2: the first colon ends the user name.
      username: text(limits.credential).refine((name) => !name.includes(':'), { error: 'must not have a colon' }),
      password: text(limits.credential),
    }),
    section({
      type: z.literal('oauth2'),
      tokenUrl: address,
      clientId: text(limits.credential),
      clientSecret: text(limits.credential),
      scope: text(limits.credential).exactOptional(),
    }),
  ],
  { error: 'must be an object whose type is basic or oauth2' },
);

const types = z
  .array(z.enum(notificationTypes, { error: `must be one of ${notificationTypes.join(', ')}` }), {
    error: 'must be a list of notification types',
  })
  .min(1, { error: 'must name at least one type; without it, all are sent' });

/** One web hook endpoint of an application (D59). */
export const webhookSchema = section({
  id: text(limits.endpointId),
  label: text(limits.endpointLabel),
  url: address,
  // Told apart by hand: a union would hide which of several secrets is at fault.
  secret: z.unknown().transform((given, context): string | readonly string[] => {
    const result = (Array.isArray(given) ? secrets : secret).safeParse(given);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  }),
  types: types.exactOptional(),
  headers: headers.exactOptional(),
  allowHttp: yesOrNo().exactOptional(),
  allowPrivateNetwork: yesOrNo().exactOptional(),
  authentication: authentication.exactOptional(),
}).superRefine((endpoint, context) => {
  if (endpoint.allowHttp === true) return;
  const error = 'must be https unless allowHttp is true';
  if (endpoint.url.startsWith('http:')) context.addIssue({ code: 'custom', path: ['url'], message: error });
  const { authentication: proof } = endpoint;
  if (proof?.type === 'oauth2' && proof.tokenUrl.startsWith('http:')) {
    context.addIssue({ code: 'custom', path: ['authentication', 'tokenUrl'], message: error });
  }
});

function isAddress(written: string): boolean {
  if (!/^https?:\/\//.test(written) || !URL.canParse(written)) return false;
  const { username, password, hash } = new URL(written);
  return `${username}${password}${hash}` === '';
}
