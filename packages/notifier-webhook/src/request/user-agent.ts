/** What receivers see as the sender. */
export const userAgent = 'Calends-Webhooks/1';
