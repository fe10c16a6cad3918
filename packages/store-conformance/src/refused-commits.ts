import {
  type Change,
  commitRefusals,
  countedPlace,
  type RefusalStatus,
  type SchedulingStore,
} from '@calends/core/store';
import { type Case, it } from './conformance-case.js';
import { auditRecord, expect } from './expectations.js';
import { fixtureStart, hour, minute } from './fixtures/appointments.js';
import { insertion, keeping, nextVersion, update } from './fixtures/changes.js';
import { anEvent } from './fixtures/events.js';
import { changed, notification } from './fixtures/notifications.js';
import { consumptionOf, firstIssue, proofOf, proving } from './fixtures/proofs.js';
import { completing, keyOf } from './fixtures/requests.js';
import type { Words } from './fixtures/words.js';
import { commitAll, inserted, put } from './steps.js';

/** When passwords are used up and tickets are issued. */
export const at = fixtureStart + minute;

/** What a change with something of every kind meets, and what it makes of it. */
function situationOf(a: Words) {
  const appointment = a.scheduled();
  const ticket = a.ticket();
  return {
    organizationId: a.organizationId,
    appointment,
    next: nextVersion(appointment, { title: 'Changed' }),
    profile: a.profile(appointment),
    challenge: a.challenge(),
    ticket,
    rotated: { ...ticket, nonce: 'nonce-2', issuedAt: at },
    leaving: a.ticket({ holderId: 'leaving' }),
    feed: a.feedTicket(),
    over: a.cancelled({ id: 'over', organizerId: 'agent-8' }),
    entry: a.entry(),
    request: a.request({ answer: '"done"' }),
    answered: a.request({ key: 'answered' }),
  };
}

/** See {@link prepare}. */
export type Situation = ReturnType<typeof situationOf>;

/** The parts that a change may have without an appointment. */
const looseParts = ({ challenge, ticket, rotated, entry, request, profile, appointment }: Situation) => ({
  customers: [{ ...profile, firstName: 'Changed' }],
  events: [anEvent(appointment, { version: 2 })],
  request,
  otp: consumptionOf(challenge),
  proof: proofOf(ticket),
  ticket: { next: rotated, expectedNonce: ticket.nonce },
  revokedTickets: [{ kind: 'CALENDAR_FEED', subjectId: 'agent-1', at }] as const,
  audit: [entry],
});

/** Changes with something of every kind, by what they do to the appointment. */
const shapes: Readonly<Record<string, (situation: Situation) => Change>> = {
  'an update': (situation) => update(situation.next, { ...looseParts(situation), removedCustomers: ['leaving'] }),
  'a change that keeps its appointment': (situation) => keeping(situation.appointment, looseParts(situation)),
  'a change without an appointment': (situation) => proving(situation.organizationId, looseParts(situation)),
};

/** Writes what a change with something of every kind meets. */
export async function prepare(store: SchedulingStore, a: Words): Promise<Situation> {
  const situation = situationOf(a);
  const { appointment, profile, challenge, ticket, leaving, feed, over, answered } = situation;
  await commitAll(store, insertion(appointment, { customers: [profile] }), insertion(over));
  const revoked = a.ticket({ holderId: 'revoked', revokedAt: fixtureStart });
  for (const next of [ticket, leaving, feed, revoked]) await commitAll(store, a.change({ ticket: firstIssue(next) }));
  await put(store, challenge);
  await commitAll(store, completing(answered));
  return situation;
}

/** Expects nothing of the change to be written. */
export async function expectUntouched(store: SchedulingStore, situation: Situation): Promise<void> {
  const { organizationId, appointment, profile, challenge, ticket, leaving, feed, request } = situation;
  const appointmentId = appointment.id;
  expect(await store.appointments.find(organizationId, appointmentId)).toEqual(appointment);
  await expect.profiles(store, profile);
  await expect.challenges(store, challenge);
  await expect.tickets(store, ticket, leaving, feed);
  expect(await auditRecord(store, organizationId)).toEqual([]);
  expect(await store.audit.countUnsealed(organizationId)).toEqual(0);
  expect(await store.events.list({ organizationId, appointmentId })).toEqual([]);
  expect(await store.requests.find(keyOf(request), request.at)).toEqual(undefined);
}

/** What is wrong with a change, by how the store refuses it and by a sentence. */
export type Refusals = Readonly<
  Partial<Record<RefusalStatus, Readonly<Record<string, (situation: Situation) => Partial<Change>>>>>
>;

/** What makes the store refuse a change that it would take otherwise, by how it refuses it. */
export const refusals = {
  stale: {
    'the appointment has another version': ({ next }) => ({
      appointment: { kind: 'update', next, expectedVersion: 9, before: countedPlace(next), wakeAt: null },
    }),
    'the id of a new appointment is taken': ({ appointment }) => ({
      appointment: { kind: 'insert', next: appointment, wakeAt: null },
    }),
    'the appointment to remove has another version': ({ appointment }) => ({
      appointment: {
        kind: 'remove',
        appointmentId: appointment.id,
        expectedVersion: 9,
        before: countedPlace(appointment),
      },
    }),
    'the appointment to keep is not there': () => ({ appointment: { kind: 'keep', appointmentId: 'unknown' } }),
    'the appointment to keep is over': ({ over }) => ({ appointment: { kind: 'keep', appointmentId: over.id } }),
    'the key has another ticket': ({ rotated }) => ({ ticket: { next: rotated, expectedNonce: 'nonce-0' } }),
    'the key has a ticket already': ({ rotated }) => ({ ticket: firstIssue(rotated) }),
    'the key has no ticket any more': ({ rotated }) => ({
      ticket: { next: { ...rotated, holderId: 'unknown' }, expectedNonce: 'nonce-1' },
    }),
    'the notification is gone': ({ organizationId }) => ({
      notifications: { update: changed(notification({ organizationId }), {}) },
    }),
  },
  slotConflict: {
    'another appointment stands in the way': () => ({
      guard: { actorIds: ['agent-9'], window: { from: fixtureStart, to: fixtureStart + hour } },
    }),
  },
  otpUsed: {
    'another one-time password was issued': ({ challenge }) => ({
      otp: { ...consumptionOf(challenge), challengeId: 'challenge-0' },
    }),
    'there is no such one-time password': ({ challenge }) => ({
      otp: { ...consumptionOf(challenge), subject: 'unknown' },
    }),
    'the one-time password was used up': ({ challenge }) => ({ otp: { ...consumptionOf(challenge), subject: 'used' } }),
    'the one-time password is one of another organization': ({ challenge }) => ({
      otp: { ...consumptionOf(challenge), subject: 'foreign' },
    }),
  },
  proofLost: {
    'the ticket that was proved was replaced': ({ ticket }) => ({ proof: { ...proofOf(ticket), nonce: 'nonce-0' } }),
    'the ticket that was proved was revoked': ({ ticket }) => ({ proof: { ...proofOf(ticket), holderId: 'revoked' } }),
    'the ticket that was proved is gone': ({ ticket }) => ({ proof: { ...proofOf(ticket), holderId: 'unknown' } }),
  },
  requestLost: {
    'the request is answered already': ({ answered }) => ({ request: answered }),
  },
} as const satisfies Refusals;

/** What changes of one kind are tried with. */
export interface Trial {
  readonly refusals: Refusals;
  /** What every change has besides. */
  readonly besides?: (situation: Situation) => Partial<Change>;
  /** Writes what all the refusals meet, beyond the common. */
  readonly prepare?: (store: SchedulingStore, situation: Situation, a: Words) => Promise<unknown>;
  /** Expects what stands beside the common to be as it was before the change, or after it. */
  readonly expectBesides?: (store: SchedulingStore, situation: Situation, isWritten: boolean) => Promise<unknown>;
}

/** A situation in which all refusals apply. */
async function prepareAll(store: SchedulingStore, a: Words, trial: Trial): Promise<Situation> {
  const situation = await prepare(store, a);
  await inserted(store, a.scheduled({ id: 'rival', organizerId: 'agent-9' }));
  await put(store, a.challenge({ subject: 'used', consumedAt: fixtureStart }));
  await trial.prepare?.(store, situation, a);
  return situation;
}

/** Each refusal, then the same change without what was wrong with it: written whole. */
export function atomicityCases(trial: Trial, names: readonly string[]): readonly Case[] {
  const all = commitRefusals.flatMap((status) =>
    Object.entries(trial.refusals[status] ?? {}).map(([name, broken]) => ({ name, status, broken })),
  );
  return all
    .filter(({ name }) => names.includes(name))
    .map(({ name, status, broken }) =>
      it(`nothing is written when ${name} (${status}), and all of it when not`, async (store, a) => {
        for (const [shape, changeOf] of Object.entries(shapes)) {
          const situation = await prepareAll(store, a.of(shape), trial);
          const { organizationId, challenge, rotated, leaving, feed, entry } = situation;
          const foreign = await put(store, a.of(`${shape} abroad`).challenge({ subject: 'foreign' }));
          const change = { ...changeOf(situation), ...trial.besides?.(situation) };

          const result = await store.commit({ ...change, ...broken(situation) });
          expect(result.status).toEqual(status);
          await expectUntouched(store, situation);
          await trial.expectBesides?.(store, situation, false);
          expect((await store.customers.findChallenge(foreign.organizationId, 'foreign'))?.consumedAt).toEqual(null);

          await commitAll(store, change);
          await expect.challenges(store, { ...challenge, consumedAt: at });
          await expect.tickets(store, rotated, { ...feed, revokedAt: at });
          await (change.removedCustomers === undefined ? expect.tickets : expect.noTickets)(store, leaving);
          expect(await auditRecord(store, organizationId)).toEqual([entry]);
          expect(await store.audit.countUnsealed(organizationId)).toEqual(1);
          await trial.expectBesides?.(store, situation, true);
        }
      }),
    );
}

/** Two by two, the one to be told first (D75); one of the two is among `statuses`. */
export function precedenceCases(trial: Trial, statuses: readonly RefusalStatus[]): readonly Case[] {
  const known = commitRefusals.filter((status) => trial.refusals[status] !== undefined);
  const pairs = known.flatMap((told, index) => known.slice(index + 1).map((other) => [told, other] as const));
  return pairs
    .filter((pair) => pair.some((status) => statuses.includes(status)))
    .map(([told, other]) =>
      it(`${told} is told before ${other} where both apply`, async (store, a) => {
        for (const [shape, changeOf] of Object.entries(shapes)) {
          const situation = await prepareAll(store, a.of(shape), trial);
          const change = { ...changeOf(situation), ...trial.besides?.(situation) };
          for (const [name, broken] of Object.entries(trial.refusals[told] ?? {})) {
            for (const [otherName, alsoBroken] of Object.entries(trial.refusals[other] ?? {})) {
              const result = await store.commit({ ...change, ...alsoBroken(situation), ...broken(situation) });
              expect(result.status).toEqual(told, `${shape}: ${name}, ${otherName}`);
            }
          }
          await expectUntouched(store, situation);
          await trial.expectBesides?.(store, situation, false);
        }
      }),
    );
}
