import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { adviceOn } from './advice.js';
import { readEnvironment } from './environment.js';

const given = {
  NODE_ENV: 'production',
  CALENDS_JWT_SECRET: 'a secret of more than thirty-two bytes',
  CALENDS_JWT_ISSUER: 'i',
  CALENDS_JWT_AUDIENCE: 'a',
};
const noAddress =
  'CALENDS_PUBLIC_URL not set: links for customers have the HOST and PORT of this process, which others may not reach';

it.each<readonly [string, NodeJS.ProcessEnv, readonly string[]]>([
  ['production without a public address', {}, [noAddress]],
  ['production with one', { CALENDS_PUBLIC_URL: 'https://clinic.example' }, []],
  ['development', { NODE_ENV: '' }, []],
])('the advice on the settings of %s is what is missing', (_what, variables, advice) => {
  expect(adviceOn(readEnvironment({ ...given, ...variables }))).toEqual(advice);
});

const noSender = (channel: string): string =>
  `bookingPage: applications.app-1 has no notifications.${channel}: nobody gets the one-time password that a booking needs`;
const email = { email: { from: 'clinic@example.org' } };

it.each<readonly [string, object, NodeJS.ProcessEnv, readonly string[]]>([
  ['no notifications', { applications: { 'app-1': {} } }, {}, [noSender('email')]],
  ['no applications', {}, {}, [noSender('email')]],
  ['a way to mails', { applications: { 'app-1': { notifications: email } } }, { SMTP_URL: 'smtp://mail.example' }, []],
  [
    'a way to mails, and codes for phones',
    { applications: { 'app-1': { notifications: email } }, bookingPage: { applicationId: 'app-1', contact: 'phone' } },
    { SMTP_URL: 'smtp://mail.example' },
    [noSender('sms')],
  ],
  [
    'a way to mails in another process',
    { applications: { 'app-1': { notifications: email } } },
    { SMTP_URL: 'smtp://mail.example', CALENDS_WORKER: 'off' },
    ['bookingPage: CALENDS_WORKER is off: this process sends no one-time passwords, and nobody can book on its page'],
  ],
  ['no notifications, and no pages', { applications: { 'app-1': {} } }, { CALENDS_CUSTOMER_PAGES: 'off' }, []],
  ['no notifications while developing', { applications: { 'app-1': {} } }, { NODE_ENV: '' }, []],
])('the advice on a booking page with %s says when nobody can book', (_what, file, variables, advice) => {
  const folder = mkdtempSync(join(tmpdir(), 'calends-advice-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'calends.json');
  writeFileSync(path, JSON.stringify({ availability: {}, bookingPage: { applicationId: 'app-1' }, ...file }));
  const settings = { CALENDS_PUBLIC_URL: 'https://clinic.example', CALENDS_CONFIG: path, ...variables };
  expect(adviceOn(readEnvironment({ ...given, ...settings }))).toEqual(advice);
});
