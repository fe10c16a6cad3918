/** What one pass of the worker did. */
export interface WorkerPass {
  /** Appointments activated, ended as no-show, or aborted. */
  readonly appointments: number;
  /** Events handed to subscribers. */
  readonly events: number;
}

/** How the workers are doing, for health pages. */
export interface WorkerHealth {
  readonly running: boolean;
  /** End of the last complete pass, epoch milliseconds; absent before the first. */
  readonly lastPassAt?: number | undefined;
}

/** The background work: automatic activation, no-shows, aborts, the event relay, clean-up. */
export interface Workers {
  /** Begins to run until `stop`; a second call does nothing. */
  start(): void;
  /** Claims nothing more and waits for what is under way. */
  stop(): Promise<void>;
  /** Does all that is due now and answers what it did; for hosts that call it from a cron. */
  runOnce(): Promise<WorkerPass>;
  /** Hints that there is work; never needed for correctness. */
  wake(): void;
  /** How the workers are doing. */
  health(): WorkerHealth;
}
