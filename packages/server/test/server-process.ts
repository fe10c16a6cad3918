import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built program: `npm test` builds before it runs. */
export const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<ChildProcess>();

/** A run of the command-line program in an environment of its own: nothing of the test's leaks in but the path. */
export class CalendsProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ending>;
  #stdout = '';
  #stderr = '';
  #heard: () => void = () => undefined;

  constructor(words: readonly string[], variables: NodeJS.ProcessEnv, folder: string) {
    this.#child = spawn(process.execPath, [cli, ...words], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(this.#child);
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString();
      this.#heard();
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.ended = once(this.#child, 'close').then(([code]) => {
      running.delete(this.#child);
      this.#heard();
      return { code: code as number | null, stdout: this.#stdout, stderr: this.#stderr };
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  /** Resolves when the output matches; rejects when the process ends before. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#stdout);
      if (found !== null) return found;
      if (!running.has(this.#child)) throw new Error(`The process ended without a word of ${pattern}: ${this.#stderr}`);
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  /** The address in the line that says so. */
  async listening(): Promise<string> {
    const [, address = ''] = await this.says(/"address":"([^"]+)".*"msg":"listening"/);
    return address;
  }

  /** Reads no more of what it prints. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
  }

  signal(signal: NodeJS.Signals): Promise<Ending> {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** Starts `calends` with these words. */
export function calends(words: readonly string[], variables: NodeJS.ProcessEnv, folder: string): CalendsProcess {
  return new CalendsProcess(words, variables, folder);
}

/** Ends whatever a failed test left behind. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    }),
  );
}
