// A primary that goes under load, and its synchronous standby that takes over. `npm run lab -- failover` does it time and again.
import { createScheduling } from '@calends/core';
import { aScheduledAppointment, insertion } from '@calends/store-conformance';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import type { Knex } from 'knex';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { type BreakingNetwork, breakingNetwork } from '../packages/store-knex/test/support/breaking-network.js';
import {
  type ReplicatedServers,
  standbyMissing,
  startReplicatedServers,
} from '../packages/store-knex/test/support/standby.js';
import { missingForPooler, type Pooler, startPooler } from './pooler.mjs';

const asked = process.env['CALENDS_FAILOVERS'];
/** Of each kind. */
const rounds = Number(asked ?? 1);
/** Pools of ten connections, as so many processes would have them. */
const processes = 5;
const callers = 50;
/** Milliseconds of load before, and after somebody could write again. */
const loadFor = Number(process.env['CALENDS_LOAD_FOR'] ?? (asked === undefined ? 2000 : 5000));
/** Milliseconds that somebody needs to notice that the primary is gone. */
const noticedAfter = 2000;
/** Milliseconds from the promotion within which there is service again. */
const backWithin = 15_000;
/**
 * Milliseconds that a call may take within the process: six seconds and a second look for its turn among ten callers, and the same
 * for its answer. Over HTTP a request ends after ten seconds in any case; that has tests of its own.
 */
const longestCall = 13_000;
const secret = 'thirty-two bytes that are the same here';
/** What is given to the role in the place of what a pooler takes from nobody. */
const timeOuts = { statement_timeout: '5s', lock_timeout: '4s', idle_in_transaction_session_timeout: '6s' };

/** The way from the processes to whichever server is the primary. */
interface Way {
  open(): Knex;
  turnTo(port: number): Promise<void>;
  end(): Promise<void>;
}

async function throughPooler({ primaryPort }: ReplicatedServers): Promise<Way> {
  const pooler: Pooler = await startPooler(primaryPort, { default_pool_size: 50 });
  return {
    open: () => openKnex(pooler.url('postgres'), { pooler: 'transaction' }),
    turnTo: (port) => pooler.turnTo(port),
    end: () => pooler.end(),
  };
}

async function throughMovingAddress({ primaryUrl }: ReplicatedServers): Promise<Way> {
  const network: BreakingNetwork = await breakingNetwork(primaryUrl);
  return {
    open: () => openKnex(network.url),
    turnTo(port) {
      network.turnTo(port);
      return Promise.resolve();
    },
    end: () => network.close(),
  };
}

/** What the callers were answered. */
interface Answers {
  /** The version of each appointment that was last acknowledged; what is in doubt may have made another one. */
  readonly acknowledged: Map<string, number>;
  changes: number;
  unavailable: number;
  readonly wrong: string[];
  /** Milliseconds of the longest request, whatever came of it. */
  longest: number;
  /** When a change was last acknowledged that began after `mark` was set. */
  firstSince: number | undefined;
  mark: number;
}

type Scheduling = ReturnType<typeof createScheduling>;

const schedulingOver = (knex: Knex): Scheduling =>
  createScheduling({
    store: knexStore({ knex }),
    secret,
    applications: { 'app-1': { organizationId: 'org-1', overlap: { mode: 'agent', buffer: 0 } } },
  });

/** Books and cancels every other one, until it is over. */
async function calling(number: number, scheduling: Scheduling, answers: Answers, over: AbortSignal): Promise<void> {
  const caller = { id: `agent-${String(number)}`, organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;
  const timed = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    const began = performance.now();
    try {
      const result = await work();
      answers.changes += 1;
      if (began > answers.mark) answers.firstSince ??= performance.now();
      return result;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'unavailable') answers.unavailable += 1;
      else answers.wrong.push(String(error));
      // It comes again a little later, as clients do.
      await pause(50);
      return undefined;
    } finally {
      answers.longest = Math.max(answers.longest, performance.now() - began);
    }
  };
  for (let turn = 0; !over.aborted; turn += 1) {
    const start = new Date(Date.UTC(2999, 0, 1) + turn * 3_600_000).toISOString();
    const made = await timed(() =>
      scheduling.appointments.schedule(caller, {
        applicationId: 'app-1',
        start,
        duration: 'PT30M',
        timezone: 'UTC',
        customers: [{ contact: { primaryEmail: 'customer@example.org' } }],
      }),
    );
    if (made === undefined) continue;
    answers.acknowledged.set(made.id, made.version);
    if (turn % 2 === 0) continue;
    const cancelled = await timed(() => scheduling.appointments.cancel(caller, { id: made.id }));
    if (cancelled !== undefined) answers.acknowledged.set(made.id, cancelled.version);
  }
}

/** Acknowledged changes that a server does not have. */
async function lostOn(url: string, { acknowledged }: Pick<Answers, 'acknowledged'>): Promise<readonly string[]> {
  const knex = openKnex(url);
  try {
    const rows = await knex<{ id: string; version: string }>('calends_appointments').select('id', 'version');
    const versions = new Map(rows.map(({ id, version }) => [id, Number(version)]));
    return [...acknowledged].flatMap(([id, version]) => ((versions.get(id) ?? 0) < version ? [id] : []));
  } finally {
    await knex.destroy();
  }
}

interface End {
  readonly name: string;
  readonly go: (servers: ReplicatedServers) => Promise<void>;
  /** What comes of the old primary. */
  readonly after?: (servers: ReplicatedServers) => Promise<void>;
}

const isKilled: End = { name: 'is killed', go: (servers) => servers.killPrimary() };
/** Acknowledged now would be lost: a standby on the same machine has else almost everything, synchronous or not. */
const isKilledWithoutStandby: End = {
  name: 'is killed while its standby is away',
  async go(servers) {
    await servers.killStandby();
    await pause(1000);
    await servers.killPrimary();
    await servers.startStandby();
  },
};
const fallsSilent: End = {
  name: 'says nothing any more',
  go(servers) {
    servers.freezePrimary();
    return Promise.resolve();
  },
  // Nobody should let it come back; if somebody does, it waits for a standby that is none any more.
  async after(servers) {
    servers.thawPrimary();
    const knex = openKnex(servers.primaryUrl);
    const store = knexStore({ knex, answerTimeout: 2000 });
    const change = insertion(aScheduledAppointment({ id: 'too-late' }));
    await expect(store.commit(change)).rejects.toMatchObject({ code: 'unavailable', outcome: 'unknown' });
    await knex.destroy();
    const lost = await lostOn(servers.standbyUrl, { acknowledged: new Map([['too-late', 1]]) });
    expect(lost).toEqual(['too-late']);
  },
};

/** In the short form each way has one end, which takes twenty seconds. */
const ways = [
  {
    name: 'PgBouncer in transaction mode',
    missing: missingForPooler,
    to: throughPooler,
    ends: [isKilled, fallsSilent, isKilledWithoutStandby],
  },
  {
    name: 'an address that moves',
    missing: [],
    to: throughMovingAddress,
    ends: [fallsSilent, isKilled, isKilledWithoutStandby],
  },
];

/** Of which servers a store says that its engine is made. */
async function topologyOf(url: string): Promise<string | undefined> {
  const knex = openKnex(url);
  try {
    return (await knexStore({ knex }).check()).engine?.topology;
  } finally {
    await knex.destroy();
  }
}

for (const { name: way, missing, to, ends } of ways) {
  const needs = [...(standbyMissing === undefined ? [] : [standbyMissing]), ...missing];
  const why = needs.length === 0 ? '' : ` (left out: ${needs.join(', ')} not installed)`;
  // Only where PostgreSQL and, for its way, PgBouncer are installed: the title says which are not.
  describe.skipIf(needs.length > 0)(`a synchronous standby that takes over behind ${way}${why}`, () => {
    let servers: ReplicatedServers;
    let between: Way;
    const opened: Knex[] = [];
    beforeEach(async () => {
      servers = await startReplicatedServers({ synchronous: true });
      const knex = openKnex(servers.primaryUrl);
      await migrate(knex);
      for (const [name, value] of Object.entries(timeOuts)) {
        await knex.raw(`alter role postgres set ${name} = '${value}'`);
      }
      await knex.destroy();
      between = await to(servers);
    }, 120_000);
    afterEach(async () => {
      for (const knex of opened.splice(0)) await knex.destroy();
      await between.end();
      await servers.end();
    }, 60_000);

    for (const { name: end, go, after } of asked === undefined ? ends.slice(0, 1) : ends) {
      for (let round = 1; round <= rounds; round += 1) {
        const which = rounds === 1 ? '' : `, round ${String(round)}`;
        it(`a synchronous standby that takes over loses nothing that was acknowledged, and is of service soon, when the primary ${end}${which}`, async () => {
          const answers: Answers = {
            acknowledged: new Map(),
            changes: 0,
            unavailable: 0,
            wrong: [],
            longest: 0,
            firstSince: undefined,
            mark: Infinity,
          };
          const schedulings = Array.from({ length: processes }, () => {
            const knex = between.open();
            opened.push(knex);
            return schedulingOver(knex);
          });
          const over = new AbortController();
          const load = Promise.all(
            Array.from({ length: callers }, (_, number) =>
              calling(number, schedulings[number % processes] as Scheduling, answers, over.signal),
            ),
          );
          expect(await topologyOf(servers.primaryUrl)).toBe('a primary with a synchronous standby');
          await pause(loadFor);
          // On a busy machine that takes longer.
          while (answers.changes < 2 * callers) await pause(50);
          const before = answers.changes;
          await go(servers);
          await pause(noticedAfter);
          await servers.promote();
          const promotedAt = performance.now();
          answers.mark = promotedAt;
          await between.turnTo(servers.standbyPort);
          while (answers.firstSince === undefined && performance.now() - promotedAt < 2 * backWithin) await pause(10);
          await pause(loadFor);
          over.abort();
          await load;
          const back = Math.round((answers.firstSince ?? Infinity) - promotedAt);
          const lost = await lostOn(servers.standbyUrl, answers);
          const told = [
            `${way}, the primary ${end}: ${String(answers.changes)} changes acknowledged, ${String(before)} of them before`,
            `${String(answers.acknowledged.size)} appointments looked at, ${String(lost.length)} lost`,
            `${String(answers.unavailable)} requests unavailable`,
            `service ${String(back)} ms after the promotion, longest request ${String(Math.round(answers.longest))} ms`,
          ].join('; ');
          if (asked !== undefined) process.stdout.write(`${told}\n`);
          expect(lost, told).toEqual([]);
          expect(answers.wrong, told).toEqual([]);
          expect(back, told).toBeLessThan(backWithin);
          expect(answers.longest, told).toBeLessThan(longestCall);
          expect(await topologyOf(servers.standbyUrl)).toBe('one server');
          await after?.(servers);
        }, 120_000);
      }
    }
  });
}
