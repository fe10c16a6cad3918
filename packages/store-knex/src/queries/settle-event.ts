import type { EventOutcome } from '@calends/core/store';
import type { SqlValue } from '../sql/sql.js';
import { run, type Steps } from '../sql/steps.js';

/** What an outcome makes of the columns `due_at`, `delivered_at` and `parked_at`. */
export function settledColumns(outcome: EventOutcome): readonly SqlValue[] {
  return [
    outcome.status === 'retry' ? outcome.at : null,
    outcome.status === 'delivered' ? outcome.at : null,
    outcome.status === 'parked' ? outcome.at : null,
  ];
}

/** Records one outcome, if its token still holds the claim. */
export function* settleEvent(outcome: EventOutcome): Steps<void> {
  yield* run(
    `update calends_events set due_at = ?, delivered_at = ?, parked_at = ?, claim_token = null
     where id = ? and claim_token = ?`,
    [...settledColumns(outcome), outcome.eventId, outcome.token],
  );
}
