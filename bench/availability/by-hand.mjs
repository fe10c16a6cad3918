// The hand-written answer: one statement over the bookings of the agents, and a walk over the quarters of their hours.
import express from 'express';
import { openKnex } from '@calends/store-knex';

const url = process.argv[2];
const knex = openKnex(url);
const quarter = 900_000;
const slot = 1_800_000;
const buffer = 600_000;
const counts = { one: 1, ten: 10, fifty: 50 };

/** Hours in Athens are wall clock; its offset is looked up once for each day. */
const offsetFormat = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Athens', timeZoneName: 'longOffset' });
function offsetAt(instant) {
  const [, hour] = /GMT\+(\d\d)/.exec(offsetFormat.format(instant)) ?? [];
  return Number(hour) * 3_600_000;
}

function freeStarts(rows, agents, from, to) {
  const byAgent = new Map(agents.map((agent) => [agent, []]));
  for (const row of rows) byAgent.get(row.actor_id).push([Number(row.start_at) - buffer, Number(row.end_at)]);
  const found = new Map();
  for (const [agent, busy] of byAgent) {
    for (let day = Math.floor(from / 86_400_000) * 86_400_000; day < to; day += 86_400_000) {
      const opens = day + 8 * 3_600_000 - offsetAt(day);
      const closes = opens + 12 * 3_600_000;
      let next = 0;
      for (let start = opens; start + slot <= closes; start += quarter) {
        if (start < from || start >= to) continue;
        while (next < busy.length && busy[next][1] <= start) next += 1;
        if (next < busy.length && busy[next][0] < start + slot) continue;
        const agentsThen = found.get(start);
        if (agentsThen === undefined) found.set(start, [agent]);
        else agentsThen.push(agent);
      }
    }
  }
  return [...found].sort(([one], [other]) => one - other);
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/api/v2/availability', async (request, response) => {
  const { serviceId, from, to } = request.query;
  const agents = Array.from({ length: counts[serviceId] }, (_, index) => `agent-${index}`);
  const window = [Date.parse(from), Date.parse(to)];
  const rows = await knex('calends_actors')
    .select('actor_id', 'start_at', 'end_at')
    .where({ organization_id: 'org-1', blocks: 1 })
    .whereIn('actor_id', agents)
    .andWhere('start_at', '<', window[1] + slot + buffer)
    .andWhere('start_at', '>', window[0] - 86_400_000)
    .orderBy(['actor_id', 'start_at']);
  const offers = freeStarts(rows, agents, ...window).map(([start, actorIds]) => ({
    start: new Date(start).toISOString(),
    end: new Date(start + slot).toISOString(),
    actorIds,
  }));
  response.json({ durations: [{ duration: 'PT30M', offers }] });
});

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
