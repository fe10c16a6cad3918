// Fills a migrated database with so many bookings of 500 agents, their hours and three services.
export const agents = 500;
export const firstDay = Math.ceil(Date.now() / 86_400_000 + 7) * 86_400_000;
const bookedDays = 364;

const services = { one: 1, ten: 10, fifty: 50 };

/** Rules of a service that any of so many agents can serve. */
const rulesOf = (count) => ({
  title: 'Consultation',
  timezone: 'Europe/Athens',
  durations: ['PT30M'],
  grid: { step: 'PT15M' },
  bufferAfter: 'PT10M',
  requirements: [{ kind: 'agent', anyOf: Array.from({ length: count }, (_, index) => `agent-${index}`) }],
});

const hours = {
  timezone: 'Europe/Athens',
  weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], from: '08:00', until: '20:00' }],
};

// Every agent has as many bookings, each on a quarter of an hour from 6:00 to 18:00 UTC of a day; 364 and 48 spread them evenly.
const numbersOf = {
  pg: (from, to) => `select n from generate_series(${from}::int8, ${to - 1}) as n`,
  sqlite: (from, to) =>
    `with recursive s (n) as (select ${from} union all select n + 1 from s where n < ${to - 1}) select n from s`,
  // Of MariaDB.
  mysql2: (from, to) => `select seq as n from seq_${from}_to_${to - 1}`,
};
/** A number with zeros before it. */
const lastTwelve = {
  pg: `lpad(n::text, 12, '0')`,
  sqlite: `substr('000000000000' || n, -12)`,
  mysql2: `lpad(n, 12, '0')`,
};
/** As many at a time as a statement has time for. */
const part = 50_000;
const place = `((n - n % ${agents}) / ${agents})`;
const startOn = (days) =>
  `(${firstDay} + ${days} % ${bookedDays} * 86400000 + 21600000 + (${place} * 7 + n % ${agents}) % 48 * 900000)`;
/** One after the other for all agents: few bookings fill the first days. */
const dense = startOn(place);
/** All days of the year alike, however few bookings there are. */
const spread = startOn(`(${place} * 19 + n % ${agents})`);
const agent = `concat('agent-', n % ${agents})`;
const party = `concat('{"id":"agent-', n % ${agents}, '","type":"AGENT"}')`;

/** Rows of appointments as the library writes them, without customers and events, which nothing here reads. */
export async function fill(knex, count, { isSpread = false } = {}) {
  const { client } = knex.client.config;
  const kind = client in numbersOf ? client : 'sqlite';
  for (let from = 0; from < count; from += part) {
    const to = Math.min(count, from + part);
    await fillPart(knex, numbersOf[kind](from, to), kind, isSpread ? spread : dense);
  }
  const record = (kind, scope, name, document) => ({
    organization_id: 'org-1',
    kind,
    scope_id: scope,
    id: name,
    version: 1,
    document: JSON.stringify(document),
    updated_at: 0,
  });
  const records = [
    ...Object.entries(services).map(([name, number]) => record('service', 'app-1', name, rulesOf(number))),
    ...Array.from({ length: agents }, (_, index) => record('hours', `agent-${index}`, '', hours)),
  ];
  await knex.batchInsert('calends_availability', records, 100);
  await analyze(knex);
}

/** Has the database look at what it holds. */
export const analyze = (knex) => knex.raw(statistics[knex.client.config.client] ?? 'analyze');

const statistics = {
  pg: 'vacuum analyze',
  mysql2: 'analyze table calends_appointments, calends_actors, calends_counts, calends_count_changes',
};

/** Appointments of these numbers, and their actors. */
async function fillPart(knex, numbers, kind, start) {
  const id = `concat('00000000-0000-4000-8000-', ${lastTwelve[kind]})`;
  await knex.raw(`insert into calends_appointments (organization_id, id, application_id, title, notes, metadata, locale,
      start_at, end_at, duration, timezone, organizer, participants, target_assignment, interaction, created_at, wake_at,
      updated_at, version, schedule_version, state, notification_headers, notifications_active, customer_reschedules)
    select 'org-1', ${id}, 'app-1', 'Consultation', '', '{}', 'el-GR', ${start}, ${start} + 1800000, 1800000,
      'Europe/Athens', ${party}, concat('[', ${party}, ']'), ${party},
      '{"state":"PENDING","acceptedBy":[],"customFields":{},"properties":{}}', 0, null, 0, 1, 0, 'SCHEDULED', '{}', 0, 0
    from (${numbers}) s`);
  await knex.raw(`insert into calends_actors (organization_id, appointment_id, actor_id, relations, application_id,
      start_at, end_at, state, blocks)
    select 'org-1', ${id}, ${agent}, 3, 'app-1', ${start}, ${start} + 1800000, 'SCHEDULED', 1 from (${numbers}) s`);
}

/** The id of the nth appointment. */
export const idAt = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
