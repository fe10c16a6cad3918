import { memoryStore } from '@calends/store-memory';
import type { ScheduleCommand } from '../../src/index.js';
import { type SchedulingStore, wrapStore } from '../../src/store.js';
import type { EmailMessage, SmsMessage } from '../../src/notifier.js';
import { booking, type Fixture, fixture, type FixtureOptions } from '../fixtures.js';
import { answerOrCode } from '../error-of.js';
import { Provider } from '../notifications/provider.js';

/** One call of the store. */
export interface StoreCall {
  readonly method: string;
  readonly given: readonly unknown[];
  readonly answer: unknown;
}

/** Asked once by a process, before its first write (D67). */
const keyMethods: ReadonlySet<string> = new Set(['keys.list', 'keys.add']);

/** The store, and everything that it was asked but for its keys. */
export function recorded(store: SchedulingStore = memoryStore()): {
  readonly store: SchedulingStore;
  readonly calls: StoreCall[];
} {
  const calls: StoreCall[] = [];
  const wrapped = wrapStore(store, (method, call) => async (...given) => {
    const answer = await call(...given);
    if (!keyMethods.has(method)) calls.push({ method, given, answer });
    return answer;
  });
  return { store: wrapped, calls };
}

/** The library with providers in the process, for customers who book by themselves. */
export interface OtpFixture extends Fixture {
  readonly email: Provider<EmailMessage>;
  readonly sms: Provider<SmsMessage>;
  readonly calls: StoreCall[];
  /** Asks for a code, and waits until what follows from it is over. */
  request(username: string, more?: { readonly applicationId?: string; readonly locale?: string }): Promise<void>;
  /** The code in the last message of each channel. */
  mailedCode(): string;
  textedCode(): string;
  /** Books as a customer: the state, or the code of the error. */
  book(code: string, more?: Partial<ScheduleCommand> & { readonly username?: string }): Promise<string>;
}

export const senders = { active: false, email: { from: 'Clinic <no-reply@clinic.example>' }, sms: { from: 'Clinic' } };
export const mariasAddress = 'maria@example.org';

export function otpFixture(options: FixtureOptions & { readonly providerTimeout?: number } = {}): OtpFixture {
  const { providerTimeout: timeout = 10_000, store: given, ...rest } = options;
  const email = new Provider<EmailMessage>({ timeout });
  const sms = new Provider<SmsMessage>({ timeout });
  const { store, calls } = recorded(given);
  const base = fixture({
    applications: { 'app-1': { organizationId: 'org-1', notifications: senders } },
    notifiers: { email, sms },
    ...rest,
    store,
  });
  const { customers } = base.scheduling;
  return {
    ...base,
    email,
    sms,
    calls,
    request: async (username, { applicationId = 'app-1', locale } = {}) => {
      await customers.requestOtp({ applicationId, username, locale });
      await base.scheduling.close();
    },
    mailedCode: () => codeIn(email.sent.at(-1)?.message.text),
    textedCode: () => codeIn(sms.sent.at(-1)?.message.text),
    book: async (code, { username = mariasAddress, ...more } = {}) => {
      const made = await answerOrCode(() => base.appointments.scheduleAsCustomer({ username, code }, booking(more)));
      return typeof made === 'string' ? made : made.state;
    },
  };
}

/** The only six digits in a text. */
export function codeIn(text: string | undefined): string {
  const [code, ...more] = text?.match(/\b\d{6}\b/g) ?? [];
  if (code === undefined || more.length > 0) throw new Error('The message should have one code.');
  return code;
}

/** Another code than the right one. */
export function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000';
}
