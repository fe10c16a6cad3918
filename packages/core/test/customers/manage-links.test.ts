import { describe, expect, it } from 'vitest';
import { days, hours, minutes } from '@calends/model';
import type { Caller } from '../../src/index.js';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, agentTwo, booked, clientService, foreignSupervisor, supervisor } from '../fixtures.js';
import { allDone, allStale, hostCaller, manageFixture, managePageUrl, tried } from './manage-fixture.js';

const unknownId = '019a3f5c-7b1e-7c3d-8a4f-000000000000';

describe('A manage link (D42, D45)', () => {
  it('a manage link opens the page of the host, with its code where no server logs it', async () => {
    const { code, url, ticketId } = await (await manageFixture()).issue();
    expect(url).toBe(`${managePageUrl}#${code}`);
    expect(code).toMatch(/^[\w-]{66}\.[\w-]+$/);
    expect(Buffer.from(ticketId, 'base64url')).toHaveLength(16);
    expect(new URL(url ?? '').pathname + new URL(url ?? '').search).toBe('/appointment');
  });

  it('a manage link is a code alone for a host without a page', async () => {
    const link = await (await manageFixture({}, false)).issue();
    expect(link.url).toBeUndefined();
    expect(link.code).toBeDefined();
  });

  it('a manage link is exchanged for a bearer token of the customer, for this appointment only', async () => {
    const { clock, customers, issue, made, mariasId } = await manageFixture();
    const session = await customers.exchangeManageLink((await issue()).code);
    expect(session).toMatchObject({ appointmentId: made.id, expiresAt: clock.now() + hours(1) });
    expect(session.caller).toMatchObject({ id: mariasId, organizationId: 'org-1', roles: ['ROLE_CUSTOMER'] });
    expect(customers.verifyCustomerToken(session.token)).toEqual(session.caller);
    clock.set(session.expiresAt);
    expect(customers.verifyCustomerToken(session.token)).toBeUndefined();
  });

  it('a manage link counts nothing, in whatever way it is asked (D73)', async () => {
    const base = await manageFixture();
    const caller = await base.open(await base.issue());
    const starts = ['2030-06-01T00:00:00Z'];
    const query = { applicationId: 'app-1', organizationId: 'org-1', starts, timeFrame: 'P1D' };
    for (const count of [base.appointments.count, base.appointments.countOverlapping]) {
      expect((await errorOf(() => count(caller, query))).code).toBe('stale_ticket');
    }
  });

  it('a manage link may be exchanged again while it is current', async () => {
    const base = await manageFixture();
    const link = await base.issue();
    await base.open(link);
    expect(await tried(base, await base.open(link), base.made.id)).toEqual(allDone);
  });

  it('a manage link lets the customer see, move and cancel the appointment, as the actor, and only their own data', async () => {
    const base = await manageFixture();
    const caller = await base.open(await base.issue());
    const seen = await base.appointments.get(caller, base.made.id);
    expect(seen.participants.map(({ id }) => id)).toEqual([base.mariasId]);
    expect(await tried(base, caller, base.made.id)).toEqual(allDone);
    expect(base.events().map(({ type, actor }) => `${type} ${actor.role} ${actor.id}`)).toEqual([
      'APCreatedEvent ROLE_AGENT agent-1',
      `APRescheduledEvent ROLE_CUSTOMER ${base.mariasId}`,
      `APCancelledEvent ROLE_CUSTOMER ${base.mariasId}`,
    ]);
  });

  it('a manage link gives claims to hosts that issue tokens themselves; they last as long as the link', async () => {
    const base = await manageFixture();
    const link = await base.issue();
    expect(link.expiresAt).toBe(base.made.schedule.end + days(1));
    base.clock.set(link.expiresAt - 1);
    expect((await base.appointments.get(hostCaller(link), base.made.id)).id).toBe(base.made.id);
  });

  it('a manage link does not end with a reschedule, and then lasts with the appointment', async () => {
    const base = await manageFixture();
    const link = await base.issue();
    const command = { id: base.made.id, start: '2030-06-01T11:00:00Z', duration: 'PT1H', timezone: 'UTC' };
    const moved = await base.appointments.reschedule(supervisor, command);
    base.clock.set(moved.schedule.end + days(1) - 1);
    const session = await base.customers.exchangeManageLink(link.code);
    // Whole seconds, and never beyond the link.
    expect(session.expiresAt).toBeLessThanOrEqual(moved.schedule.end + days(1));
    base.clock.advance(1);
    expect((await errorOf(() => base.open(link))).code).toBe('stale_ticket');
  });

  it('a manage link ends earlier where its issuer says so, never later than a day after the end', async () => {
    const base = await manageFixture();
    const early = await base.issue({ expiresAt: '2030-05-06T10:00:00+01:00' });
    expect(early.expiresAt).toBe(Date.UTC(2030, 4, 6, 9));
    const late = await base.issue({ expiresAt: '2031-01-01T00:00:00Z' });
    expect(late.expiresAt).toBe(base.made.schedule.end + days(1));
  });

  it('a manage link is another one for every customer and for every issue', async () => {
    const base = await manageFixture();
    const links = [await base.issue(), await base.issue(), await base.issue({ participantId: base.elenisId })];
    expect(new Set(links.map(({ code }) => code)).size).toBe(3);
    expect(new Set(links.map(({ ticketId }) => ticketId)).size).toBe(3);
  });

  it('a manage link of one customer does not end the link of another', async () => {
    const base = await manageFixture();
    const elenis = await base.issue({ participantId: base.elenisId });
    const marias = await base.issue();
    await base.customers.revokeManageLink(agentOne, { appointmentId: base.made.id, participantId: base.mariasId });
    expect((await errorOf(() => base.open(marias))).code).toBe('stale_ticket');
    expect((await base.open(elenis)).id).toBe(base.elenisId);
  });

  it('a manage link opens nothing as it is kept', async () => {
    const base = await manageFixture();
    const link = await base.issue();
    const key = { organizationId: 'org-1', kind: 'MANAGE', subjectId: base.made.id, holderId: base.mariasId } as const;
    const kept = await base.store.customers.findTicket(key);
    expect(kept).toBeDefined();
    const everything = JSON.stringify([
      kept,
      base.signals,
      base.events(),
      await base.store.events.list({ organizationId: 'org-1', appointmentId: base.made.id }),
    ]);
    expect(everything).not.toContain(link.ticketId);
    const nonce = kept?.nonce ?? '';
    const forged = hostCaller({ ...link, ticketId: nonce });
    expect(await tried(base, forged, base.made.id)).toEqual(allStale);
    expect((await errorOf(() => base.customers.exchangeManageLink(nonce + link.code.slice(22)))).code).toBe(
      'stale_ticket',
    );
  });

  it('a manage link is the same for ten exchanges and ten reads at once', async () => {
    const base = await manageFixture();
    const link = await base.issue();
    const callers = await Promise.all(Array.from({ length: 10 }, () => base.open(link)));
    expect(new Set(callers.map((each) => JSON.stringify(each))).size).toBe(1);
  });
});

describe('Issuing and revoking a manage link', () => {
  it.each<[string, Caller, string]>([
    ['the agent', agentOne, 'done'],
    ['another agent', agentTwo, 'not_assigned'],
    ['a supervisor', supervisor, 'done'],
    ['a client service', clientService, 'done'],
    ['a supervisor of another organization', foreignSupervisor, 'not_found'],
    ['a supervisor of another application', { ...supervisor, applicationIds: ['app-2'] }, 'forbidden'],
    ['a customer', { id: 'c', organizationId: 'org-1', roles: ['ROLE_CUSTOMER'] }, 'forbidden'],
    ['nobody', { id: 'n', organizationId: 'org-1', roles: [] }, 'forbidden'],
    ['an administrator', { id: 'n', organizationId: 'org-1', roles: ['ROLE_ADMIN'] }, 'forbidden'],
  ])('Issuing and revoking a manage link by %s', async (_who, by, expected) => {
    const base = await manageFixture();
    const query = { appointmentId: base.made.id, participantId: base.mariasId };
    const outcome = async (call: () => Promise<unknown>): Promise<string> => {
      const answer = await answerOrCode(call);
      return typeof answer === 'string' ? answer : 'done';
    };
    expect(await outcome(() => base.customers.issueManageLink(by, query))).toBe(expected);
    expect(await outcome(() => base.customers.revokeManageLink(by, query))).toBe(expected);
  });

  it('Issuing and revoking a manage link by the customer whose link it is is forbidden: a link makes no further one', async () => {
    const base = await manageFixture();
    const caller = await base.open(await base.issue());
    const query = { appointmentId: base.made.id, participantId: base.mariasId };
    expect((await errorOf(() => base.customers.issueManageLink(caller, query))).code).toBe('forbidden');
    expect((await errorOf(() => base.customers.revokeManageLink(caller, query))).code).toBe('forbidden');
  });

  it.each<[string, object, string]>([
    ['an unknown appointment', { appointmentId: unknownId }, 'not_found'],
    ['an id that is none', { appointmentId: '../x' }, 'not_found'],
    ['a stranger', { participantId: unknownId }, 'validation_failed'],
    ['an agent', { participantId: 'agent-1' }, 'validation_failed'],
    ['an end in the past', { expiresAt: '2030-05-06T07:59:59Z' }, 'validation_failed'],
    ['an end now', { expiresAt: '2030-05-06T08:00:00Z' }, 'validation_failed'],
    ['an end without a zone', { expiresAt: '2030-05-07T08:00:00' }, 'validation_failed'],
    ['an end that is none', { expiresAt: 'tomorrow' }, 'validation_failed'],
  ])('Issuing and revoking a manage link for %s is refused', async (_what, more, code) => {
    const base = await manageFixture();
    expect((await errorOf(() => base.issue(more))).code).toBe(code);
  });

  it.each(['cancelled', 'aborted'])(
    'Issuing and revoking a manage link for a %s appointment is refused',
    async (how) => {
      const base = await manageFixture();
      const { id } = base.made;
      if (how === 'cancelled') await base.appointments.cancel(agentOne, { id });
      else await base.appointments.abort(supervisor, { id, reason: 'no room' });
      expect((await errorOf(() => base.issue())).code).toBe('invalid_state');
    },
  );

  it('Issuing and revoking a manage link changes neither the appointment nor tells of it by an event, and is in the audit record', async () => {
    const base = await manageFixture();
    await base.issue();
    const query = { appointmentId: base.made.id, participantId: base.mariasId };
    await base.customers.revokeManageLink(agentOne, query, { correlationId: 'request-1' });
    expect(await base.appointments.get(agentOne, base.made.id)).toEqual(base.made);
    expect(base.newEvents()).toEqual([]);
    const { items } = await base.scheduling.audit.list(supervisor, { appointmentId: base.made.id });
    expect(items.map(({ operation, actor, outcome }) => `${operation} ${actor?.id ?? ''} ${outcome}`)).toEqual([
      'revokeManageLink agent-1 done',
      'issueManageLink agent-1 done',
      'schedule agent-1 done',
    ]);
    expect(items[0]?.requestId).toBe('request-1');
  });

  it('a manage link is revoked once: again, or without any link, nothing is done', async () => {
    const base = await manageFixture();
    const query = { appointmentId: base.made.id, participantId: base.mariasId };
    await base.customers.revokeManageLink(agentOne, query);
    await base.issue();
    await base.customers.revokeManageLink(agentOne, query);
    await base.customers.revokeManageLink(agentOne, query);
    const { items } = await base.scheduling.audit.list(supervisor, { appointmentId: base.made.id });
    expect(items.filter(({ operation }) => operation === 'revokeManageLink')).toHaveLength(1);
  });

  it('Issuing and revoking a manage link after a revocation gives a link that works', async () => {
    const base = await manageFixture();
    await base.issue();
    await base.customers.revokeManageLink(agentOne, { appointmentId: base.made.id, participantId: base.mariasId });
    expect(await tried(base, await base.open(await base.issue()), base.made.id)).toEqual(allDone);
  });

  it('issuing a manage link twenty times at once leaves one link that works', async () => {
    const base = await manageFixture();
    const links = await Promise.all(Array.from({ length: 20 }, () => base.issue()));
    const opened = await Promise.all(links.map((link) => answerOrCode(() => base.open(link))));
    expect(opened.filter((each) => each === 'stale_ticket')).toHaveLength(19);
  });
});

describe('Cut-offs of customers (D21)', () => {
  it('cut-offs of customers bind manage links and not staff', async () => {
    const settings = { customerCancelCutoff: minutes(60), customerRescheduleCutoff: minutes(120) };
    const base = await manageFixture({ applications: { 'app-1': settings } });
    base.clock.set(base.made.schedule.start - minutes(59));
    const caller = await base.open(await base.issue());
    expect(await tried(base, caller, base.made.id)).toEqual({
      get: 'done',
      reschedule: 'outside_reschedule_window',
      cancel: 'outside_cancellation_window',
    });
    expect((await base.appointments.cancel(agentOne, { id: base.made.id })).state).toBe('CANCELLED');
  });

  it('Cut-offs of customers count moves by manage links only', async () => {
    const base = await manageFixture({ applications: { 'app-1': { customerMaxReschedules: 1 } } });
    const { id } = base.made;
    const caller = await base.open(await base.issue());
    const move = (by: Caller, hour: number) =>
      answerOrCode(async () => {
        const start = `2030-06-01T${String(hour)}:00:00Z`;
        return (await base.appointments.reschedule(by, { id, start, duration: 'PT30M', timezone: 'UTC' })).state;
      });
    expect([
      await move(agentOne, 10),
      await move(caller, 11),
      await move(caller, 12),
      await move(agentOne, 13),
    ]).toEqual(['SCHEDULED', 'SCHEDULED', 'reschedule_limit', 'SCHEDULED']);
  });
});

describe('The end of a session', () => {
  it('the end of a session stops what waits under it, however much that is', async () => {
    const base = await manageFixture({ applications: { 'app-1': { customerMaxReschedules: null } } });
    const { id } = base.made;
    const { token, caller } = await base.customers.exchangeManageLink((await base.issue()).code);
    const moves = Array.from({ length: 50 }, (_, minute) => {
      const start = `2030-06-03T10:${String(minute).padStart(2, '0')}:00Z`;
      const move = { id, start, duration: 'PT30M', timezone: 'Europe/Athens' };
      return answerOrCode(() => base.appointments.reschedule(caller, move));
    });
    await base.customers.endSession(token);
    const then = await base.store.appointments.find('org-1', id);
    const last = (await Promise.all(moves)).at(-1);
    const now = await base.store.appointments.find('org-1', id);
    expect([now?.version, last]).toEqual([then?.version, 'stale_ticket']);
  });
});

describe('A customer with a manage link', () => {
  // Easy!Appointments CVE-2023-3285 to 3290 and 38047 to 38055: one user reached what belongs to another.
  it('a customer with a manage link reaches no operation of staff, on no appointment', async () => {
    const base = await manageFixture();
    const caller = await base.open(await base.issue());
    const foreign = await booked(base, {}, agentTwo);
    const { appointments, audit, customers } = base.scheduling;
    for (const { id } of [base.made, foreign]) {
      const query = { appointmentId: id, participantId: base.mariasId };
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        update: () => appointments.update(caller, { id, title: 'Mine' }),
        updateCustomer: () => appointments.update(caller, { id, customer: { id: base.elenisId, username: 'x' } }),
        activate: () => appointments.activate(caller, id),
        reassign: () => appointments.reassign(caller, { id, userId: 'agent-2' }),
        softDelete: () => appointments.softDelete(caller, id),
        remove: () => appointments.remove(caller, id),
        abort: () => appointments.abort(caller, { id, reason: 'x' }),
        addParticipant: () => appointments.addParticipant(caller, { id, agentId: 'agent-9' }),
        removeParticipant: () => appointments.removeParticipant(caller, { id, participantId: base.elenisId }),
        updateParticipant: () =>
          appointments.updateParticipant(caller, { id, participantId: base.mariasId, customer: { username: 'x' } }),
        issue: () => customers.issueManageLink(caller, query),
        revoke: () => customers.revokeManageLink(caller, query),
        erase: () => customers.erase(caller, query),
        export: () => customers.export(caller, query),
        audit: () => audit.list(caller, { appointmentId: id }),
        verifyAudit: () => audit.verify(caller),
        feed: () => base.scheduling.calendarFeeds.issue(caller, { agentId: 'agent-1' }),
      };
      for (const [name, call] of Object.entries(calls)) {
        const answer = await answerOrCode(call);
        expect([name, typeof answer === 'string' ? answer : 'done']).toEqual([name, 'forbidden']);
      }
    }
    expect(base.newEvents()).toEqual([]);
  });
});
