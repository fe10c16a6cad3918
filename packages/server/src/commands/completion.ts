import { completionScript, type Shell } from '../command-line/completion.js';
import { makeProgram } from '../command-line/program.js';

/** `calends completion`: prints the script for a shell. */
export function completion(shell: Shell): void {
  process.stdout.write(
    completionScript(
      makeProgram(() => undefined),
      shell,
    ),
  );
}
