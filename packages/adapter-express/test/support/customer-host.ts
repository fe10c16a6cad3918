import type { ConfiguredApplication, ConfiguredNotifications } from '@calends/core';
import type { EmailMessage, SmsMessage } from '@calends/core/notifier';
import { type Host, type OpenStore, people, startHost } from './host.js';
import { RecordingNotifier } from './notified-host.js';
import { created, creation, creationV1, oneTimePassword } from './requests.js';

const hour = 3_600_000;

/** Mail and SMS, a reminder a day before, a follow-up an hour after. */
const told: ConfiguredNotifications = {
  active: true,
  email: { from: 'no-reply@clinic.example' },
  sms: { from: '+302100000000' },
  reminders: [24 * hour],
  followUps: [hour],
};

const applications: Readonly<Record<string, ConfiguredApplication>> = {
  'app-1': { organizationId: 'org-1', notifications: { email: { from: 'no-reply@clinic.example' } } },
  'app-guarded': {
    organizationId: 'org-1',
    overlap: { mode: 'agent', buffer: 0 },
    notifications: { email: { from: 'no-reply@clinic.example' } },
  },
  'app-told': { organizationId: 'org-1', notifications: told },
  'app-telling': { organizationId: 'org-1', notifications: told, customerCreate: { notifyOthers: true } },
  'app-customers': {
    organizationId: 'org-1',
    overlap: { mode: 'customer', buffer: 0 },
    notifications: { email: { from: 'no-reply@clinic.example' } },
  },
  'app-kept': {
    organizationId: 'org-1',
    customerRetention: 24 * hour,
    notifications: { email: { from: 'no-reply@clinic.example' } },
  },
};

/** A host with the built-in proofs of customers, and everything additive turned on. */
export interface CustomerHost extends Host {
  readonly email: RecordingNotifier<EmailMessage>;
  readonly sms: RecordingNotifier<SmsMessage>;
  /** Asks for a one-time password over HTTP and reads it in the mail. */
  codeFor(username: string, applicationId?: string): Promise<string>;
  /** Books as a customer, v2 or v1. */
  book(username: string, code: string, changes?: object, family?: 'v1' | 'v2'): ReturnType<Host['call']>;
  /** An appointment of an agent with one customer, and a manage link for them. */
  linked(changes?: object): Promise<Linked>;
  /** Exchanges a code for a bearer token. */
  session(code: string): Promise<string>;
}

/** An appointment with a manage link. */
export interface Linked {
  readonly id: string;
  readonly participantId: string;
  readonly code: string;
}

const supervisor = { id: 'supervisor-1', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] } as const;

/** Starts a host over a store. */
export async function startCustomerHost(open: OpenStore, firstId = 0): Promise<CustomerHost> {
  const email = new RecordingNotifier<EmailMessage>();
  const sms = new RecordingNotifier<SmsMessage>();
  const host = await startHost({
    open,
    firstId,
    http: { oneTimePasswords: true, customerSessions: true, calendarFeeds: true, countOverlapping: true },
    scheduling: {
      applications,
      notifiers: { email, sms },
      customerDirectory: {
        contactOf: ({ username }) =>
          username.startsWith('known-') ? { email: `${username}@directory.example` } : undefined,
      },
      managePageUrl: 'https://clinic.example/manage/',
      // The built-in ones.
      ...({ otpVerifier: undefined, manageProofVerifier: undefined } as object),
    },
  });
  return {
    ...host,
    email,
    sms,
    codeFor: async (username, applicationId = 'app-1') => {
      const before = email.sent.length;
      const json = { applicationId, username };
      const { status } = await host.call('POST', '/api/customers/one-time-passwords', { json });
      if (status !== 204) throw new Error(`The request for a code answered ${String(status)}.`);
      const message = await sentAfter(email, before);
      return /\d{6}/.exec(message.text)?.[0] ?? '';
    },
    book: (username, code, changes = {}, family = 'v2') => {
      const customer = { contact: { primaryEmail: username } };
      const path = family === 'v2' ? '/api/v2/appointments/basic' : '/api/appointments/basic';
      const json =
        family === 'v2'
          ? creation({ applicationId: 'app-1', customers: [customer], ...changes })
          : creationV1({ applicationId: 'app-1', customer, ...changes });
      return host.call('POST', path, { headers: oneTimePassword(username, code), json });
    },
    linked: async (changes = {}) => {
      const { id, participants } = (await created(host, changes, people.agent)) as {
        readonly id: string;
        readonly participants: readonly { readonly id: string; readonly type: string }[];
      };
      const participantId = participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
      const { code } = await host.scheduling.customers.issueManageLink(supervisor, {
        appointmentId: id,
        participantId,
      });
      return { id, participantId, code };
    },
    session: async (code) => {
      const { status, body } = await host.call('POST', '/api/customers/sessions', { json: { code } });
      if (status !== 200) throw new Error(`The exchange answered ${String(status)}.`);
      return (body as { readonly token: string }).token;
    },
  };
}

/** Codes are sent after the answer. */
async function sentAfter(email: RecordingNotifier<EmailMessage>, before: number): Promise<EmailMessage> {
  for (let look = 0; look < 2000; look += 1) {
    const message = email.sent[before]?.message;
    if (message !== undefined) return message;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('No code was sent.');
}
