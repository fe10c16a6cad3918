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
  /** Tells the worker that something may be due. */
  readonly wakeWorkers: () => void;
}
