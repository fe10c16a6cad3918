import { type ApplicationSettings, type Caller, createScheduling, type Role, type Scheduling } from '@calends/core';
import { StoreError } from '@calends/core/store';
import type { Notifiers } from '@calends/core/notifier';
import { type HttpRequest, schedulingHttp, wholeBody } from '@calends/http';
import type { Problem } from '@calends/http-contract';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { readEnvironment } from '../configuration/environment.js';
import { didYouMean } from '@calends/model';
import { openDatabase } from '../database/open-database.js';
import { inWords, isOlderTables } from '../database/store-words.js';
import { librarySecretOf, missingSecret } from '../secrets/secrets.js';
import { usualOrganization } from '../secrets/first-steps.js';
import { RefusedError, UnavailableError } from '../exit-codes.js';

/** As whom the HTTP interface is asked. */
interface Asker {
  /** Default: the usual one. */
  readonly organizationId: string | undefined;
  /** Anyone who has the database may ask as whom they like. */
  readonly role: Role;
  /** Absent = nothing is sent by this process. */
  readonly notifiers?: Notifiers;
}

/** One request to the HTTP interface. */
interface Request {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly query?: string;
  readonly body?: unknown;
}

/** A question to the HTTP interface. */
export interface Question extends Asker, Request {
  /** Must be configured or have appointments. */
  readonly applicationId?: string;
}

/** The HTTP interface, inside this process. */
export interface OpenInterface {
  /**
   * The body of its answer.
   *
   * @throws RefusedError when it answers a problem
   */
  ask(request: Request): Promise<string>;
  /** @throws RefusedError for an application that nobody has heard of, or that is another organization's */
  requireKnown(applicationId: string): Promise<void>;
}

/** What the HTTP interface answers to one question; as {@link withInterface}. */
export function ask({ applicationId, ...question }: Question): Promise<string> {
  return withInterface(question, async (open) => {
    const body = await open.ask(question);
    if (applicationId !== undefined) await open.requireKnown(applicationId);
    return body;
  });
}

/** Works with the HTTP interface inside this process, on the database itself: what holds there holds here. */
export async function withInterface<Result>(
  { organizationId, role, notifiers = {} }: Asker,
  work: (open: OpenInterface) => Promise<Result>,
): Promise<Result> {
  const environment = readEnvironment(process.env);
  const { applications, availability, database: address, engine, pooler } = environment;
  if (address.kind === 'memory') {
    throw new ConfigurationError(['DATABASE_URL: a store in memory is known to its server only']);
  }
  const secret = await librarySecretOf(environment);
  // A database that is not there has no answer.
  const database = openDatabase(address, false, { engine, pooler });
  const caller: Caller = {
    id: 'calends-cli',
    organizationId: organizationId ?? usualOrganization(applications),
    roles: [role],
  };
  // There are no workers and so nothing to observe.
  const scheduling = createScheduling({
    store: database.store,
    secret,
    applications,
    notifiers,
    ...(availability === undefined ? {} : { availability }),
  });
  try {
    await checkTables(scheduling);
    const faults: unknown[] = [];
    const http = schedulingHttp(scheduling, {
      authentication: { verify: () => caller },
      webhookEndpoints: true,
      availability: availability !== undefined,
      onFault: (fault) => faults.push(fault),
    });
    return await work({
      ask: async (request) => {
        const response = await http.handle(requestFor(request));
        if (faults.length > 0) throw faults[0];
        const body = response === undefined ? '' : await wholeBody(response);
        if (response?.status !== 200) throw refusalOf(JSON.parse(body) as Problem);
        return body;
      },
      requireKnown: async (applicationId) => {
        const settings = applications[applicationId];
        if (settings !== undefined) {
          requireOwn(settings, caller);
          return;
        }
        // Administrators see no appointments.
        const supervisor: Caller = { ...caller, roles: ['ROLE_SUPERVISOR'] };
        await requireAppointments(scheduling, supervisor, applicationId, Object.keys(applications));
      },
    });
  } finally {
    await scheduling.close();
    await database.close();
  }
}

/** Of another organization's application nothing is found, which would read as if there were nothing. */
function requireOwn({ organizationId: owner }: Pick<ApplicationSettings, 'organizationId'>, caller: Caller): void {
  if (owner === undefined || owner === caller.organizationId) return;
  throw new RefusedError(`--organization: the application is of ${owner}, as the file of CALENDS_CONFIG says`);
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
    if (error.reason === 'fileMissing') {
      const sentence =
        'there is no database file, or it is empty (DATABASE_URL): is this its folder? calends migrate begins one, and so does calends serve';
      throw new UnavailableError(sentence, { cause: error });
    }
    if (!isOlderTables(error)) throw inWords(error);
    const message = 'the database has other tables than these: run calends migrate (DATABASE_URL)';
    throw new UnavailableError(message, { cause: error });
  }
}

function requestFor({ method, path, query = '', body }: Request): HttpRequest {
  const headers: Readonly<Record<string, string>> = {
    authorization: 'Bearer calends-cli',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return {
    method,
    path,
    query,
    header: (name) => headers[name],
    body: () => ({ kind: 'parsed', value: body }),
  };
}

function refusalOf({ detail, errors = [] }: Problem): RefusedError {
  const faults = errors.map((error) => `${error.parameter ?? error.pointer ?? ''}: ${error.detail}`);
  return new RefusedError(faults.length > 0 ? faults.join('\n') : detail);
}
