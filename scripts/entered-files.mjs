// `node scripts/entered-files.mjs`: which files of the built packages a v2 create, and one mail, enter, warm, over Express and SQLite.
// A reader who follows either opens them: the list says where a subject is cut too thin. `--list` names them with their lines.
import { schedulingRouter } from '@calends/adapter-express';
import { createScheduling } from '@calends/core';
import { smtpNotifier } from '@calends/notifier-email';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import express from 'express';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './prepare.mjs';
import { isBuilt, sourceOf } from './source-files.mjs';

const secret = 'at least thirty-two bytes, the same everywhere';
const packages = join(root, 'packages');
// A dependency of the tests there.
const { SMTPServer } = createRequire(join(packages, 'notifier-email', 'package.json'))('smtp-server');

/** A token of an agent, as a host signs it. */
function token() {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    sub: 'agent-1',
    organizationId: 'org-1',
    roles: ['ROLE_AGENT'],
    exp: Math.floor(Date.now() / 1000) + 600,
  };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const body = (index) =>
  JSON.stringify({
    applicationId: 'app-1',
    title: 'Consultation',
    notes: 'Please bring the documents.',
    start: new Date(Date.UTC(2040, 0, 1) + index * 3_600_000).toISOString(),
    duration: 'PT30M',
    timezone: 'Europe/Athens',
    locale: 'el-GR',
    metadata: { channel: 'web' },
    customers: [
      {
        contact: { primaryEmail: `customer${index}@example.org` },
        name: { firstName: 'Maria', lastName: 'Papadopoulou' },
      },
    ],
    targetAssignment: { id: 'agent-1', type: 'AGENT' },
  });

/** The functions of our sources that ran, as a count for each file. */
async function entered(result) {
  const files = new Map();
  for (const { url, functions } of result) {
    if (!isBuilt(url)) continue;
    const lines = (await readFile(fileURLToPath(url), 'utf8')).split('\n');
    const starts = [];
    for (let index = 0, start = 0; index < lines.length; start += lines[index].length + 1, index += 1)
      starts.push(start);
    for (const { ranges } of functions) {
      const [{ startOffset, endOffset, count }] = ranges;
      // The whole module is a function too: it runs at loading.
      if (count === 0 || (startOffset === 0 && endOffset > starts.at(-1))) continue;
      const line = starts.findLastIndex((start) => start <= startOffset);
      const file = sourceOf(url, line, startOffset - starts[line]);
      if (file === undefined) continue;
      files.set(file, (files.get(file) ?? 0) + 1);
    }
  }
  return files;
}

async function report(what, files, listed) {
  const rooms = new Map();
  let lines = 0;
  for (const [file, functions] of [...files].sort()) {
    const length = (await readFile(join(packages, file), 'utf8')).split('\n').length - 1;
    lines += length;
    const room = file.replace('/src/', '/').replace(/\/?[^/]+$/, '');
    rooms.set(room, [
      ...(rooms.get(room) ?? []),
      `    ${file.split('/').at(-1)}  ${length} lines, ${functions} functions`,
    ]);
  }
  const functions = [...files.values()].reduce((sum, count) => sum + count, 0);
  const single = [...files.values()].filter((count) => count === 1).length;
  console.log(
    `${what}: ${files.size} files, ${functions} functions, ${lines} lines, ${single} files with one function`,
  );
  for (const [room, inRoom] of rooms) {
    console.log(`  ${room}  ${inRoom.length}`);
    if (listed) console.log(inRoom.join('\n'));
  }
}

const folder = await mkdtemp(join(tmpdir(), 'calends-entered-'));
const mails = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => stream.resume().on('end', done),
});
mails.listen(0, '127.0.0.1');
await once(mails.server, 'listening');
const knex = openKnex(`sqlite:${join(folder, 'entered.db')}`);
await migrate(knex);
const email = smtpNotifier({ url: `smtp://127.0.0.1:${mails.server.address().port}` });
const scheduling = createScheduling({
  store: knexStore({ knex }),
  secret,
  applications: {
    'app-1': { notifications: { active: true, email: { from: 'no-reply@clinic.example' }, reminders: [] } },
  },
  notifiers: { email },
});
const app = express();
app.use(schedulingRouter(scheduling, { authentication: { secret } }));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const authorization = `Bearer ${token()}`;
async function create(index) {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/api/v2/appointments/`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: body(index),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
}

const session = new Session();
try {
  for (let index = 0; index < 5; index += 1) {
    await create(index);
    await scheduling.workers.runOnce();
  }
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  // Once a second somebody looks whether the program may still write: the fewest of some rounds are without that.
  const taken = async () => (await session.post('Profiler.takePreciseCoverage')).result;
  const rounds = [];
  for (let index = 5; index < 10; index += 1) {
    await create(index);
    const ofCreate = await taken();
    const { notifications } = await scheduling.workers.runOnce();
    if (notifications !== 1) throw new Error(`${notifications} mails`);
    rounds.push({ ofCreate, ofMail: await taken() });
  }
  const fewest = async (all) =>
    (await Promise.all(all.map(entered))).reduce((least, files) => (files.size < least.size ? files : least));
  const listed = process.argv.includes('--list');
  await report('a v2 create', await fewest(rounds.map(({ ofCreate }) => ofCreate)), listed);
  await report('one mail (one runOnce)', await fewest(rounds.map(({ ofMail }) => ofMail)), listed);
} finally {
  session.disconnect();
  server.closeAllConnections();
  server.close();
  await scheduling.close();
  await email.close();
  mails.close();
  await knex.destroy();
  await rm(folder, { recursive: true });
}
