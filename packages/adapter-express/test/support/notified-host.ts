import type { ConfiguredApplication, ConfiguredNotifications } from '@calends/core';
import type {
  DeliveryReport,
  EmailMessage,
  Notifier,
  ProviderReference,
  SendAttempt,
  SendResult,
  SmsMessage,
  WebhookMessage,
} from '@calends/core/notifier';
import { type Host, type OpenStore, people, type Person, startHost } from './host.js';
import { created } from './requests.js';

/** A provider in the process: answers as it was told, and remembers what it was asked. */
export class RecordingNotifier<Message> implements Notifier<Message> {
  readonly capability = 'none';
  readonly timeout = 10_000;
  readonly sent: { readonly message: Message; readonly attempt: SendAttempt }[] = [];
  /** How every send ends from now on. */
  result: SendResult | (() => Promise<SendResult>) = { status: 'delivered' };
  /** What it tells of a message that it took. */
  report: DeliveryReport = { state: 'pending' };

  send(message: Message, attempt: SendAttempt): Promise<SendResult> {
    this.sent.push({ message, attempt });
    return typeof this.result === 'function' ? this.result() : Promise.resolve(this.result);
  }

  fetchStatus(_reference: ProviderReference): Promise<DeliveryReport> {
    return Promise.resolve(this.report);
  }

  /** How often a notification was sent. */
  attemptsAt(id: string): number {
    return this.sent.filter(({ attempt }) => attempt.idempotencyKey === id).length;
  }
}

/** Outcomes of a send, by name. */
export const outcomes = {
  delivered: { status: 'delivered', messageId: 'm-1', conversationId: 'c-1', providerStatus: 'sent' },
  submitted: { status: 'submitted', messageId: 'm-1', conversationId: 'c-1', providerStatus: 'queued' },
  failing: { status: 'failed', permanent: false, error: 'SMTP: 451 try again' },
  refused: { status: 'failed', permanent: true, error: 'SMTP: 550 mailbox unavailable' },
} as const satisfies Record<string, SendResult>;

/** One row as the lists show it; which fields there are is for the tests to say. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly appointmentId: string };

const hour = 3_600_000;
const endpoint = {
  id: 'crm',
  label: 'CRM',
  url: 'https://crm.example/hooks',
  secret: `whsec_${'A'.repeat(32)}`,
} as const;

/** Mail, SMS, one web hook, reminders a day and half an hour before, a follow-up an hour after. */
export const everyChannel: ConfiguredNotifications = {
  active: true,
  email: { from: 'no-reply@clinic.example' },
  sms: { from: '+302100000000' },
  webhooks: [endpoint],
  reminders: [24 * hour, hour / 2],
  followUps: [hour],
};

const agents = ['agent-1', 'agent-2'];

/** `app-n` has every channel; the others differ in what their names say. */
export const notifiedApplications: Readonly<Record<string, ConfiguredApplication>> = {
  'app-n': { organizationId: 'org-1', agents, notifications: everyChannel },
  'app-shared': {
    organizationId: 'org-1',
    agents,
    agentsSeeOnlyOwnAppointments: false,
    agentReassignmentEnabled: true,
    notifications: everyChannel,
  },
  'app-untimed': { organizationId: 'org-1', agents, notifications: { ...everyChannel, reminders: [], followUps: [] } },
  'app-explicit': {
    organizationId: 'org-1',
    autoActivation: { enabled: false, leadTime: 0 },
    notifications: { ...everyChannel, reminders: [], followUps: [] },
  },
  'app-silent': { organizationId: 'org-1', notifications: { ...everyChannel, active: false } },
  'app-polled': {
    organizationId: 'org-1',
    notifications: { poll: { interval: 'PT2M', 'sms.interval': 'PT30S', 'webhooks.enabled': 'false' } },
  },
  'app-theirs': { organizationId: 'org-2', notifications: { ...everyChannel, poll: { maxAttempts: '3' } } },
};

/** A host whose notifications are delivered to notifiers of the test. */
export interface NotifiedHost extends Host {
  readonly email: RecordingNotifier<EmailMessage>;
  readonly sms: RecordingNotifier<SmsMessage>;
  readonly webhooks: RecordingNotifier<WebhookMessage>;
  /** Moves the clock, then works off what is due. */
  work(milliseconds?: number): Promise<void>;
  /** Statuses of one appointment, oldest first. */
  statuses(appointmentId: string, query?: string): Promise<readonly Row[]>;
  /** Delivery events of one appointment, oldest first. */
  history(appointmentId: string, query?: string): Promise<readonly Row[]>;
  /** Every row of a list, page by page, as a supervisor sees it. */
  all(path: string, query: string, as?: Person): Promise<readonly Row[]>;
}

export async function startNotifiedHost(
  open: OpenStore,
  applications: Readonly<Record<string, ConfiguredApplication>> = notifiedApplications,
  firstId = 0,
): Promise<NotifiedHost> {
  const email = new RecordingNotifier<EmailMessage>();
  const sms = new RecordingNotifier<SmsMessage>();
  const webhooks = new RecordingNotifier<WebhookMessage>();
  // Half of the jitter's range: waits are as the decisions print them (D54).
  const random = { next: () => 0.5 };
  const scheduling = { applications, notifiers: { email, sms, webhooks }, random };
  const host = await startHost({ open, firstId, scheduling, http: { webhookEndpoints: true } });

  const all = async (path: string, query: string, as = people.supervisor): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (let pageNumber = 1; ; pageNumber += 1) {
      const target = `${path}?${query}&pageSize=100&pageNumber=${String(pageNumber)}`;
      const { body, status, text } = await host.call('GET', target, { as });
      if (status !== 200) throw new Error(`${path} answered ${String(status)}: ${text}`);
      rows.push(...(body.content as readonly Row[]));
      if (pageNumber >= body.pageCount) return rows;
    }
  };
  // A record that was removed is asked for by what was known of it.
  const known = new Map<string, string>();
  const applicationOf = async (appointmentId: string): Promise<string> => {
    const found = await host.store.store.appointments.find('org-1', appointmentId);
    const applicationId = found?.applicationId ?? known.get(appointmentId) ?? 'app-n';
    known.set(appointmentId, applicationId);
    return applicationId;
  };
  const ofOne = async (path: string, appointmentId: string, query: string): Promise<readonly Row[]> => {
    const applicationId = await applicationOf(appointmentId);
    const rows = await all(path, `applicationId=${applicationId}&sortField=id&sortOrder=asc&${query}`);
    return rows.filter((row) => row.appointmentId === appointmentId);
  };
  return {
    ...host,
    email,
    sms,
    webhooks,
    all,
    work: async (milliseconds = 0) => {
      host.clock.time += milliseconds;
      await host.scheduling.workers.runOnce();
    },
    statuses: (appointmentId, query = '') => ofOne('/api/notifications/', appointmentId, query),
    history: (appointmentId, query = '') => ofOne('/api/notifications/events', appointmentId, query),
  };
}

/** An appointment whose first mail has failed for good; answers that mail. */
export async function failedMailOf(host: NotifiedHost, changes: object = {}, as = people.agent): Promise<Row> {
  host.email.result = outcomes.refused;
  const { id } = await created(host, { applicationId: 'app-n', ...changes }, as);
  await host.work();
  host.email.result = outcomes.delivered;
  const [mail] = await host.statuses(id, 'channel=EMAIL&type=CREATE');
  if (mail?.['status'] !== 'FAILED') throw new Error('The mail should have failed.');
  return mail;
}
