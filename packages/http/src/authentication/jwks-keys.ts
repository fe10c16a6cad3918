import { quietly } from '@calends/core/store';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';

/** Between the starts of two fetches, failed ones included (security model). */
const cooldown = 30_000;
/** A key set this old is fetched again when it is next needed. */
const freshFor = 10 * 60_000;
/** While the address does not answer, the last key set serves so long. */
const staleFor = 24 * 60 * 60_000;
const fetchTimeout = 5_000;
const maxKeySet = 256 * 1024;

/** Where a key set comes from. */
export interface JwksSource {
  readonly url: URL;
  readonly fetch: typeof fetch;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Told about a fetch that failed; the last key set serves on. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Finds keys in the key set at an address.
 *
 * At most one fetch starts in 30 s, however many unknown key ids or failures there are; a set that was loaded once
 * serves for 24 h while the address fails. No timers: a fetch starts only when a token needs it.
 */
export function jwksKeys({ url, fetch, now, onFault }: JwksSource): JWTVerifyGetKey {
  // jose's own cooldown begins with an answer, so that an address that fails would be asked for every token.
  const keys = createRemoteJWKSet(url, {
    cooldownDuration: Infinity,
    cacheMaxAge: Infinity,
    timeoutDuration: fetchTimeout,
    [customFetch]: async (address, options) =>
      unlessAborted(options.signal, async () => bounded(await fetch(address, options))),
  });
  let loadedAt = -Infinity;
  let triedAt = -Infinity;
  // By a clock that was ahead and is right again, both would lie ahead for as long.
  const since = (at: number): number => Math.abs(now() - at);

  const load = async (): Promise<void> => {
    try {
      await keys.reload();
      loadedAt = now();
    } catch (fault) {
      quietly(() => onFault(fault));
    }
  };
  let loading: Promise<void> | undefined;
  const refresh = (): Promise<void> | undefined => {
    if (since(triedAt) < cooldown) return loading;
    triedAt = now();
    return (loading = load());
  };

  return async (header, token) => {
    if (since(loadedAt) >= freshFor) await refresh();
    if (since(loadedAt) >= staleFor) throw new errors.JWKSNoMatchingKey();
    try {
      return await keys(header, token);
    } catch (fault) {
      if (!(fault instanceof errors.JWKSNoMatchingKey)) throw fault;
      // The issuer may have a new key.
      await refresh();
      return keys(header, token);
    }
  };
}

/** A `fetch` of a host that takes no notice of the signal must not hold up every token from then on. */
async function unlessAborted<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([ask(), aborted]);
}

/** The answer, read as far as a key set may reach; the rest is never read. */
async function bounded({ body, status }: Response): Promise<Response> {
  if (status !== 200) {
    await body?.cancel();
    throw new Error(`The key set address answered ${status}.`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const parts: ReadableStream<Uint8Array> | readonly Uint8Array[] = body ?? [];
  for await (const chunk of parts) {
    size += chunk.byteLength;
    if (size > maxKeySet) throw new Error(`The key set is larger than ${maxKeySet} bytes.`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks));
}
