import { describe, it } from 'vitest';
import { type DatabaseKind, databaseKinds } from './databases.js';

/** Describes the same for every kind of database of some families; those that are missing here show as skipped. */
export function describeEach(
  subject: string,
  define: (kind: DatabaseKind) => void,
  families: readonly DatabaseKind['family'][] = ['sqlite', 'postgres', 'mysql'],
): void {
  for (const kind of databaseKinds.filter(({ family }) => families.includes(family))) {
    if (kind.missing === undefined) {
      describe(`${subject} on ${kind.name}`, () => {
        define(kind);
      });
    } else {
      // Named in the report; with CALENDS_REQUIRE_DATABASES=1 the run has failed before.
      describe.skip(`${subject} on ${kind.name} (${kind.missing})`, () => {
        it('is not shown here', () => undefined);
      });
    }
  }
}
