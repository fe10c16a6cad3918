import type { ListApplicationNotificationsResponsePaged, NotificationStatus } from '@calends/http-contract';
import { ask } from './ask.js';
import { endpoints, type EndpointsRequest } from './endpoints.js';
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
  | EndpointsRequest
);

/**
 * `calends notifications`: lists statuses, retries one, or administers web hook endpoints, on the database itself.
 *
 * It asks the HTTP interface inside this process, as a supervisor of the organization: what holds there holds here, and
 * nothing is shown that is not shown there. Recipients' names stay out of the table, which ends up in tickets.
 *
 * @throws RefusedError when the interface answers a problem, and for an application that nobody has heard of
 */
export async function notifications(request: NotificationsRequest): Promise<void> {
  if (request.action === 'endpoints') return endpoints(request);
  const asSupervisor = { organizationId: request.organizationId, role: 'ROLE_SUPERVISOR' } as const;
  if (request.action === 'retry') {
    const path = `/api/notifications/${encodeURIComponent(request.id)}/retry`;
    const answer = await ask({ ...asSupervisor, method: 'PUT', path });
    process.stdout.write(table([JSON.parse(answer) as NotificationStatus]));
    return;
  }
  const { filters, applicationId } = request;
  const query = queryOf({ ...filters, applicationId });
  const answer = await ask({ ...asSupervisor, method: 'GET', path: '/api/notifications/', query, applicationId });
  if (request.json) {
    process.stdout.write(`${answer}\n`);
    return;
  }
  const page = JSON.parse(answer) as ListApplicationNotificationsResponsePaged;
  if (page.content.length > 0) process.stdout.write(table(page.content));
  const found = `Page ${page.pageNumber} of ${page.pageCount}, ${page.total} in all.`;
  process.stdout.write(`${page.total === 0 ? 'There are no such notifications.' : found}\n`);
}

function queryOf(filters: Extract<NotificationsRequest, { action: 'list' }>['filters']): string {
  const parameters = Object.entries(filters).flatMap(([name, values]) =>
    (values === undefined ? [] : [values].flat()).map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(parameters).toString();
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
