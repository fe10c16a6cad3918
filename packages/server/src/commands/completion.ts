import { completionScript } from '../command-line/completion.js';
import { makeProgram } from '../command-line/program.js';
import type { Shell } from '../command-line/shells.js';

/** `calends completion`: prints the script for a shell. */
export function completion(shell: Shell): void {
  process.stdout.write(
    completionScript(
      makeProgram(() => undefined),
      shell,
    ),
  );
}
