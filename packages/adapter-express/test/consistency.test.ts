import { type SchedulingStore, type ShownRead, wrapStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { doors } from './support/doors.js';
import { type Host, type OpenStore, people, startHost } from './support/host.js';
import { created, creation } from './support/requests.js';

const base = '/api/v2/appointments';
const { agent, otherAgent, supervisor } = people;
const header = 'calends-consistency';

/** Where a read of the store says how it may be answered, by method. */
const placeOfShown: Readonly<Record<string, number>> = {
  'appointments.find': 2,
  'appointments.list': 1,
  'appointments.countStarting': 1,
};

/** A store whose commits have marks: `mark1`, `mark2`, and so on. */
function markingStore(asked: (ShownRead | undefined)[]): SchedulingStore {
  let commits = 0;
  const store = wrapStore(memoryStore(), (name, call) => async (...given) => {
    const place = placeOfShown[name];
    if (place !== undefined) asked.push(given[place] as ShownRead | undefined);
    const result = await call(...given);
    if (name !== 'commit') return result;
    commits += 1;
    return { ...(result as object), mark: `mark${String(commits)}` };
  });
  return { ...store, capabilities: { ...store.capabilities, marksCommits: true } };
}

describe.each(Object.entries(doors))('the consistency of reads with readers, through %s', (_name, door) => {
  let host: Host;
  let asked: (ShownRead | undefined)[];
  let id: string;
  const open: OpenStore = () => Promise.resolve({ store: markingStore(asked), close: () => Promise.resolve() });

  beforeAll(async () => {
    asked = [];
    host = await startHost({ open, door });
    ({ id } = await created(host));
  });
  afterAll(() => host.close());
  beforeEach(() => {
    asked.length = 0;
  });
  const reading = async (as: typeof agent, headers: Record<string, string> = {}) => {
    asked.length = 0;
    const reply = await host.call('GET', `${base}/${id}`, { as, headers });
    return { asked: [...asked], header: reply.headers[header], status: reply.status };
  };

  it('an answer to what writes has the token for later requests, and one to what reads has none', async () => {
    const reply = await host.call('POST', `${base}/`, { as: agent, json: creation() });
    expect([reply.status, reply.headers[header]]).toEqual([200, 'mark2']);
    expect((await reading(agent)).header).toBeUndefined();
  });

  it('a caller sees what they have written through this process, without a token', async () => {
    expect((await reading(agent)).asked).toEqual([{ after: 'mark2' }]);
  });

  it('who has written nothing may be answered by any copy', async () => {
    expect((await reading(supervisor)).asked).toEqual([{ after: undefined }]);
  });

  it('a token has the answer not lack what it stands for', async () => {
    expect((await reading(supervisor, { [header]: 'mark7' })).asked).toEqual([{ after: 'mark7' }]);
    expect((await reading(agent, { [header]: 'mark1' })).asked).toEqual([{ after: 'mark2' }]);
  });

  it.each(['', 'a b', "'; drop table", 'x'.repeat(65), 'x'.repeat(4000), 'a,b', '..'])(
    'what is no token (%j) is no fault, is never answered, and has the store itself read',
    async (token) => {
      const reply = await reading(supervisor, { [header]: token });
      expect(reply).toEqual({ asked: [undefined], header: undefined, status: 200 });
    },
  );

  it('what a change decides on is never asked of a copy', async () => {
    const path = `${base}/${id}/cancel`;
    const reply = await host.call('PUT', path, { as: agent, headers: { [header]: 'mark1' }, json: {} });
    expect([reply.status, asked]).toEqual([204, [undefined]]);
    expect(reply.headers[header]).toBe('mark3');
  });

  it('lists and counts say what they must not lack', async () => {
    await host.call('GET', `${base}/?applicationId=app-1`, { as: agent });
    const query = 'applicationId=app-1&organizationId=org-1&timeFrame=PT1H&start=2030-01-02T09:00:00Z';
    await host.call('GET', `${base}/count?${query}`, { as: otherAgent, headers: { [header]: 'mark9' } });
    expect(asked).toEqual([{ after: 'mark3' }, { after: 'mark9' }]);
  });
});

describe('the consistency of reads without readers', () => {
  it('sends no token and asks nothing of the store that it would not ask without one', async () => {
    const host = await startHost();
    const reply = await host.call('POST', `${base}/`, { as: agent, json: creation() });
    const { id } = reply.body;
    host.store.statements();
    const read = await host.call('GET', `${base}/${id}`, { as: agent, headers: { [header]: 'mark1' } });
    expect([reply.headers[header], read.headers[header]]).toEqual([undefined, undefined]);
    expect(host.store.statements()).toEqual([`appointments.find ${JSON.stringify(['org-1', id])}`]);
    await host.close();
  });
});
