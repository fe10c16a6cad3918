import { expect, it } from 'vitest';
import { otpFixture } from '../customers/otp-fixture.js';

it('A directory of the host that answers null for a user name knows nobody of it, and nothing is told as a failure', async () => {
  const base = otpFixture({ customerDirectory: { contactOf: () => null as never } });
  await base.request('maria');
  expect(base.signals).toEqual([]);
});

it('A directory of the host that answers a locale that is no string has the code sent in the language of the application', async () => {
  const contact = { email: 'maria@example.org', locale: 5 };
  const base = otpFixture({ customerDirectory: { contactOf: () => contact as never } });
  await base.request('maria');
  expect(base.email.sent).toHaveLength(1);
});
