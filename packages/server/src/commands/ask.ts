import { type Caller, createScheduling, type Role, type Scheduling } from '@calends/core';
import { StoreError } from '@calends/core/store';
import type { Notifiers } from '@calends/core/notifier';
import { type HttpRequest, schedulingHttp, wholeBody } from '@calends/http';
import type { Problem } from '@calends/http-contract';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { readEnvironment } from '../configuration/environment.js';
import { didYouMean } from '@calends/model';
import { openDatabase } from '../database/open-database.js';
import { inWords } from '../database/store-words.js';
import { missingSecret, secretsOf } from '../secrets/secrets.js';
import { usualOrganization } from '../secrets/first-steps.js';
import { RefusedError, UnavailableError } from '../exit-codes.js';

/** A question to the HTTP interface. */
export interface Question {
  /** Default `org-1`. */
  readonly organizationId: string | undefined;
  /** Anyone who has the database may ask as whom they like. */
  readonly role: Role;
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly query?: string;
  /** Must be configured or have appointments. */
  readonly applicationId?: string;
  /** Absent = nothing is sent by this process. */
  readonly notifiers?: Notifiers;
}

/**
 * What the HTTP interface answers, asked inside this process on the database itself: what holds there holds here.
 *
 * @throws RefusedError when the interface answers a problem, and for an application that nobody has heard of
 */
export async function ask({ organizationId = usualOrganization, role, ...question }: Question): Promise<string> {
  const environment = readEnvironment(process.env);
  const { applications, database: address, createDatabase } = environment;
  if (address.kind === 'memory') {
    throw new ConfigurationError(['DATABASE_URL: a store in memory is known to its server only']);
  }
  const database = openDatabase(address, createDatabase, environment.engine);
  // There are no workers and so nothing to observe.
  const { library: secret } = await secretsOf(environment);
  const { notifiers = {}, applicationId } = question;
  const caller: Caller = { id: 'calends-cli', organizationId, roles: [role] };
  const scheduling = createScheduling({ store: database.store, secret, applications, notifiers });
  try {
    await checkTables(scheduling);
    const faults: unknown[] = [];
    const http = schedulingHttp(scheduling, {
      authentication: { verify: () => caller },
      webhookEndpoints: true,
      onFault: (fault) => faults.push(fault),
    });
    const response = await http.handle(requestFor(question));
    if (faults.length > 0) throw faults[0];
    const body = response === undefined ? '' : await wholeBody(response);
    if (response?.status !== 200) throw refusalOf(JSON.parse(body) as Problem);
    if (applicationId !== undefined && applications[applicationId] === undefined) {
      await requireAppointments(scheduling, caller, applicationId, Object.keys(applications));
    }
    return body;
  } finally {
    await scheduling.close();
    await database.close();
  }
}

/** An application works without being configured: one that has no appointment either is a misspelt one. */
async function requireAppointments(
  { appointments }: Scheduling,
  caller: Caller,
  applicationId: string,
  configured: readonly string[],
): Promise<void> {
  const { total } = await appointments.list(caller, { applicationId, pageSize: 1 });
  if (total > 0) return;
  const sentence = 'the application is not known: it is not in the file of CALENDS_CONFIG and has no appointments here';
  throw new RefusedError(`--application: ${sentence}${didYouMean(applicationId, configured)}`);
}

async function checkTables(scheduling: Scheduling): Promise<void> {
  try {
    await scheduling.check();
  } catch (error) {
    if (!(error instanceof StoreError)) throw missingSecret(error) ?? error;
    if (error.code !== 'schema') throw inWords(error);
    const message = 'the database has other tables than these: run calends migrate (DATABASE_URL)';
    throw new UnavailableError(message, { cause: error });
  }
}

function requestFor({ method, path, query = '' }: Omit<Question, 'organizationId' | 'role'>): HttpRequest {
  return {
    method,
    path,
    query,
    header: (name) => (name === 'authorization' ? 'Bearer calends-cli' : undefined),
    body: () => ({ kind: 'parsed', value: undefined }),
  };
}

function refusalOf({ detail, errors = [] }: Problem): RefusedError {
  const faults = errors.map((error) => `${error.parameter ?? ''}: ${error.detail}`);
  return new RefusedError(faults.length > 0 ? faults.join('\n') : detail);
}
