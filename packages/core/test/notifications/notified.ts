import type { Caller, ConfiguredNotifications } from '../../src/index.js';
import type { EmailMessage, SmsMessage, WebhookMessage } from '../../src/notifier.js';
import type { NotificationEvent, NotificationStatus } from '../../src/operations.js';
import { type Fixture, fixture, type FixtureOptions, supervisor } from '../fixtures.js';
import { Provider } from './provider.js';

export const endpoint = {
  id: 'crm',
  label: 'CRM',
  url: 'https://crm.example/hooks',
  secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
} as const;

/** Everything switched on: mail, SMS, one web hook, the default reminders. */
export const everything: ConfiguredNotifications = {
  active: true,
  email: { from: 'Clinic <no-reply@clinic.example>' },
  sms: { from: '+3021000000' },
  webhooks: [endpoint],
};

/** The library with providers in the process. */
export interface Notified extends Fixture {
  readonly email: Provider<EmailMessage>;
  readonly sms: Provider<SmsMessage>;
  readonly webhooks: Provider<WebhookMessage>;
  /** Works off what is due; answers how many notifications were claimed. */
  work(): Promise<number>;
  /** Moves the clock, then works off what is due. */
  after(milliseconds: number): Promise<number>;
  statuses(more?: object, caller?: Caller): Promise<readonly NotificationStatus[]>;
  history(statusId?: string): Promise<readonly NotificationEvent[]>;
}

export function notified(
  notifications: ConfiguredNotifications = everything,
  options: FixtureOptions & {
    readonly email?: Provider<EmailMessage>;
    readonly sms?: Provider<SmsMessage>;
    readonly webhooks?: Provider<WebhookMessage>;
  } = {},
): Notified {
  const { email = new Provider(), sms = new Provider(), webhooks = new Provider(), ...rest } = options;
  const base = fixture({
    applications: { 'app-1': { notifications } },
    random: { next: () => 0.5 },
    ...rest,
    notifiers: { email, sms, webhooks },
  });
  const { scheduling } = base;
  const work = async (): Promise<number> => (await scheduling.workers.runOnce()).notifications;
  return {
    ...base,
    email,
    sms,
    webhooks,
    work,
    after: (milliseconds) => {
      base.clock.advance(milliseconds);
      return work();
    },
    statuses: async (more = {}, caller = supervisor) => {
      const query = { applicationId: 'app-1', pageSize: 100, ...more };
      return (await scheduling.notifications.listStatuses(caller, query)).items;
    },
    history: async (statusId) => {
      const query = { applicationId: 'app-1', pageSize: 100, sortOrder: 'asc' } as const;
      const { items } = await scheduling.notifications.listEvents(supervisor, query);
      return items.filter((event) => statusId === undefined || event.statusId === statusId);
    },
  };
}

/** A customer with a name, an address and a phone. */
export const reachable = {
  name: { firstName: 'Maria', lastName: 'Papadaki' },
  contact: { primaryEmail: 'maria@example.org', primaryPhone: '+306900000000' },
} as const;
