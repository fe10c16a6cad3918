import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '@calends/model';
import { type AccessProvider, type Appointment, createScheduling, type SchedulingOptions } from '../../src/index.js';
import { type SchedulingStore, StoreError } from '../../src/store.js';
import { errorOf } from '../error-of.js';
import { agentOne, booked, customerOf, type FixtureOptions, secret, supervisor } from '../fixtures.js';
import { type Notified, notified, reachable } from '../notifications/notified.js';
import { Provider } from '../notifications/provider.js';
import { managePageUrl } from './manage-fixture.js';
import { recorded } from './otp-fixture.js';

const both = { active: true, email: { from: 'a@clinic.example' }, sms: { from: 'Clinic' } } as const;
const mails = { active: true, email: { from: 'a@clinic.example' } } as const;

interface Told extends Notified {
  readonly made: Appointment;
  readonly mariasId: string;
  /** Manage links in the mails that were sent, `undefined` for a mail without. */
  links(): readonly (string | undefined)[];
}

/** After a booking whose message has been sent. */
async function told(
  options: FixtureOptions = {},
  notifications: typeof both | typeof mails = mails,
  page: FixtureOptions = { managePageUrl },
): Promise<Told> {
  const base = notified(notifications, { ...page, roomBaseUrl: 'https://rooms.clinic.example', ...options });
  const made = await booked(base, { customers: [reachable] });
  await base.work();
  return {
    ...base,
    made,
    mariasId: customerOf(made),
    links: () => base.email.sent.map(({ message }) => linkIn(message.text)),
  };
}

function linkIn(text: string): string | undefined {
  return /https:\/\/clinic\.example\/appointment#\S+/.exec(text)?.[0];
}

const codeOf = (link: string | undefined): string => link?.split('#')[1] ?? '';
const moveTo = (base: Told, hour: number): Promise<Appointment> =>
  base.appointments.reschedule(agentOne, {
    id: base.made.id,
    start: `2030-05-08T${String(hour)}:00:00Z`,
    duration: 'PT30M',
    timezone: 'UTC',
  });

describe('The manage link in messages (D45)', () => {
  it('the manage link in messages opens the appointment of the customer', async () => {
    const base = await told();
    const session = await base.scheduling.customers.exchangeManageLink(codeOf(base.links()[0]));
    expect(session).toMatchObject({ appointmentId: base.made.id, caller: { id: base.mariasId } });
  });

  it('the manage link in messages stays the same from message to message', async () => {
    const base = await told();
    await moveTo(base, 10);
    await base.work();
    await moveTo(base, 11);
    await base.work();
    const [first, ...more] = base.links();
    expect(first).toBeDefined();
    expect(more).toEqual([first, first]);
  });

  it('the manage link in messages is the same for all channels, also when they are sent at once', async () => {
    const { email, sms } = await told({}, both);
    const [mail, text] = [email.sent[0]?.message.text, sms.sent[0]?.message.text];
    expect(linkIn(text ?? '')).toBe(linkIn(mail ?? ''));
    expect(linkIn(text ?? '')).toBeDefined();
  });

  it('the manage link in messages is the one that staff issued last', async () => {
    const base = await told();
    const query = { appointmentId: base.made.id, participantId: base.mariasId };
    const { url } = await base.scheduling.customers.issueManageLink(agentOne, query);
    await moveTo(base, 10);
    await base.work();
    expect(base.links().at(-1)).toBe(url);
    expect(base.links()[0]).not.toBe(url);
  });

  it('the manage link in messages is left out once staff revoked it', async () => {
    const base = await told();
    const query = { appointmentId: base.made.id, participantId: base.mariasId };
    await base.scheduling.customers.revokeManageLink(agentOne, query);
    await moveTo(base, 10);
    await base.work();
    expect(base.links().at(-1)).toBeUndefined();
  });

  it('the manage link in messages goes to a new address as another one; the one at the old address has ended', async () => {
    const base = await told();
    const customer = { id: base.mariasId, contact: { primaryEmail: 'maria@new.example' } };
    await base.appointments.update(agentOne, { id: base.made.id, customer });
    await moveTo(base, 10);
    await base.work();
    const [before, after] = base.links();
    expect(base.email.sent.at(-1)?.message.to.address).toBe('maria@new.example');
    const { customers } = base.scheduling;
    expect((await errorOf(() => customers.exchangeManageLink(codeOf(before)))).code).toBe('stale_ticket');
    expect((await customers.exchangeManageLink(codeOf(after))).appointmentId).toBe(base.made.id);
  });

  it('the manage link in messages stays when the name of the customer changes', async () => {
    const base = await told();
    const customer = { id: base.mariasId, name: { firstName: 'Mary' } };
    await base.appointments.update(agentOne, { id: base.made.id, customer });
    await moveTo(base, 10);
    await base.work();
    expect(new Set(base.links()).size).toBe(1);
  });

  it.each(['cancelled', 'removed for good', 'aborted'])(
    'the manage link in messages is in no message of an appointment that was %s',
    async (how) => {
      const base = notified(mails, { managePageUrl });
      const made = await booked(base, { customers: [reachable] });
      const { id } = made;
      if (how === 'cancelled') await base.appointments.cancel(agentOne, { id });
      else if (how === 'aborted') await base.appointments.abort(supervisor, { id, reason: 'x' });
      else await base.appointments.remove(agentOne, id);
      await base.work();
      expect(base.email.sent.map(({ message }) => linkIn(message.text)).filter(Boolean)).toEqual([]);
      const key = { organizationId: 'org-1', kind: 'MANAGE', subjectId: id, holderId: customerOf(made) } as const;
      expect(await base.store.customers.findTicket(key)).toBeUndefined();
    },
  );

  it('the manage link in messages costs nothing in a host without a page', async () => {
    const { store, calls } = recorded();
    const base = notified(mails, { store });
    await booked(base, { customers: [reachable] });
    await base.work();
    expect(base.email.sent).toHaveLength(1);
    expect(calls.filter(({ method }) => method === 'customers.findTicket')).toEqual([]);
  });

  it('the manage link in messages is in the audit record when a message issues it, once', async () => {
    const base = await told({}, both);
    const { items } = await base.scheduling.audit.list(supervisor, { appointmentId: base.made.id });
    const issued = items.filter(({ operation }) => operation === 'issueManageLink');
    expect(issued.map(({ actor, proof }) => [actor?.role, proof])).toEqual([['SYSTEM', 'none']]);
  });

  it('the manage link in messages is left to the link source of a host that has one', async () => {
    const base = await told({ linkSource: { linksFor: () => ({ manage: 'https://host.example/mine' }) } });
    expect(base.email.sent[0]?.message.text).toContain('https://host.example/mine');
    expect(base.links()).toEqual([undefined]);
  });
});

describe('Where messages lead (D61)', () => {
  const roomUrl = /https:\/\/rooms\.clinic\.example\/\S+/g;
  const texts = (base: Notified): readonly string[] => base.email.sent.map(({ message }) => message.text);

  it('where messages lead is the page only, before the room is open and after', async () => {
    const base = await told();
    await base.appointments.activate(agentOne, base.made.id);
    await base.work();
    expect(base.email.types).toEqual(['CREATE', 'ROOM']);
    for (const text of texts(base)) expect(text.match(/https?:\S+/g)).toEqual([base.links()[0]]);
  });

  it('where messages lead is the room once it is open, where the host has no page', async () => {
    const base = await told({}, mails, {});
    const activated = await base.appointments.activate(agentOne, base.made.id);
    await base.work();
    const details = await base.scheduling.access.detailsOf(activated);
    expect(texts(base).map((text) => text.match(/https?:\S+/g))).toEqual([null, [details?.roomUrl]]);
  });

  it('where messages lead is nowhere, where the host has no page and its room is no address of the web', async () => {
    const accessProvider: AccessProvider = {
      conferenceIsAppointment: true,
      openRoom: ({ appointmentId }) =>
        Promise.resolve({ status: 'opened', grant: { conferenceId: appointmentId, roomUrl: 'tel:+4312345' } }),
      details: ({ roomUrl }, { schedule }) => ({ secureToken: 'x', roomUrl, expires: schedule.end }),
    };
    const base = await told({ accessProvider }, mails, {});
    await base.appointments.activate(agentOne, base.made.id);
    await base.work();
    expect(base.email.types).toEqual(['CREATE', 'ROOM']);
    expect(texts(base).join()).not.toMatch(/tel:|https?:/);
  });

  it('where messages lead is the room once it is open, where staff revoked the link of the page', async () => {
    const base = await told();
    await base.scheduling.customers.revokeManageLink(agentOne, {
      appointmentId: base.made.id,
      participantId: base.mariasId,
    });
    await base.appointments.activate(agentOne, base.made.id);
    await base.work();
    expect(texts(base).at(-1)?.match(roomUrl)).toHaveLength(1);
    expect(base.links().at(-1)).toBeUndefined();
  });

  it.each([
    ['mails and neither', {}, 1],
    ['mails and a page', { managePageUrl }, 0],
    ['mails and links of its own', { linkSource: { linksFor: () => ({}) } }, 0],
    ['no notifier for customers', { notifiers: {} }, 0],
  ])(
    'where messages lead is told by check() of a host with %s',
    async (_case, options: Partial<SchedulingOptions>, count) => {
      const { check } = createScheduling({
        store: memoryStore(),
        secret,
        notifiers: { email: new Provider() },
        ...options,
      });
      const { advice } = await check();
      expect(advice.filter((sentence) => sentence.startsWith('managePageUrl: '))).toHaveLength(count);
    },
  );
});

/** The store, with something that happens before a ticket is first looked for. */
function interrupted(happens: () => Promise<unknown>): SchedulingStore {
  const store = memoryStore();
  let pending = true;
  const findTicket: SchedulingStore['customers']['findTicket'] = async (key) => {
    if (pending) {
      pending = false;
      await happens();
    }
    return store.customers.findTicket(key);
  };
  return { ...store, customers: { ...store.customers, findTicket } };
}

describe('A message that is made while something else happens', () => {
  it('a message that is made while something else happens takes no link to an address that changed meanwhile', async () => {
    const base = await told();
    const customer = { id: base.mariasId, contact: { primaryEmail: 'maria@new.example' } };
    const change = () => base.appointments.update(agentOne, { id: base.made.id, customer });
    const findTicket: SchedulingStore['customers']['findTicket'] = async (key) => {
      if (base.email.sent.length === 1 && !changed) {
        changed = true;
        await change();
      }
      return base.store.customers.findTicket(key);
    };
    let changed = false;
    const other = notified(mails, {
      store: { ...base.store, customers: { ...base.store.customers, findTicket } },
      clock: base.clock,
      ids: base.ids,
      managePageUrl,
      email: base.email,
    });
    await moveTo(base, 10);
    await other.work();
    await other.after(minutes(1));
    expect(changed).toBe(true);
    const sent = base.email.sent.slice(1).map(({ message }) => [message.to.address, linkIn(message.text)]);
    const { customers } = base.scheduling;
    for (const [address, link] of sent) {
      const session = link && (await customers.exchangeManageLink(codeOf(link)).catch(() => undefined));
      expect([address, session !== undefined]).toEqual(['maria@new.example', true]);
    }
    expect(sent).toHaveLength(1);
  });

  it('a message is made again a second later when the appointment is activated, no attempt, and before the invitation', async () => {
    const store = interrupted(() => base.appointments.activate(agentOne, made.id));
    const base: Notified = notified({ ...mails, reminders: [] }, { store, managePageUrl });
    const made = await booked(base, { customers: [reachable] });
    await base.work();
    expect(base.email.sent).toEqual([]);
    await base.after(seconds(1));
    expect(base.email.types).toEqual(['CREATE', 'ROOM']);
    const history = (await base.history()).map(({ type, status, retryCount, errorMessage }) => [
      ...[type, status, retryCount],
      errorMessage,
    ]);
    expect(history.filter(([type]) => type === 'CREATE')).toEqual([
      ['CREATE', 'INITIALIZED', 0, undefined],
      ['CREATE', 'DELIVERED', 1, undefined],
    ]);
  });

  it('a message that is made while something else happens is sent later, whole, when the store fails', async () => {
    const fault = new StoreError('unavailable', 'The database does not answer.');
    const store = interrupted(() => Promise.reject(fault));
    const base = notified(mails, { store, managePageUrl });
    await booked(base, { customers: [reachable] });
    await base.work();
    expect(base.email.sent).toEqual([]);
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'compose' }));
    await base.after(minutes(1));
    expect(base.email.sent.map(({ message }) => linkIn(message.text) !== undefined)).toEqual([true]);
    expect(await base.statuses()).toContainEqual(expect.objectContaining({ type: 'CREATE', status: 'DELIVERED' }));
  });

  it('a message that is made while something else happens ends the link that it issues to an old address', async () => {
    // The message issues the first link while the change has looked for one and found none.
    const inner = memoryStore();
    const key = (made: Appointment) =>
      ({ organizationId: 'org-1', kind: 'MANAGE', subjectId: made.id, holderId: customerOf(made) }) as const;
    let racing = false;
    const findTicket: SchedulingStore['customers']['findTicket'] = async (asked) => {
      const found = await inner.customers.findTicket(asked);
      if (racing && found === undefined) {
        racing = false;
        const next = { ...asked, nonce: 'A'.repeat(22), issuedAt: 0, expiresAt: null, revokedAt: null };
        await inner.commit({ organizationId: 'org-1', events: [], ticket: { next, expectedNonce: undefined } });
      }
      return found;
    };
    const base = notified(
      { active: false },
      { store: { ...inner, customers: { ...inner.customers, findTicket } }, managePageUrl },
    );
    const made = await booked(base, { customers: [reachable] });
    racing = true;
    const customer = { id: customerOf(made), contact: { primaryEmail: 'maria@new.example' } };
    await base.appointments.update(agentOne, { id: made.id, customer });
    expect((await inner.customers.findTicket(key(made)))?.revokedAt).toBe(base.clock.now());
  });
});

describe('A ticket that was issued while its appointment ended', () => {
  it('a ticket that was issued while its appointment ended opens nothing', async () => {
    const base = await told();
    const query = { appointmentId: base.made.id, participantId: base.mariasId };
    const { code, ticketId, customerManageToken } = await base.scheduling.customers.issueManageLink(agentOne, query);
    const key = { organizationId: 'org-1', kind: 'MANAGE', subjectId: base.made.id, holderId: base.mariasId } as const;
    const ticket = await base.store.customers.findTicket(key);
    await base.appointments.cancel(agentOne, { id: base.made.id });
    if (ticket === undefined) throw new Error('There should be a ticket.');
    const issue = { next: { ...ticket, revokedAt: null }, expectedNonce: ticket.nonce };
    await base.store.commit({ organizationId: 'org-1', events: [], ticket: issue });
    const { customers, appointments } = base.scheduling;
    expect((await errorOf(() => customers.exchangeManageLink(code))).code).toBe('stale_ticket');
    const manage = { ticketId, token: customerManageToken };
    const caller = { id: 'c', organizationId: 'org-1', roles: ['ROLE_CUSTOMER'], manage } as const;
    expect((await errorOf(() => appointments.get(caller, base.made.id))).code).toBe('stale_ticket');
  });
});
