import type { ChildProcess } from 'node:child_process';

/** A connection as `node:cluster` hands it to another process; its `fd` is below 0 once it is closed here. */
interface Handle {
  readonly fd?: number | undefined;
  close?(): void;
}

/**
 * The connections that a process was handed and has not taken: `node:cluster` closes its own side of one when the other has it, and keeps
 * it for ever where that one dies before. Whoever is at the end of it would wait as long.
 */
export class HandedOut {
  readonly #handles = new Set<Handle>();

  constructor(process: Pick<ChildProcess, 'send'>) {
    const send = process.send.bind(process) as (...given: readonly unknown[]) => boolean;
    process.send = (...given: readonly unknown[]): boolean => {
      const [, handle] = given;
      if (typeof handle === 'object' && handle !== null) this.#keep(handle);
      return send(...given);
    };
  }

  /** The process is gone: ends what it has not taken, so that its clients hear of it. */
  end(): void {
    for (const handle of this.#handles) handle.close?.();
    this.#handles.clear();
  }

  #keep(handle: Handle): void {
    for (const earlier of this.#handles) if ((earlier.fd ?? -1) < 0) this.#handles.delete(earlier);
    this.#handles.add(handle);
  }
}
