import { setTimeout } from 'node:timers/promises';
import type { UseCaseContext } from './context.js';

const lookEvery = 20;

/**
 * Waits until messages that a commit took back while they were being sent have ended, at most `settleWait`.
 *
 * Without it a send could begin after the call that cancelled it has returned: its worker had claimed it before the
 * commit and reaches the provider after it. A store that cannot be asked ends the wait; the change itself stands.
 */
export async function endedSends(
  { store, settleWait }: UseCaseContext,
  organizationId: string,
  ids: readonly string[] | undefined,
): Promise<void> {
  if (ids === undefined || ids.length === 0) return;
  try {
    for (let waited = 0; waited < settleWait; waited += lookEvery) {
      if ((await store.countSending(organizationId, ids)) === 0) return;
      await setTimeout(lookEvery);
    }
  } catch {
    return;
  }
}
