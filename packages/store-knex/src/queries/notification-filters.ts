import type { NotificationQuery, NotificationScope } from '@calends/core/store';
import { type Sql, sql } from '../sql/sql.js';
import { relationBits } from '../tables/people.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

type Query = NotificationQuery<string>;

/** The table that a list is made from, as `x`, and the instant that its window is about. */
export interface NotificationSource {
  readonly table: 'calends_notifications x' | 'calends_delivery_events x';
  readonly instant: 'x.created_at' | 'x.happened_at';
}

/** Tells whether a filter has no alternative left, so that nothing can match. */
export const matchesNothing = ({ types, channels, statuses }: Query): boolean =>
  [types, channels, statuses].some((values) => values?.length === 0);

function inScope(scope: NotificationScope): readonly Sql[] {
  switch (scope.kind) {
    case 'all':
      return [];
    case 'existing':
      return [
        sql(`exists (select 1 from calends_appointments o
          where o.organization_id = x.organization_id and o.id = x.appointment_id)`),
      ];
    case 'ofAgent':
      return [
        sql(
          `exists (select 1 from calends_actors o
          where o.organization_id = x.organization_id and o.appointment_id = x.appointment_id
            and o.actor_id = ? and (o.relations & ${relationBits.ORGANIZER | relationBits.AGENT}) <> 0)`,
          scope.agentId,
        ),
      ];
  }
}

/** The conditions of a list, the ones that an index starts with first. */
export function notificationConditions(
  dialect: SqlDialect,
  { instant }: NotificationSource,
  query: Query,
): readonly Sql[] {
  const { organizationId, applicationId, appointmentId, scope, types, channels, statuses, from, to } = query;
  return [
    sql('x.organization_id = ? and x.application_id = ?', organizationId, applicationId),
    ...(appointmentId === undefined ? [] : [sql('x.appointment_id = ?', appointmentId)]),
    ...(from === undefined ? [] : [sql(`${instant} >= ?`, from)]),
    ...(to === undefined ? [] : [sql(`${instant} < ?`, to)]),
    ...(types === undefined ? [] : [dialect.anyOf('x.type', types)]),
    ...(channels === undefined ? [] : [dialect.anyOf('x.channel', channels)]),
    ...(statuses === undefined ? [] : [dialect.anyOf('x.status', statuses)]),
    ...inScope(scope),
  ];
}
