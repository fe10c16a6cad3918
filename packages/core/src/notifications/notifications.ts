import { parseInstant } from '../appointments/instant.js';
import { type Caller, mayUseApplication } from '../caller.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import { pageOf, readPage } from '../page.js';
import { notificationEventSortFields, notificationSortFields, notificationTypes } from './notification.js';
import type { NotificationListQuery, NotificationOperations } from './notification-operations.js';
import { defaultPollProperties } from './poll-properties.js';

/**
 * The operations on notifications over an empty store: nothing plans notifications in this version, so every
 * listing is empty and every id unknown.
 */
export function notificationOperations(): NotificationOperations {
  return {
    listStatuses: async (caller, query) => {
      const issues = readWindow(query);
      const standard = { field: 'createdAt', order: 'desc' } as const;
      const page = readPage(query, notificationSortFields, standard, issues);
      requireListing(caller, query, issues);
      return Promise.resolve(pageOf([], 0, page));
    },
    listEvents: async (caller, query) => {
      const issues = readWindow(query);
      const standard = { field: 'timestamp', order: 'desc' } as const;
      const page = readPage(query, notificationEventSortFields, standard, issues);
      requireListing(caller, query, issues);
      return Promise.resolve(pageOf([], 0, page));
    },
    pollProperties: async (caller, applicationId) => {
      requireApplication(caller, applicationId);
      return Promise.resolve(defaultPollProperties());
    },
    webhookTypes: () => notificationTypes,
    retry: () => Promise.reject(new CalendsError('not_found', 'There is no such notification.')),
  };
}

/** Reads application and search window (D35). */
function readWindow(query: NotificationListQuery<string>): InputIssues {
  const issues = new InputIssues();
  issues.requiredText('/applicationId', query.applicationId, limits.applicationId);
  const side = (name: 'from' | 'to'): number | undefined => {
    const text = query[name];
    const instant = text === undefined ? undefined : parseInstant(text);
    if (text !== undefined && instant === undefined) {
      issues.add(`/${name}`, 'invalid_format', 'Must be an ISO 8601 timestamp with Z or an offset.');
    }
    return instant;
  };
  const [from, to] = [side('from'), side('to')];
  if (from !== undefined && to !== undefined && from >= to) {
    issues.add('/to', 'invalid_value', 'Must lie after from.');
  }
  return issues;
}

function requireListing(caller: Caller, query: NotificationListQuery<string>, issues: InputIssues): void {
  issues.throwIfAny();
  requireApplication(caller, query.applicationId);
}

function requireApplication(caller: Caller, applicationId: string): void {
  if (mayUseApplication(caller, applicationId)) return;
  throw new CalendsError('forbidden', 'The credentials do not cover this application.');
}
