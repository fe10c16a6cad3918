import type { SchedulingStore, StoreCapabilities } from '@calends/core';

/** What a store must be capable of for a case to make sense. */
export type CaseRequirement = keyof StoreCapabilities;

/** A store that the suite works on. */
export interface OpenedStore {
  /** The store; after `reopen` the new instance. */
  readonly store: SchedulingStore;

  /**
   * Empties it: appointments, profiles, events, notifications, endpoints, requests, one-time passwords, tickets, the
   * audit record and its seals, of every organization, and the named keys.
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
  readonly store: SchedulingStore;
  readonly capabilities: StoreCapabilities;
  /** An organization that no other case uses. */
  readonly organizationId: string;
  /** Further organizations that no other case uses; the same name gives the same one. */
  readonly organization: (name: string) => string;
  readonly reopen: () => Promise<SchedulingStore>;
  readonly secondWriter: () => Promise<SchedulingStore>;
}

/** One sentence that every store must make true. */
export interface ConformanceCase {
  readonly name: string;
  readonly requires?: CaseRequirement;
  /** True for cases about operations that serve all organizations at once: claims and purges. */
  readonly emptyStore?: true;
  /** What a failure tells besides the name: the rule behind it, where the name alone does not lead there. */
  readonly rule?: string;
  /** Rejects when the store does not conform. */
  run(context: CaseContext): Promise<void>;
}

/** Cases about one subject. */
export interface ConformanceGroup {
  readonly name: string;
  readonly cases: readonly ConformanceCase[];
}
