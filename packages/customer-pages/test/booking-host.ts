import type { SchedulingOptions } from '@calends/core';
import type { ServiceRules } from '@calends/core/operations';
import { type HostOptions, type PagesHost, startHost } from './pages-host.js';
import { fieldsOf, type Reply, type Visitor } from './visitor.js';

/** Half an hour every half an hour in Athens (UTC+3 in May), with one agent. */
export const checkUp: ServiceRules = {
  title: 'Check-up',
  description: 'With Dr Maria Papadaki.\nRoom 4, second floor.',
  timezone: 'Europe/Athens',
  durations: ['PT30M'],
  grid: { step: 'PT30M' },
  requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
};

const mornings = {
  timezone: 'Europe/Athens',
  weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR'] as const, from: '09:00', until: '11:00' }],
};

/** A host of the pages whose application `app-1` offers services. */
export interface BookingHost extends PagesHost {
  /** The code in the last message that was sent. */
  code(): Promise<string>;
  /** How many messages were sent. */
  sent(): Promise<number>;
}

export interface BookingHostOptions extends HostOptions {
  /** Default: {@link checkUp} alone. */
  readonly services?: Readonly<Record<string, ServiceRules>>;
}

export async function startBookingHost(given: BookingHostOptions = {}): Promise<BookingHost> {
  const { services = { 'check-up': checkUp }, options, scheduling, ...rest } = given;
  const messages: string[] = [];
  const send = ({ text }: { readonly text: string }) => {
    messages.push(text);
    return Promise.resolve({ status: 'delivered' } as const);
  };
  const provider = { capability: 'none', timeout: 10_000, send } as const;
  const weekly = mornings.weekly.map(({ days, ...rule }) => ({ ...rule, days: [...days] }));
  const notifications = { active: true, email: { from: 'a@clinic.example' }, sms: { from: 'Clinic' } };
  const library: Partial<SchedulingOptions> = {
    applications: { 'app-1': { organizationId: 'org-1', notifications } },
    notifiers: { email: provider, sms: provider },
    availability: {
      services: { 'app-1': services },
      hours: { 'agent-1': { ...mornings, weekly }, 'agent-2': { ...mornings, weekly } },
    },
    ...scheduling,
  };
  const host = await startHost({
    ...rest,
    scheduling: library,
    options: { booking: { applicationId: 'app-1' }, ...options },
  });
  // What was asked for is sent after the answer; closing waits for it.
  const settled = () => host.scheduling.close();
  return {
    ...host,
    code: async () => {
      await settled();
      return /\b\d{6}\b/.exec(messages.at(-1) ?? '')?.[0] ?? '';
    },
    sent: async () => {
      await settled();
      return messages.length;
    },
  };
}

/** A host that ends with what it is used for. */
export async function withBookingHost(
  use: (host: BookingHost) => Promise<void>,
  given: BookingHostOptions = {},
): Promise<void> {
  const host = await startBookingHost(given);
  try {
    await use(host);
  } finally {
    await host.close();
  }
}

/** Tuesday, 7 May 2030, half past nine in Athens. */
export const halfPastNine = '2030-05-07T06:30:00Z';
export const start = Date.parse(halfPastNine);

export const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '' };

/** Holds a time, as a press on its button does, and shows the page that this leads to. */
export function hold(visitor: Visitor, more: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return visitor.submit('/manage/book/hold', { service: 'check-up', duration: 'PT30M', start: halfPastNine, ...more });
}

/** Where the pages of the booking are of which a page is one. */
export function pathOf({ text }: Reply): string {
  return /action="([^"]*\/book\/[^"/]*)\/again"/.exec(text)?.[1] ?? '';
}

/** The way up to the code: the fields of the page that asks for it, and where the booking is. */
export async function withCode(
  host: BookingHost,
  visitor: Visitor,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly path: string; readonly form: Readonly<Record<string, string>> }> {
  const details = await hold(visitor, more);
  const path = pathOf(details);
  const asked = fieldsOf(await visitor.submit(`${path}/details`, { ...fieldsOf(details), ...ada }));
  return { path, form: { ...asked, code: await host.code() } };
}

/** The starts that a list offers. */
export function startsIn({ text }: Reply): readonly string[] {
  return Array.from(text.matchAll(/name="start" value="([^"]*)"/g), ([, value]) => value ?? '');
}
