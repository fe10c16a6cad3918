// `npm run screenshots`: pictures of the customer pages for the guide, taken in Chromium from the built server. A
// customer books with a one-time password, opens the link in the mail, moves the appointment and cancels it; another one
// books a free time on the pages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath, startChromium } from './chromium.mjs';
import { build, install, root, say } from './prepare.mjs';

const pictures = join(root, 'docs', 'guides', 'screenshots');
const customer = 'ada@example.org';
const visitor = 'grace@example.org';
const manageLink = /\/manage\/#([\w.-]+)/;
const availability = {
  services: {
    'app-2': {
      'check-up': {
        title: 'Check-up',
        description: 'With Dr Maria Papadaki.\nRoom 4, second floor.',
        timezone: 'Europe/Athens',
        durations: ['PT30M'],
        grid: { step: 'PT30M' },
        requirements: [{ kind: 'agent', anyOf: ['agent-2'] }],
      },
      consultation: {
        title: 'Consultation',
        description: 'A call by video.',
        timezone: 'Europe/Athens',
        durations: ['PT30M', 'PT1H'],
        grid: { step: 'PT30M' },
        requirements: [{ kind: 'agent', anyOf: ['agent-2'] }],
      },
    },
  },
  hours: {
    'agent-2': {
      timezone: 'Europe/Athens',
      weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '09:00', until: '12:00' }],
    },
  },
};
const widths = [
  { width: 1280, height: 900 },
  { width: 360, height: 760 },
];
const patience = 30_000;

if (chromiumPath() === undefined) {
  say('Chromium is not there: install it, or name it in CALENDS_TEST_CHROMIUM');
  process.exit(1);
}
await install();
await build();
const folder = mkdtempSync(join(tmpdir(), 'calends-screenshots-'));
const server = await startServer();
const browser = await startChromium();
try {
  mkdirSync(pictures, { recursive: true });
  await takeAll();
  await takeBooking();
} finally {
  await browser.close();
  server.child.kill('SIGTERM');
  await once(server.child, 'close');
  rmSync(folder, { recursive: true, force: true });
}
say(`the pictures are in ${pictures}`);

/** The appointment's way, a picture at every station. */
async function takeAll() {
  const { id, code } = await book();
  const context = await browser.newContext({ locale: 'en', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const open = (path) => page.goto(`${server.address}/manage/${path}`);

  await open('');
  await picture(page, 'entry');
  await open(`#${code}`);
  await page.waitForURL('**/manage/appointment');
  await picture(page, 'appointment');
  await open('appointment/reschedule');
  await picture(page, 'reschedule');
  await page.fill('#date', '2020-05-06');
  await page.getByRole('button', { name: 'Move appointment' }).click();
  await page.getByRole('alert').waitFor();
  await picture(page, 'reschedule-error');
  await page.fill('#date', '2030-05-07');
  await page.getByRole('button', { name: 'Move appointment' }).click();
  await page.waitForURL('**/manage/appointment?moved');
  await picture(page, 'moved');
  await agent('POST', `/api/v2/appointments/activate/${id}`);
  await open('appointment');
  await picture(page, 'activated');
  await open('appointment/cancel');
  await page.fill('#reason', 'I have caught a cold.');
  await picture(page, 'cancel');
  await page.getByRole('button', { name: 'Yes, cancel it' }).click();
  await page.getByRole('heading', { name: 'Your appointment is cancelled' }).waitFor();
  await picture(page, 'cancelled');
  await open(`#${code}`);
  await page.getByRole('heading', { name: 'This link is not valid any more' }).waitFor();
  await picture(page, 'stale');
}

/** The way to a booking with a service, and to the free times for moving it. */
async function takeBooking() {
  const context = await browser.newContext({ locale: 'en', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const heading = (name) => page.getByRole('heading', { name }).waitFor();

  await page.goto(`${server.address}/manage/book`);
  await picture(page, 'book');
  await page.goto(`${server.address}/manage/book/times?service=check-up&duration=PT30M&zone=Europe/Berlin`);
  await picture(page, 'book-times');
  await page.locator('button[name="start"]').first().click();
  await heading('Who is coming?');
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Last name').fill('Hopper');
  await page.getByLabel('E-mail').fill(visitor);
  await picture(page, 'book-details');
  await page.getByRole('button', { name: 'Send me the code' }).click();
  await heading('Enter the code');
  await page.getByLabel('Code').fill(await inMail(visitor, /\b(\d{6})\b/));
  await picture(page, 'book-code');
  await page.getByRole('button', { name: 'Book this appointment' }).click();
  await heading('Your appointment is booked');
  await picture(page, 'booked');
  await page.goto(`${server.address}/manage/#${await inMail(visitor, manageLink)}`);
  await page.waitForURL('**/manage/appointment');
  await page.goto(`${server.address}/manage/appointment/reschedule`);
  await heading('Choose another time');
  await picture(page, 'reschedule-times');
}

async function picture(page, name) {
  for (const size of widths) {
    await page.setViewportSize(size);
    await page.screenshot({ path: join(pictures, `${name}-${size.width}.png`), animations: 'disabled' });
  }
}

/** Books as a customer does; the code of the manage link is in the mail. */
async function book() {
  await send('POST', '/api/customers/one-time-passwords', { applicationId: 'app-1', username: customer });
  const [, password] = await server.says(/\b(\d{6})\b[^]*\(development only\)/);
  const { id } = await send(
    'POST',
    '/api/v2/appointments/basic',
    {
      applicationId: 'app-1',
      title: 'First consultation',
      start: '2030-05-06T07:30:00Z',
      duration: 'PT45M',
      timezone: 'Europe/Athens',
      customers: [{ name: { firstName: 'Ada', lastName: 'Lovelace' }, contact: { primaryEmail: customer } }],
    },
    `Basic ${Buffer.from(`${customer}:${password}`).toString('base64')}`,
  );
  return { id, code: await inMail(customer, manageLink) };
}

/** Mails are written beside the database; soft line breaks of quoted-printable are taken out. */
async function inMail(address, pattern) {
  const mails = join(folder, 'mails');
  const until = performance.now() + patience;
  while (performance.now() < until) {
    for (const name of readdirSync(mails)) {
      const text = readFileSync(join(mails, name), 'utf8').replace(/=\r?\n/g, '');
      const found = new RegExp(`^To: .*${address}`, 'm').test(text) ? pattern.exec(bodyOf(text)) : null;
      if (found !== null) return found[1];
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No mail to ${address} says ${pattern}.`);
}

/** Headers have digits of their own. */
function bodyOf(text) {
  return text.slice(text.search(/\r?\n\r?\n/));
}

async function agent(method, path) {
  const [, token] = await server.says(/ROLE_AGENT \(agent-1\)\n(\S+)/);
  return send(method, path, undefined, `Bearer ${token}`);
}

async function send(method, path, body, authorization) {
  const response = await fetch(`${server.address}${path}`, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** The built server on a port of its own and a new SQLite file. */
async function startServer() {
  const config = join(folder, 'calends.json');
  const notifications = { active: true, email: { from: 'Clinic <no-reply@clinic.example>' } };
  const application = { organizationId: 'org-1', defaultAgent: 'agent-1', notifications };
  const settings = {
    applications: { 'app-1': application, 'app-2': { ...application, overlap: { mode: 'agent' } } },
    availability,
    bookingPage: { applicationId: 'app-2' },
  };
  writeFileSync(config, JSON.stringify(settings));
  const child = spawn(process.execPath, [join(root, 'packages', 'server', 'dist', 'cli.js'), 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: String(await freePort()),
      DATABASE_URL: `sqlite:${join(folder, 'calends.db')}`,
      CALENDS_CONFIG: config,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const says = async (pattern) => {
    const until = performance.now() + patience;
    for (;;) {
      const found = pattern.exec(output);
      if (found !== null) return found;
      if (child.exitCode !== null || performance.now() > until) throw new Error(`The server did not say ${pattern}.`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const [, address] = await says(/"address":"([^"]+)".*"msg":"listening"/);
  return { child, address, says };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
