import { hours, minutes, type NotificationChannel, notificationChannels, seconds } from '@calends/model';

/** What is known of a channel wherever it is named; how it works stands in `delivery/channels/`. */
interface ChannelFacts {
  /** What settings, options, polling properties and notifiers call it. */
  readonly key: string;
  /** Where a customer's address for it is, in a profile and in what a directory answers; absent = it tells subscribers. */
  readonly address?: { readonly profile: 'primaryEmail' | 'primaryPhone'; readonly contact: 'email' | 'phone' };
  /** Sends at a time, by default. */
  readonly slots: number;
  /** Waits before each further attempt, by default (D54). */
  readonly retry: readonly number[];
}

const retry = [seconds(30), minutes(2), minutes(10), minutes(30)];

/** The channels. Where a customer has addresses for several, one-time passwords go over the first. */
export const channelFacts = {
  EMAIL: { key: 'email', address: { profile: 'primaryEmail', contact: 'email' }, slots: 10, retry },
  SMS: { key: 'sms', address: { profile: 'primaryPhone', contact: 'phone' }, slots: 10, retry },
  WEBHOOKS: {
    key: 'webhooks',
    slots: 20,
    retry: [seconds(5), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)],
  },
} as const satisfies Readonly<Record<NotificationChannel, ChannelFacts>>;

type Facts = typeof channelFacts;

/** What settings, options and notifiers call the channels. */
export type ChannelKey = Facts[NotificationChannel]['key'];

/** Channels that reach a customer. */
export type ContactChannel = {
  [Name in NotificationChannel]: Facts[Name] extends { readonly address: object } ? Name : never;
}[NotificationChannel];

/** The channel that reaches subscribers. */
export const endpointChannel = 'WEBHOOKS' satisfies Exclude<NotificationChannel, ContactChannel>;

export const channelKeys: readonly ChannelKey[] = notificationChannels.map((channel) => channelFacts[channel].key);

export const contactChannels: readonly ContactChannel[] = notificationChannels.filter(isContactChannel);

export function isContactChannel(channel: NotificationChannel): channel is ContactChannel {
  return 'address' in channelFacts[channel];
}

/** Makes an object with the same for each channel, by its key. */
export function byChannelKey<Value>(
  valueOf: (channel: NotificationChannel) => Value,
): Readonly<Record<ChannelKey, Value>> {
  return Object.fromEntries(
    notificationChannels.map((channel) => [channelFacts[channel].key, valueOf(channel)]),
  ) as Readonly<Record<ChannelKey, Value>>;
}
