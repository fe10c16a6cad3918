/** What nobody caught while something was done; left alone, Node would end the process. */
export async function unhandledIn(work: () => Promise<void>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await work();
    await new Promise(setImmediate);
    return unhandled;
  } finally {
    process.off('unhandledRejection', note);
  }
}
