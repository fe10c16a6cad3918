import { CalendsError } from '@calends/core';

/** Milliseconds between one question and the next, a second and a half in all: what lasts longer is told. */
const pauses = [50, 100, 200, 400, 750];

const pauseFor = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Asks until a request of the same key that is under way is answered: that answer is ours, or what it was refused for.
 *
 * @throws CalendsError `idempotency_in_progress` where that takes too long
 */
export async function whenAnswered<Answer>(ask: () => Promise<Answer>, pause = pauseFor): Promise<Answer> {
  for (const milliseconds of pauses) {
    try {
      return await ask();
    } catch (error) {
      if (!CalendsError.is(error) || error.code !== 'idempotency_in_progress') throw error;
    }
    await pause(milliseconds);
  }
  return ask();
}
