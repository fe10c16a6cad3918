import { createScheduling } from '@calends/core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const secret = 'a secret of at least thirty-two bytes';
const now = Date.parse('2030-05-06T08:00:00Z');
const by = {
  id: 'supervisor-1',
  organizationId: 'org-1',
  roles: ['ROLE_SUPERVISOR' as const],
  applicationIds: ['app-1'],
};
const time = { applicationId: 'app-1', serviceId: 'talk', start: '2030-05-07T08:00:00Z', duration: 'PT30M' };
const weekly = [{ days: ['TU' as const], from: '08:00', until: '12:00' }];
const availability = {
  services: {
    'app-1': {
      talk: {
        title: 'Talk',
        timezone: 'UTC',
        durations: ['PT30M'],
        grid: { step: 'PT30M' },
        requirements: [{ kind: 'agent' as const, anyOf: ['agent-1'] }],
      },
    },
  },
  hours: { 'agent-1': { timezone: 'UTC', weekly } },
};
const command = { ...time, timezone: 'UTC', customers: [{ contact: { primaryEmail: 'maria@example.org' } }] };

/** Holds the time in a process that is killed before it books. */
async function heldAndKilled(databaseUrl: string): Promise<{ readonly token: string; readonly until: number }> {
  const script = join(import.meta.dirname, 'torture', 'holder.mjs');
  const settings = JSON.stringify({ secret, now, availability, by, time });
  const child = spawn(process.execPath, [script, databaseUrl, settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [told] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown];
  child.kill('SIGKILL');
  await ended;
  return JSON.parse(String(told)) as { token: string; until: number };
}

describeEach(
  'A time that was held by a process that was killed before it booked, with no worker',
  (kind) => {
    it(
      'a time that was held by a process that was killed is booked by others at the end of the hold and not before, once',
      { timeout: 60_000 },
      async () => {
        const database = await openDatabase(kind);
        try {
          const { token, until } = await heldAndKilled(database.url ?? '');
          let clock = until - 1;
          const store = knexStore({ knex: database.knex });
          const scheduling = createScheduling({ store, secret, availability, clock: { now: () => clock } });
          const book = async (more: object = {}) => scheduling.appointments.schedule(by, { ...command, ...more });
          await expect(book()).rejects.toMatchObject({
            code: 'slot_conflict',
            reasons: [{ code: 'HELD', actorId: 'agent-1' }],
          });
          clock = until;
          expect(await scheduling.availability.explain(by, time)).toEqual({ free: true, actorIds: ['agent-1'] });
          await expect(book({ holdToken: token })).rejects.toMatchObject({ code: 'hold_lost' });
          const { id } = await book();
          await expect(book()).rejects.toMatchObject({ code: 'slot_conflict', appointmentIds: [id] });
          const rows = await database.knex('calends_appointments').select('id');
          expect(rows).toEqual([{ id }]);
        } finally {
          await database.drop();
        }
      },
    );
  },
  { addressed: true },
);
