/** A call that did not end in time: nobody knows what became of it. */
export class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout';

  constructor(milliseconds: number) {
    super(`no answer within ${String(milliseconds)} ms`);
  }
}

/**
 * Calls a provider and waits no longer than its time-out, whether it heeds the signal or not.
 *
 * @throws ProviderTimeout, and whatever the call throws
 */
export async function callProvider<Result>(
  timeout: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ProviderTimeout(timeout));
      controller.abort();
    }, timeout);
  });
  try {
    return await Promise.race([call(controller.signal), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
