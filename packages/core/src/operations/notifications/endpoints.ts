import { days, limits, notificationTypes } from '@calends/model';
import { type AuditOperation } from '../../domain/operation-table.js';

import { type Caller, hasRole } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { readInput } from '../../domain/calls/input.js';
import type { EndpointKey, EndpointState } from '../../ports/store/notifications.js';
import type { NotificationSettings, WebhookEndpoint } from '../../settings/notification-settings.js';
import type { UseCaseContext } from '../context.js';
import { once, requestInProgress } from '../once.js';
import { lineOf } from '../unit-of-work.js';
import { endpointKeyOf, type EndpointStates } from '../../delivery/channels/endpoint-states.js';
import type {
  EndpointFailure,
  EndpointOperations,
  EndpointOptions,
  EndpointReference,
  EndpointStatus,
} from './endpoint-operations.js';
import { endpointTester } from './test-endpoint.js';
import { eventsOfEndpoints, readReplay, replayFailures } from './replay-failures.js';
import { settingsFor } from './list-notifications.js';

/** An endpoint that the caller may administer. */
interface Found {
  readonly endpoint: WebhookEndpoint;
  readonly key: EndpointKey;
  readonly settings: NotificationSettings;
}

const shownFailures = { max: 10, since: days(30) } as const;

/** The operations on web hook endpoints (D78). */
export function endpointOperations(context: UseCaseContext, states: EndpointStates): EndpointOperations {
  const test = endpointTester(context);
  return {
    listEndpoints: async (caller, applicationId) => {
      const { webhooks } = await administered(context, caller, applicationId);
      const { organizationId } = caller;
      return Promise.all(
        webhooks.map(async (endpoint) =>
          statusOf(endpoint, await states.stateOf(endpointKeyOf({ organizationId, applicationId }, endpoint))),
        ),
      );
    },
    getEndpoint: async (caller, reference) => {
      const { endpoint, key } = await find(context, caller, reference);
      const [state, lastFailures] = await Promise.all([states.stateOf(key), failuresOf(context, key)]);
      return { ...statusOf(endpoint, state), lastFailures };
    },
    enableEndpoint: (caller, reference, options) =>
      carriedOut(context, { caller, reference, options, operation: 'enableEndpoint' }, async ({ endpoint, key }) =>
        statusOf(endpoint, await states.enable(key)),
      ),
    disableEndpoint: (caller, reference, options) =>
      carriedOut(context, { caller, reference, options, operation: 'disableEndpoint' }, async ({ endpoint, key }) =>
        statusOf(endpoint, await states.disable(key, `disabled by ${caller.id}`)),
      ),
    testEndpoint: (caller, reference, options) =>
      carriedOut(context, { caller, reference, options, operation: 'testEndpoint' }, ({ endpoint, key }) =>
        test(endpoint, key),
      ),
    replayEndpoint: async (caller, query, options) => {
      requireAdministrator(caller);
      const rest = readReplay(query, context.clock.now());
      const { applicationId, endpointId, since, after } = query;
      const reference = { applicationId, endpointId };
      const call = { caller, reference, options, operation: 'replayEndpoint', more: { since, after } } as const;
      return carriedOut(context, call, async ({ key, settings }) => {
        if ((await states.stateOf(key)).disabledAt !== null) {
          throw new CalendsError('retry_not_allowed', 'The endpoint is disabled; enable it first.');
        }
        return replayFailures(context, { caller, key, settings, rest, signal: options?.signal });
      });
    },
  };
}

interface Call {
  readonly caller: Caller;
  readonly reference: EndpointReference;
  readonly options: EndpointOptions | undefined;
  readonly operation: AuditOperation;
  /** What else the request asks for. */
  readonly more?: object;
}

/** Carries a call out once for its key, and writes it into the audit record when it has been done. */
async function carriedOut<Answer>(
  context: UseCaseContext,
  { caller, reference, options, operation, more }: Call,
  run: (found: Found) => Promise<Answer>,
): Promise<Answer> {
  const { applicationId, endpointId } = reference;
  const found = await find(context, caller, reference);
  const request = { caller, command: { applicationId, endpointId, ...more }, options };
  return once<Answer>(context, request, async (complete) => {
    const answer = await run(found);
    // It has been done, no matter who still waits for the answer: the line is written in any case.
    const { organizationId } = caller;
    const line = lineOf(context, operation, caller, { organizationId, applicationId }, options);
    const result = await context.store.commit({ organizationId, events: [], audit: [line], request: complete(answer) });
    if (result.status === 'requestLost') throw requestInProgress();
    return answer;
  });
}

function requireAdministrator(caller: Caller): void {
  if (hasRole(caller, 'ROLE_ADMIN')) return;
  throw new CalendsError('forbidden', 'Web hook endpoints are for administrators.');
}

/** What an application sets, for who may administer it. */
async function administered(
  context: UseCaseContext,
  caller: Caller,
  applicationId: string,
): Promise<NotificationSettings> {
  requireAdministrator(caller);
  readInput((issues) => issues.requiredText('/applicationId', applicationId, limits.id));
  return settingsFor(context, caller, applicationId);
}

async function find(
  context: UseCaseContext,
  caller: Caller,
  { applicationId, endpointId }: EndpointReference,
): Promise<Found> {
  const settings = await administered(context, caller, applicationId);
  const endpoint = settings.webhooks.find(({ id }) => id === endpointId);
  if (endpoint === undefined) throw new CalendsError('not_found', 'There is no such endpoint.');
  const key = endpointKeyOf({ organizationId: caller.organizationId, applicationId }, endpoint);
  return { endpoint, key, settings };
}

function statusOf(
  { id, label, types = notificationTypes }: WebhookEndpoint,
  { failingSince, disabledAt, reason }: EndpointState,
): EndpointStatus {
  return {
    id,
    label,
    types,
    enabled: disabledAt === null,
    failingSince: failingSince ?? undefined,
    disabledAt: disabledAt ?? undefined,
    disabledReason: reason ?? undefined,
  };
}

/** The latest among the latest hundred failures of the application's web hooks. */
async function failuresOf({ store, clock }: UseCaseContext, key: EndpointKey): Promise<readonly EndpointFailure[]> {
  const { items } = await store.notifications.listEvents({
    ...eventsOfEndpoints(key),
    statuses: ['FAILED', 'PENDING'],
    from: clock.now() - shownFailures.since,
    sortOrder: 'desc',
    pageNumber: 1,
  });
  return items
    .filter(({ notification }) => notification.addressee.id === key.endpointId)
    .flatMap(({ event, notification: { id: notificationId, type } }) => {
      const { timestamp: at, status, errorMessage = status === 'FAILED' ? event.message : undefined } = event;
      return errorMessage === undefined ? [] : [{ notificationId, type, at, status, errorMessage }];
    })
    .slice(0, shownFailures.max);
}
