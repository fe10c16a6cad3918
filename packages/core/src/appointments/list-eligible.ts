import { setImmediate as nextTurn } from 'node:timers/promises';
import { InputIssues } from '../input.js';
import { OneAtATime } from '../one-at-a-time.js';
import type { AppointmentOperations } from '../scheduling.js';
import type { UseCaseContext } from '../use-case/context.js';
import { readDuration } from './schedule.js';

/** So few that whoever comes between two pages waits for some milliseconds only. */
const pageSize = 20;

/**
 * Walks through what can be activated (spec: Endpoints, rule 12; D24, D69).
 *
 * Pages of all walks are read one after the other, each in a turn of the event loop of its own: many walks at once are
 * slower, and nobody else waits for them. Between its pages a walk holds nothing but the last id.
 */
export function listEligible({ store }: UseCaseContext): AppointmentOperations['listEligible'] {
  const pages = new OneAtATime();
  return async function* (caller, query) {
    const issues = new InputIssues();
    if (query?.timeFrame !== undefined) readDuration('/timeFrame', query.timeFrame, issues, 'iso8601');
    issues.throwIfAny();
    const { organizationId, applicationIds } = caller;
    let after: string | undefined;
    do {
      const page = await pages.run('', async () => {
        await nextTurn();
        return store.listEligible(organizationId, { applicationIds, after, limit: pageSize });
      });
      yield* page;
      after = page.length < pageSize ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
  };
}
