/** Attempts at a whole piece of work, the first one included. */
const attempts = 4;
/** Milliseconds to wait before the second attempt, at most; doubled for each further one. */
const firstPause = 20;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * Runs a piece of work again, whole, when it fell to contention: a deadlock, a serialization failure, a busy
 * database. At most three times, after a pause of random length, so that rivals do not meet again.
 */
export async function retrying<Result>(
  isContention: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || !isContention(error)) throw error;
      await pause(Math.random() * firstPause * 2 ** (attempt - 1));
    }
  }
}
