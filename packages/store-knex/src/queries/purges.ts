import type { Purge } from '../dialects/dialect.js';

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
