import type { AuditOperation } from '../../domain/operation-table.js';
import type { Caller } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { recordWith } from '../../ports/store/actor-times.js';
import type { AvailabilityKey, AvailabilityRecord, AvailabilityStore } from '../../ports/store/availability.js';
import type { CallOptions } from '../call-options.js';
import type { UseCaseContext } from '../context.js';
import { once, requestInProgress } from '../once.js';
import { insist, lineOf } from '../unit-of-work.js';
import type { AvailabilityRoom } from './room.js';

/** One call that writes a record. */
export interface RecordCall<Answer> {
  readonly tables: AvailabilityStore;
  readonly caller: Caller;
  readonly key: AvailabilityKey;
  readonly operation: AuditOperation;
  readonly options: CallOptions | undefined;
  /** What makes one request another. */
  readonly command: unknown;
  /** What becomes of it: another document, `remove`, or `undefined` where nothing changes. Throws where it must not be. */
  readonly decide: (
    present: AvailabilityRecord | undefined,
  ) => Readonly<Record<string, unknown>> | 'remove' | undefined;
  readonly answer: (record: AvailabilityRecord | undefined) => Answer;
}

/**
 * The tables of services and hours.
 *
 * @throws CalendsError `invalid_state` where services and hours come from a source of the host
 */
export function requireTables({ tables }: AvailabilityRoom): AvailabilityStore {
  if (tables !== undefined) return tables;
  throw new CalendsError('invalid_state', 'Services and hours come from elsewhere and cannot be changed here.');
}

/** What cannot be changed, since it stands in settings. */
export function inSettings(): CalendsError {
  return new CalendsError('invalid_state', 'It comes from settings and cannot be changed.');
}

/**
 * Writes a record over the version that it was decided on, with its audit line; once for its idempotency key.
 *
 * @throws CalendsError `version_mismatch`, and whatever the decision throws
 */
export async function writeRecord<Answer>(context: UseCaseContext, call: RecordCall<Answer>): Promise<Answer> {
  const { tables, caller, key, options, command, operation } = call;
  const { organizationId } = caller;
  return once(context, { caller, command, options }, async (complete) => {
    const written = await insist('record', async () => {
      const present = await findRecord(tables, organizationId, key);
      requireVersion(present, options);
      const decided = call.decide(present);
      if (decided === undefined) return { answer: call.answer(present) };
      const version = (present?.version ?? versionBefore(key, context)) + 1;
      const next =
        decided === 'remove'
          ? undefined
          : { ...key, organizationId, version, document: decided, updatedAt: context.clock.now() };
      const answer = call.answer(next);
      const applicationId = key.kind === 'service' ? key.scopeId : '';
      const result = await context.store.commit(
        {
          organizationId,
          events: [],
          records: [{ ...key, expectedVersion: present?.version ?? 0, next }],
          request: complete(answer),
          audit: [lineOf(context, operation, caller, { organizationId, applicationId }, options)],
        },
        { signal: options?.signal },
      );
      if (result.status === 'requestLost') throw requestInProgress();
      return result.status === 'committed' ? { answer } : undefined;
    });
    return written.answer;
  });
}

/**
 * The version that a record begins after. A service is archived and stays: it begins at 1. What is removed may be saved again, and begins
 * where none before it has been, so that what was meant for the removed one does not fit it; 48 bits and the changes fit an entity tag.
 */
function versionBefore({ kind }: AvailabilityKey, { secureRandom }: UseCaseContext): number {
  return kind === 'service' ? 0 : Buffer.from(secureRandom.bytes(6)).readUIntBE(0, 6);
}

/** The record with a key, if there is one. */
export async function findRecord(
  tables: AvailabilityStore,
  organizationId: string,
  key: AvailabilityKey,
): Promise<AvailabilityRecord | undefined> {
  const [record] = await tables.listRecords(recordWith(organizationId, key));
  return record;
}

function requireVersion(present: AvailabilityRecord | undefined, options: CallOptions | undefined): void {
  const expected = options?.expectedVersions;
  const isMet = expected === 'any' ? present !== undefined : expected?.includes(present?.version ?? 0);
  if (isMet !== false) return;
  throw new CalendsError('version_mismatch', 'It has another version by now.');
}
