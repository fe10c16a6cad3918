import type { RoutingRegistry } from '../appointments/routing-registry.js';
import type { CustomerIdentity } from '../customers/identity.js';
import type { OneAtATime } from '../one-at-a-time.js';
import type { Ports } from '../ports/ports.js';
import type { Applications } from '../settings/applications.js';

/** What use cases work with: the ports, and what was built over them once. */
export interface UseCaseContext extends Ports {
  readonly applications: Applications;
  readonly routing: RoutingRegistry;
  readonly customerIdentity: CustomerIdentity;
  readonly oneAtATime: OneAtATime;
  /** How long a change waits for messages that are being sent while it takes them back, milliseconds. */
  readonly settleWait: number;
  /** Tells the worker that something may be due. */
  readonly wakeWorkers: () => void;
  /** Tells the delivery of notifications that something may be due. */
  readonly wakeDelivery: () => void;
}
