import type { AddHelpTextContext, Command } from 'commander';
import { environmentWords } from '../configuration/environment-words.js';

/** A variable of the environment. */
export type VariableName = keyof typeof environmentWords;

/** How a command that works on the database reaches it. */
export const databaseVariables = ['DATABASE_URL', 'CALENDS_POOLER', 'CALENDS_ENGINE'] as const;

const widest = 28;

/** Lines that work when they are pasted, at the end of a command's help. */
export function addExamples(line: Command, examples: readonly string[]): void {
  line.addHelpText('after', `\nExamples:\n${examples.map((each) => `  ${each}`).join('\n')}`);
}

/** Explains the variables that a command reads, at the end of its help. */
export function addVariables(line: Command, names: readonly VariableName[]): void {
  line.addHelpText('after', ({ error, command }: AddHelpTextContext) => {
    const help = command.createHelp();
    help.prepareContext({ error });
    return `\nEnvironment:\n${names.map((name) => help.formatItem(name, widest, wordsOf(name), help)).join('\n')}`;
  });
}

function wordsOf(name: VariableName): string {
  const { meaning, usual, example } = environmentWords[name];
  return `${meaning}${usual === undefined ? '' : ` (default: ${usual})`}; for example ${name}=${example}`;
}
