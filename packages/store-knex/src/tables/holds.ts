import { type Hold, serviceActorId } from '@calends/core/store';
import { integer, json, type Row, text } from '../sql/rows.js';
import type { SqlValue } from '../sql/sql.js';
import { columnsOf, tableOf } from './table.js';

/** One of those under whom a hold is found. */
interface HoldActor {
  readonly hold: Hold;
  readonly id: string;
  /** False for its service and its owner, who only count it. */
  readonly blocks: boolean;
}

const is = columnsOf<HoldActor>();

export const holdTable = tableOf<HoldActor>('calends_holds')(
  {
    organization_id: is.written('text', ({ hold }) => hold.organizationId),
    hold_id: is.written('text', ({ hold }) => hold.id),
    actor_id: is.text('id'),
  },
  {
    application_id: is.written('text', ({ hold }) => hold.applicationId),
    service_id: is.written('text', ({ hold }) => hold.serviceId),
    service_actor: is.written('text', ({ hold }) => serviceActorId(hold.applicationId, hold.serviceId)),
    owner_key: is.written('text', ({ hold }) => hold.ownerKey),
    agents: is.written('text', ({ hold }) => JSON.stringify(hold.agentIds)),
    resources: is.written('text', ({ hold }) => JSON.stringify(hold.resourceIds)),
    start_at: is.written('integer', ({ hold }) => hold.start),
    end_at: is.written('integer', ({ hold }) => hold.end),
    busy_from: is.written('integer', ({ hold }) => hold.busy.from),
    busy_to: is.written('integer', ({ hold }) => hold.busy.to),
    until_at: is.written('integer', ({ hold }) => hold.until),
    blocks: is.flag('blocks'),
  },
);

/** Ids under which a hold is found, and whether it takes their time: one for each id, since it may be named twice. */
export function holdActors({
  agentIds,
  resourceIds,
  applicationId,
  serviceId,
  ownerKey,
}: Hold): ReadonlyMap<string, boolean> {
  const counting = [serviceActorId(applicationId, serviceId), ownerKey];
  const taking = [...agentIds, ...resourceIds];
  return new Map([
    ...counting.map((id): [string, boolean] => [id, false]),
    ...taking.map((id): [string, boolean] => [id, true]),
  ]);
}

/** The rows of a hold. */
export const holdRows = (hold: Hold): readonly (readonly SqlValue[])[] =>
  Array.from(holdActors(hold), ([id, blocks]) => holdTable.values({ hold, id, blocks }));

/** The hold of one of its rows: each has all of it. */
export const readHold = (row: Row): Hold => ({
  id: text(row, 'hold_id'),
  organizationId: text(row, 'organization_id'),
  applicationId: text(row, 'application_id'),
  serviceId: text(row, 'service_id'),
  start: integer(row, 'start_at'),
  end: integer(row, 'end_at'),
  busy: { from: integer(row, 'busy_from'), to: integer(row, 'busy_to') },
  agentIds: json(row, 'agents') as readonly string[],
  resourceIds: json(row, 'resources') as readonly string[],
  ownerKey: text(row, 'owner_key'),
  until: integer(row, 'until_at'),
});
