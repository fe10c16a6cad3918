import type { SchedulingStore, StoreCapabilities } from '@calends/core/store';
import { type Words, words } from './fixtures/words.js';
import type { Rule } from './rules.js';

/** What a store must be capable of for a case to make sense. */
export type CaseRequirement = keyof StoreCapabilities;

/** A store that the suite works on. */
export interface OpenedStore {
  /** The store; after `reopen` the new instance. */
  readonly store: SchedulingStore;

  /**
   * Empties it: appointments, profiles, events, notifications, endpoints, requests, one-time passwords, tickets, the
   * audit record and its seals, services, hours, exceptions and holds, of every organization, the named keys, and who has which job.
   */
  reset(): Promise<void>;

  /** Ends the store and opens its data again, as after a restart; needed when `durable`. */
  reopen?(): Promise<SchedulingStore>;

  /**
   * A second, independent store on the same data, as another process would open it; needed when
   * `sharedBetweenProcesses`. Ended by `close`.
   */
  secondWriter?(): Promise<SchedulingStore>;

  /** Ends everything that was opened. */
  close(): Promise<void>;
}

/** Gives the suite a store to work on. */
export interface ConformanceHarness {
  /**
   * What can be shown here; cases that require more appear as skipped. May be less than the store's own
   * capabilities, for example where the test database runs inside the test process, never more.
   */
  readonly capabilities: StoreCapabilities;

  /** Opens an empty store; called once for the whole suite, whose cases run one after another. */
  open(): Promise<OpenedStore>;
}

/** What a case works with. */
export interface CaseContext {
  readonly capabilities: StoreCapabilities;
  /** How far the store is to conform. */
  readonly upTo: ConformanceLevel;
  /** Organizations that no other case uses, beside its own; the same name gives the same one. */
  readonly organization: (name: string) => string;
  readonly reopen: () => Promise<SchedulingStore>;
  readonly secondWriter: () => Promise<SchedulingStore>;
}

/** What a store offers, in the order in which it may be written: each level builds on those before it. The last two are optional. */
export const conformanceLevels = [
  'appointments',
  'requests',
  'customers',
  'events',
  'notifications',
  'audit',
  'keys',
  'availability',
  'retention',
] as const;

/** Levels that a store may lack as a whole. */
export const optionalLevels = ['availability', 'retention'] as const satisfies readonly ConformanceLevel[];

/** Tells whether a store has what a level is about. */
export const hasLevel = (store: SchedulingStore, level: ConformanceLevel): boolean =>
  !(optionalLevels as readonly ConformanceLevel[]).includes(level) || store[level] !== undefined;

/** One of the subjects of a store, with everything before it. */
export type ConformanceLevel = (typeof conformanceLevels)[number];

/** One sentence that every store must make true. */
export interface ConformanceCase extends Case {
  /** The sentence of the guide that it shows. */
  readonly rule: Rule;
  /** It needs nothing of the levels after this one. */
  readonly level: ConformanceLevel;
  readonly requires?: CaseRequirement | undefined;
  /** True for cases about operations that serve all organizations at once: claims and purges. */
  readonly emptyStore?: true | undefined;
}

/** Cases about one subject. */
export interface ConformanceGroup {
  readonly name: string;
  readonly cases: readonly ConformanceCase[];
}

/** A case before it is known where it stands. */
export interface Case {
  readonly name: string;
  /** Rejects when the store does not conform. */
  readonly run: (store: SchedulingStore, organizationId: string, context: CaseContext) => Promise<void> | void;
}

/** What all cases up to the next heading have in common; its level is that of the group unless told otherwise. */
type Heading = Pick<ConformanceCase, 'rule' | 'requires' | 'emptyStore'> & { readonly level?: ConformanceLevel };

/** A case: a sentence, and how it is shown; `a` has the fixtures of its organization. */
export const it = (
  name: string,
  run: (store: SchedulingStore, a: Words, organizationId: string, context: CaseContext) => ReturnType<Case['run']>,
): Case => ({
  name,
  run: (store, organizationId, context) => run(store, words(organizationId), organizationId, context),
});

/** Cases about one subject, each below the heading that it belongs to. */
export function group(name: string, list: readonly (Heading | Case)[]): (level: ConformanceLevel) => ConformanceGroup {
  return (level) => {
    let heading: Heading = { rule: 'standing' };
    const cases = list.flatMap((each): readonly ConformanceCase[] => {
      if ('run' in each) return [{ level, ...heading, ...each }];
      heading = each;
      return [];
    });
    return { name, cases };
  };
}
