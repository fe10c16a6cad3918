import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Between the starts of two fetches, failed ones included (threats: Input, token). */
const cooldown = 30_000;
/** A key set this old is fetched anew when it is next needed. */
const freshFor = 10 * 60_000;
/** While the address does not answer, the last key set serves so long. */
const staleFor = 24 * 60 * 60_000;
const fetchTimeout = 5_000;
const longestKeySet = 256 * 1024;

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
export function jwksKeys(source: JwksSource): JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    try {
      keys = createLocalJWKSet(await fetchKeySet(source));
      loadedAt = source.now();
    } catch (fault) {
      report(source, fault);
    } finally {
      pending = undefined;
    }
  };
  const refresh = (): Promise<void> => {
    if (pending === undefined && source.now() - triedAt >= cooldown) {
      triedAt = source.now();
      pending = load();
    }
    return pending ?? Promise.resolve();
  };

  return async (header, token) => {
    if (source.now() - loadedAt >= freshFor) await refresh();
    if (keys === undefined || source.now() - loadedAt >= staleFor) throw new errors.JWKSNoMatchingKey();
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

/** The host's hook must not be able to take the last key set away. */
function report({ onFault }: JwksSource, fault: unknown): void {
  try {
    onFault(fault);
  } catch {
    // Nobody is left to tell.
  }
}

async function fetchKeySet(source: JwksSource): Promise<JSONWebKeySet> {
  const { url, fetch } = source;
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json, application/jwk-set+json' },
    signal: AbortSignal.timeout(fetchTimeout),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`The key set address answered ${response.status}.`);
  }
  const keySet: unknown = JSON.parse(await readText(response.body));
  if (typeof keySet !== 'object' || keySet === null) throw new Error('The key set is not a JSON object.');
  // createLocalJWKSet checks the rest and throws.
  return keySet as JSONWebKeySet;
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > longestKeySet) throw new Error(`The key set is larger than ${longestKeySet} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
