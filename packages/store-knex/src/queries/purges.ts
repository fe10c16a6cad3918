/** What is to be deleted; names are of this package. */
export interface Purge {
  readonly table: 'calends_requests' | 'calends_events' | 'calends_otp_challenges';
  readonly key: readonly string[];
  readonly instant: 'expires_at' | 'delivered_at' | 'issued_at';
  readonly before: number;
  readonly limit: number;
}

/** What goes by age, and which instant tells it. */
export const purges = {
  requests: {
    table: 'calends_requests',
    key: ['organization_id', 'caller_id', 'operation', 'request_key'],
    instant: 'expires_at',
  },
  events: { table: 'calends_events', key: ['id'], instant: 'delivered_at' },
  otpChallenges: { table: 'calends_otp_challenges', key: ['organization_id', 'subject'], instant: 'issued_at' },
} as const satisfies Readonly<Record<string, Omit<Purge, 'before' | 'limit'>>>;
