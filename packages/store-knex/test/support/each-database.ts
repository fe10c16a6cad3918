import { describe, it } from 'vitest';
import { type DatabaseKind, databaseKinds } from './databases.js';

/** Kinds of databases that cases are about; others have nothing to show, and no case. */
export interface Which {
  /** All, unless told. */
  readonly families?: readonly DatabaseKind['family'][];
  /** Only those that several connections share. */
  readonly shared?: true;
  /** Only those that outlive their connections. */
  readonly durable?: true;
  /** Only those that other processes reach by their address. */
  readonly addressed?: true;
}

const everyFamily: readonly DatabaseKind['family'][] = ['sqlite', 'postgres', 'mysql'];

const can = (kind: DatabaseKind, { shared, durable, addressed }: Which): boolean =>
  (shared === undefined || kind.shared) &&
  (durable === undefined || kind.durable) &&
  (addressed === undefined || kind.addressed);

/** Describes the same for every kind of database that it is about; those that are missing here show as skipped. */
export function describeEach(subject: string, define: (kind: DatabaseKind) => void, which: Which = {}): void {
  const { families = everyFamily } = which;
  for (const kind of databaseKinds.filter(({ family }) => families.includes(family))) {
    if (kind.missing === undefined && can(kind, which)) {
      describe(`${subject} on ${kind.name}`, () => {
        define(kind);
      });
      continue;
    }
    const missing = kind.missing ?? kind.inPlaceOfServer;
    if (missing === undefined) continue;
    // Named in the report; with CALENDS_REQUIRE_DATABASES=1 the run has failed before.
    describe.skip(`${subject} on ${kind.name} (${missing})`, () => {
      it('this database is not shown here', () => undefined);
    });
  }
}
