import type { EndpointKey, EndpointState } from '@calends/core/store';
import { compositeKey } from './composite-key.js';
import { sealedCopy } from './sealed-copy.js';

const keyOf = ({ organizationId, applicationId, endpointId, addressHash }: EndpointKey): string =>
  compositeKey(organizationId, applicationId, endpointId, addressHash);

/** How deliveries to web hook endpoints have gone. */
export class Endpoints {
  readonly #states = new Map<string, EndpointState>();

  find(key: EndpointKey): EndpointState | undefined {
    return this.#states.get(keyOf(key));
  }

  put(key: EndpointKey, state: EndpointState): void {
    this.#states.set(keyOf(key), sealedCopy(state));
  }
}
