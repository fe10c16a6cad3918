import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, it, onTestFinished } from 'vitest';
import { fileNotifier, type FileNotifierOptions } from '../src/index.js';
import { anAttempt, calendarContent, mailWith } from './support/messages.js';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'calends-mails-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A clock that stands still until it is moved. */
function aClock() {
  let now = Date.parse('2026-05-04T09:00:00Z');
  return { now: () => now, move: (by: number) => (now += by) };
}

const name = '20260504T090000.000Z-0198a3c2-7d1e-7c55-9a43-2f6f1e0c9d10.eml';

it('fileNotifier writes the whole mail into a file named by time and notification, in a directory that it makes', async () => {
  const directory = join(aFolder(), 'deep', 'mails');
  const notifier = fileNotifier({ directory, clock: aClock() });
  const message = mailWith({ calendar: { method: 'REQUEST', content: calendarContent } });
  const messageId = '<0198a3c2-7d1e-7c55-9a43-2f6f1e0c9d10@practice.example>';
  expect(await notifier.send(message, anAttempt())).toEqual({
    status: 'delivered',
    messageId,
    providerStatus: 'written',
  });
  expect(readdirSync(directory)).toEqual([name]);
  const raw = readFileSync(join(directory, name));
  expect(raw.toString()).not.toMatch(/[^\r]\n/);
  expect(await PostalMime.parse(raw)).toMatchObject({
    messageId,
    subject: 'Ihr Termin am 5. Mai – 9 Uhr',
    to: [{ name: 'Zoë Müller', address: 'zoe@customer.example' }],
    html: '<p>Hallo Zoë, bis bald.</p>\n',
    attachments: [{ mimeType: 'text/calendar' }, { filename: 'invite.ics' }],
  });
});

it('fileNotifier lets only the owner read the mails and look into the folders that it makes, whatever the process usually does', async () => {
  const umask = process.umask(0o022);
  onTestFinished(() => void process.umask(umask));
  const above = join(aFolder(), 'deep');
  const directory = join(above, 'mails');
  await fileNotifier({ directory, clock: aClock() }).send(mailWith({}), anAttempt());
  const modes = [above, directory, join(directory, name)].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});

it('fileNotifier leaves the mode of a folder that is there as it is', async () => {
  const directory = aFolder();
  chmodSync(directory, 0o755);
  await fileNotifier({ directory, clock: aClock() }).send(mailWith({}), anAttempt());
  expect(statSync(directory).mode & 0o777).toBe(0o755);
});

it('fileNotifier writes another attempt beside the first, and replaces a file of the same name', async () => {
  const directory = aFolder();
  const clock = aClock();
  const notifier = fileNotifier({ directory, clock });
  await notifier.send(mailWith({ subject: 'First' }), anAttempt());
  await notifier.send(mailWith({ subject: 'Second' }), anAttempt());
  expect(readdirSync(directory)).toEqual([name]);
  expect(readFileSync(join(directory, name), 'utf8')).toContain('Subject: Second');
  clock.move(30_000);
  await notifier.send(mailWith({ subject: 'Third' }), anAttempt());
  expect(readdirSync(directory)).toHaveLength(2);
});

it('fileNotifier leaves no half of a mail behind when it is aborted or the disk refuses', async () => {
  const directory = aFolder();
  const notifier = fileNotifier({ directory });
  const aborted = await notifier.send(mailWith(), anAttempt(AbortSignal.abort()));
  expect(aborted).toMatchObject({ status: 'failed', permanent: false });
  expect(readdirSync(directory)).toEqual([]);
  const file = join(directory, 'file');
  writeFileSync(file, '');
  expect(await fileNotifier({ directory: file }).send(mailWith(), anAttempt())).toEqual({
    status: 'failed',
    permanent: false,
    error: 'file: not written (EEXIST)',
  });
});

it('fileNotifier refuses for good what SMTP could not send either', async () => {
  const directory = aFolder();
  const result = await fileNotifier({ directory }).send(mailWith({ notificationId: '../x' }), anAttempt());
  expect(result).toEqual({ status: 'failed', permanent: true, error: 'notificationId: is not an id' });
  expect(readdirSync(directory)).toEqual([]);
});

it.each([
  [{}, 'directory'],
  [{ directory: '' }, 'directory'],
  [{ directory: '.', clock: null }, 'clock'],
  [{ directory: '.', clock: {} }, 'clock'],
  [{ directory: '.', messageIdDomain: 'clinic example>' }, 'messageIdDomain'],
])('the options %j are a TypeError that names %s', (options, option) => {
  expect(() => fileNotifier(options as FileNotifierOptions)).toThrow(new RegExp(`^fileNotifier: ${option}: `));
});

it.each([null, undefined, './mails', ['./mails']])('fileNotifier refuses %j as options', (options) => {
  const making = () => fileNotifier(options as unknown as FileNotifierOptions);
  expect(making).toThrow(new TypeError('fileNotifier: must be an object.'));
});

it('a misspelt option of the notifier for files is a TypeError that names the one that was meant', () => {
  const options = { dirctory: '.' } as unknown as FileNotifierOptions;
  expect(() => fileNotifier(options)).toThrow(
    new TypeError('fileNotifier: unknown option dirctory; did you mean directory?'),
  );
});
