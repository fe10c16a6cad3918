import { type Caller, createScheduling, type Scheduling, StoreError } from '@calends/core';
import { type HttpRequest, schedulingHttp, wholeBody } from '@calends/http';
import type { ListApplicationNotificationsResponsePaged, NotificationStatus, Problem } from '@calends/http-contract';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { readEnvironment } from '../configuration/environment.js';
import { didYouMean } from '../configuration/nearest-name.js';
import { openDatabase } from '../database/open-database.js';
import { inWords } from '../database/store-words.js';
import { missingSecret } from '../secrets/missing-secret.js';
import { secretsOf } from '../secrets/secrets.js';
import { usualOrganization } from '../secrets/first-steps.js';
import { RefusedError } from '../refused-error.js';
import { UnavailableError } from '../unavailable-error.js';
import { textTable } from './text-table.js';

/** What `calends notifications` was asked for. */
export type NotificationsRequest = { readonly organizationId?: string | undefined } & (
  | {
      readonly action: 'list';
      readonly applicationId: string;
      /** The other query parameters of the list of statuses, by name. */
      readonly filters: Readonly<Record<string, string | readonly string[] | undefined>>;
      readonly json: boolean;
    }
  | { readonly action: 'retry'; readonly id: string }
);

/**
 * `calends notifications`: lists statuses, or retries one, on the database itself.
 *
 * It asks the HTTP interface inside this process, as a supervisor of the organization: what holds there holds here, and
 * nothing is shown that is not shown there. Recipients' names stay out of the table, which ends up in tickets.
 *
 * @throws RefusedError when the interface answers a problem, and for an application that nobody has heard of
 */
export async function notifications(request: NotificationsRequest): Promise<void> {
  const { action, organizationId = usualOrganization } = request;
  if (action === 'retry') {
    const answer = await ask(organizationId, 'PUT', `/api/notifications/${encodeURIComponent(request.id)}/retry`);
    process.stdout.write(table([JSON.parse(answer) as NotificationStatus]));
    return;
  }
  const { filters, applicationId } = request;
  const query = queryOf({ ...filters, applicationId });
  const answer = await ask(organizationId, 'GET', '/api/notifications/', query, applicationId);
  if (request.json) {
    process.stdout.write(`${answer}\n`);
    return;
  }
  const page = JSON.parse(answer) as ListApplicationNotificationsResponsePaged;
  if (page.content.length > 0) process.stdout.write(table(page.content));
  process.stdout.write(`Page ${page.pageNumber} of ${page.pageCount}, ${page.total} in all.\n`);
}

/** Answers the body; `applicationId` must be configured or have appointments. */
async function ask(
  organizationId: string,
  method: string,
  path: string,
  query = '',
  applicationId?: string,
): Promise<string> {
  const environment = readEnvironment(process.env);
  const { applications, database: address, createDatabase } = environment;
  if (address.kind === 'memory') {
    throw new ConfigurationError(['DATABASE_URL: a store in memory is known to its server alone']);
  }
  const database = openDatabase(address, createDatabase, environment.engine);
  // There are no workers and so nothing to observe.
  const { library: secret } = await secretsOf(environment);
  const scheduling = createScheduling({ store: database.store, secret, applications });
  const caller: Caller = { id: 'calends-cli', organizationId, roles: ['ROLE_SUPERVISOR'] };
  try {
    await checkTables(scheduling);
    const faults: unknown[] = [];
    const http = schedulingHttp(scheduling, {
      authentication: { verify: () => caller },
      onFault: (fault) => faults.push(fault),
    });
    const response = await http.handle(requestFor(method, path, query));
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

function requestFor(method: string, path: string, query: string): HttpRequest {
  return {
    method,
    path,
    query,
    header: (name) => (name === 'authorization' ? 'Bearer calends-cli' : undefined),
    body: () => ({ kind: 'parsed', value: undefined }),
  };
}

function queryOf(filters: Extract<NotificationsRequest, { action: 'list' }>['filters']): string {
  const parameters = Object.entries(filters).flatMap(([name, values]) =>
    (values === undefined ? [] : [values].flat()).map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(parameters).toString();
}

function refusalOf({ detail, errors = [] }: Problem): RefusedError {
  const faults = errors.map((error) => `${error.parameter ?? ''}: ${error.detail}`);
  return new RefusedError(faults.length > 0 ? faults.join('\n') : detail);
}

function table(statuses: readonly NotificationStatus[]): string {
  const rows = statuses.map((status) => [
    status.id,
    status.type,
    status.channel,
    status.status,
    String(status.retryCount),
    status.updatedAt,
    status.errorMessage ?? status.message ?? '',
  ]);
  return textTable(['ID', 'TYPE', 'CHANNEL', 'STATUS', 'ATTEMPTS', 'UPDATED', 'MESSAGE'], rows);
}
