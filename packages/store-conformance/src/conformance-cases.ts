import type { ConformanceGroup } from './conformance-case.js';
import { concurrencyGroup } from './groups/concurrency.js';
import { countingGroup } from './groups/counting.js';
import { dueClaimsGroup } from './groups/due-claims.js';
import { durabilityGroup } from './groups/durability.js';
import { eligibleGroup } from './groups/eligible.js';
import { eventClaimsGroup } from './groups/event-claims.js';
import { eventsGroup } from './groups/events.js';
import { isolationGroup } from './groups/isolation.js';
import { listFiltersGroup } from './groups/list-filters.js';
import { naiveModelGroup } from './groups/naive-model.js';
import { listOrderGroup } from './groups/list-order.js';
import { lookalikesGroup } from './groups/lookalikes.js';
import { overlapGuardGroup } from './groups/overlap-guard.js';
import { profilesGroup } from './groups/profiles.js';
import { requestsGroup } from './groups/requests.js';
import { roundTripGroup } from './groups/round-trip.js';
import { severalProcessesGroup } from './groups/several-processes.js';
import { standingGroup } from './groups/standing.js';
import { writingGroup } from './groups/writing.js';

/** Every case that a store must pass, by subject. */
export const conformanceCases: readonly ConformanceGroup[] = [
  standingGroup,
  roundTripGroup,
  writingGroup,
  profilesGroup,
  lookalikesGroup,
  isolationGroup,
  listFiltersGroup,
  listOrderGroup,
  naiveModelGroup,
  eligibleGroup,
  countingGroup,
  overlapGuardGroup,
  requestsGroup,
  eventsGroup,
  dueClaimsGroup,
  eventClaimsGroup,
  concurrencyGroup,
  severalProcessesGroup,
  durabilityGroup,
];
