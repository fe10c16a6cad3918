import { formatInstant } from '@calends/core/operations';
import type { Handlers } from './handler.js';

/** What customers and calendars need beside the documents (D44, D45). */
export const customerHandlers = {
  async requestOneTimePassword({ customers }, { body, call }) {
    await customers.requestOtp({ ...body, locale: body.locale ?? undefined, source: call.source });
    return {};
  },
  async beginCustomerSession({ customers }, { body, call }) {
    const { token, expiresAt, appointmentId } = await customers.exchangeManageLink(body.code, call);
    return { content: { token, expiresAt: formatInstant(expiresAt), appointmentId } };
  },
  async getCalendarFeed({ calendarFeeds }, { id }) {
    return { file: await calendarFeeds.read(id) };
  },
} satisfies Partial<Handlers>;
