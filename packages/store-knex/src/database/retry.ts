/** Attempts at a whole piece of work, the first one included. */
const maxAttempts = 4;
/** Attempts while their rivals are told at once, as deadlocks are: each takes some milliseconds, and one of the rivals goes on. */
const maxQuickAttempts = 10;
/** Milliseconds since the first attempt in which they count as quick. */
const quickFor = 1000;
/** Milliseconds to wait before the second attempt, at most; doubled for each further one. */
const firstPause = 20;
const maxPause = 160;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * Runs a piece of work again, whole, when it fell to contention: a deadlock, a serialization failure, a busy
 * database. After a pause of random length, so that rivals do not meet again; at most three times where the database was
 * waited for, and nine times within a second.
 */
export async function retrying<Result>(
  isContention: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const max = performance.now() - began < quickFor ? maxQuickAttempts : maxAttempts;
      if (attempt >= max || !isContention(error)) throw error;
      await pause(Math.random() * Math.min(maxPause, firstPause * 2 ** (attempt - 1)));
    }
  }
}
