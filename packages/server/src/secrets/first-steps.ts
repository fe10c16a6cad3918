import { type ConfiguredApplication, defaultApplicationSettings, type Role } from '@calends/core';
import { formatDuration, formatInstant } from '@calends/core/operations';
import { defaultOrganization } from '@calends/model';
import { randomUUID } from 'node:crypto';
import type { Environment } from '../configuration/environment.js';
import { signToken, type TokenSigning, type TokenSubject } from './sign-token.js';

const halfAnHour = 30 * 60_000;
const aDay = 24 * 60 * 60_000;

/** Who the printed tokens, and those of `calends token` without `--sub`, are for. */
export const usualSubjects: Readonly<Record<Role, string>> = {
  ROLE_AGENT: 'agent-1',
  ROLE_SUPERVISOR: 'supervisor-1',
  ROLE_CLIENT_SERVICE: 'client-service-1',
  ROLE_CUSTOMER: 'customer-1',
  ROLE_ADMIN: 'admin-1',
};

/** The organization of tokens and commands that name none: where its customers book, too. */
export function usualOrganization(applications: Environment['applications']): string {
  const [first] = Object.values(applications);
  return first?.organizationId ?? defaultOrganization;
}

/** A token to begin with. */
export interface FirstToken {
  readonly role: Role;
  readonly sub: string;
  readonly token: string;
}

/** A token of each role, in the organization of the first configured application. */
export function firstTokens(
  applications: Environment['applications'],
  signing: TokenSigning,
): Promise<readonly FirstToken[]> {
  const { organizationId, agentId } = exampleOf(applications);
  const subjects = Object.entries({ ...usualSubjects, ROLE_AGENT: agentId }) as [Role, string][];
  return Promise.all(
    subjects.map(async ([role, sub]) => {
      const subject: TokenSubject = { sub, roles: [role], organizationId };
      return { role, sub, token: await signToken(subject, signing) };
    }),
  );
}

/** A free time that can be booked at once. */
export interface FirstOffer {
  readonly applicationId: string;
  readonly serviceId: string;
  readonly start: string;
  /** ISO 8601. */
  readonly duration: string;
}

/** What a newcomer needs to make a first request: a token of each role, and a command that works when pasted. */
export async function firstSteps(
  applications: Environment['applications'],
  signing: TokenSigning,
  address: string,
  offer?: FirstOffer,
): Promise<string> {
  const example = exampleOf(applications);
  const signed = await firstTokens(applications, signing);
  const [first] = signed;
  const hours = signing.validFor / (60 * 60_000);
  return [
    `Bearer tokens of organization ${example.organizationId}, valid for ${hours} hours (development only):`,
    ...signed.map(({ role, sub, token }) => `\n${role} (${sub})\n${token}`),
    '\nSchedule an appointment for tomorrow:',
    `\n${curl(address, first?.token ?? '', requestOf(example))}`,
    ...(offer === undefined ? [] : bookingSteps(address, first?.token ?? '', example, offer)),
    `\nReference page: ${address}/docs`,
    'More tokens: npx calends token --help\n',
  ].join('\n');
}

interface Example {
  readonly applicationId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly duration: number;
}

/** Fits the first configured application, if there is one. */
function exampleOf(applications: Environment['applications']): Example {
  const [applicationId, application]: [string, ConfiguredApplication] = Object.entries(applications)[0] ?? [
    'app-1',
    {},
  ];
  const { duration: usual } = defaultApplicationSettings;
  const { defaultAgent, agents, duration } = application;
  const { min = usual.min, max = usual.max } = duration ?? {};
  return {
    applicationId,
    organizationId: usualOrganization(applications),
    agentId: agents?.[0] ?? defaultAgent ?? usualSubjects.ROLE_AGENT,
    duration: Math.min(Math.max(halfAnHour, min), max),
  };
}

function requestOf({ applicationId, duration }: Example): object {
  const tomorrow = new Date(Date.now() + aDay);
  tomorrow.setUTCMinutes(0, 0, 0);
  return {
    applicationId,
    title: 'First consultation',
    start: formatInstant(tomorrow.getTime()),
    duration: formatDuration(duration),
    timezone: 'Europe/Vienna',
    customers: [{ name: { firstName: 'Ada' }, contact: { primaryEmail: 'ada@example.org' } }],
  };
}

/** Lines that find the free times of a service, and book the first. */
function bookingSteps(
  address: string,
  token: string,
  example: Example,
  { applicationId, serviceId, start, duration }: FirstOffer,
): readonly string[] {
  const to = formatInstant(Date.parse(start) + 7 * aDay);
  const question = new URLSearchParams({ applicationId, serviceId, from: start, to }).toString();
  const booking = { ...requestOf(example), applicationId, serviceId, start, duration };
  return [
    `\nFind the free times of the service ${serviceId}:`,
    `\n${commandOf(['-sS', `${address}/api/v2/availability?${question}`, ...authorized(token)])}`,
    '\nBook the first of them, once however often it is sent:',
    `\n${curl(address, token, booking, ['-H', `Idempotency-Key: ${randomUUID()}`])}`,
  ];
}

function curl(address: string, token: string, body: object, more: readonly string[] = []): string {
  return commandOf([
    ...['-sS', '-X', 'POST', `${address}/api/v2/appointments/`],
    ...[...authorized(token), '-H', 'Content-Type: application/json', ...more],
    ...['-d', JSON.stringify(body)],
  ]);
}

const authorized = (token: string): readonly string[] => ['-H', `Authorization: Bearer ${token}`];

const commandOf = (words: readonly string[]): string => `curl ${words.map(quoted).join(' ')}`;

/** One word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
