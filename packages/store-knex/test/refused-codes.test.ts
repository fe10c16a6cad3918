import { createScheduling } from '@calends/core';
import type { EmailMessage, Notifier, SendResult } from '@calends/core/notifier';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

describeEach('a one-time password that the notifier refused (D66)', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openDatabase(kind);
  });
  afterEach(() => database.drop());

  it('a one-time password that the notifier refused does not count, and opens nothing', async () => {
    let answer: SendResult = { status: 'failed', permanent: true, error: 'refused' };
    const sent: EmailMessage[] = [];
    const email: Notifier<EmailMessage> = {
      capability: 'none',
      timeout: 1000,
      send: (message) => {
        sent.push(message);
        return Promise.resolve(answer);
      },
    };
    const scheduling = createScheduling({
      store: knexStore({ knex: database.knex }),
      secret: 'a secret of at least thirty-two bytes',
      applications: { 'app-1': { notifications: { email: { from: 'clinic@example.org' } } } },
      notifiers: { email },
    });
    const ask = async (): Promise<void> => {
      await scheduling.customers.requestOtp({ applicationId: 'app-1', username: 'maria@example.org' });
      await scheduling.close();
    };
    const book = (message: EmailMessage | undefined) =>
      scheduling.appointments.scheduleAsCustomer(
        { username: 'maria@example.org', code: /\d{6}/.exec(message?.text ?? '')?.[0] ?? '' },
        {
          applicationId: 'app-1',
          start: '2999-05-06T11:00:00Z',
          duration: 'PT30M',
          timezone: 'UTC',
          customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
        },
      );
    await ask();
    await expect(book(sent[0])).rejects.toMatchObject({ code: 'unauthenticated' });
    answer = { status: 'delivered' };
    await ask();
    expect(sent).toHaveLength(2);
    expect(await book(sent[1])).toMatchObject({ state: 'SCHEDULED' });
  });
});
