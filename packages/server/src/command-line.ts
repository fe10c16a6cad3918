import { type Command, CommanderError } from 'commander';
import type { Asked, Shell } from './command-line/asked.js';
import { makeProgram } from './command-line/program.js';
import { commandSentence, sentenceOf } from './command-line/sentences.js';
import { completionScript } from './command-line/completion.js';

/** A command line that is not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** How the command that was meant is written. */
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message);
    this.usage = usage;
  }
}

/**
 * Reads the command line.
 *
 * @throws UsageError for anything that is not understood
 */
export function parseCommandLine(words: readonly string[]): Asked {
  let asked: Asked | undefined;
  let text = '';
  const program = makeProgram((given) => {
    asked = given;
  });
  for (const line of linesOf(program)) {
    line.exitOverride().configureOutput({ writeOut: (part) => (text += part), writeErr: () => undefined });
  }
  const { line, rest } = lineOf(program, words);
  if (line.commands.length > 0 && rest[0] === 'help') {
    helpedLine(line, rest.slice(1)).outputHelp();
    return { name: 'help', text };
  }
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.version') return { name: 'version', text };
    if (error.exitCode === 0) return { name: 'help', text };
    throw new UsageError(sentenceOf(error, line, rest[0]), line.helpInformation());
  }
  if (asked === undefined) throw new Error('a command was read and asks for nothing');
  return asked;
}

/** A command with all below it. */
export function linesOf(line: Command): readonly Command[] {
  return [line, ...line.commands.flatMap(linesOf)];
}

/**
 * The command whose help is asked for behind `help`: the parser's own reads one word, and passes over the others.
 *
 * @throws UsageError for words that name no command
 */
function helpedLine(group: Command, words: readonly string[]): Command {
  const names = words.filter((word) => word !== '-h' && word !== '--help');
  const { line, rest } = lineOf(group, names);
  const [wrong] = rest;
  if (wrong === undefined) return line;
  const message = wrong.startsWith('-') ? 'help: has no options' : commandSentence(line, wrong);
  throw new UsageError(message, line.helpInformation());
}

/** The command that the first words name, and the words after them. */
function lineOf(
  program: Command,
  words: readonly string[],
): { readonly line: Command; readonly rest: readonly string[] } {
  const [first, ...rest] = words;
  const below = program.commands.find((each) => each.name() === first);
  return below === undefined ? { line: program, rest: words } : lineOf(below, rest);
}

/** `calends completion`: prints the script for a shell. */
export function completion(shell: Shell): void {
  process.stdout.write(
    completionScript(
      makeProgram(() => undefined),
      shell,
    ),
  );
}
