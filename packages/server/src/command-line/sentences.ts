import type { Command, CommanderError } from 'commander';
import { didYouMean } from '@calends/model';

/** What is wrong with a command line, as a sentence; `word` is the first that names no command. */
export function sentenceOf({ code, message }: CommanderError, line: Command, word: string | undefined): string {
  switch (code) {
    case 'commander.help':
    case 'commander.unknownCommand':
      return commandSentence(line, word);
    case 'commander.missingMandatoryOptionValue':
      return missingOption(line, /--[\w-]+/.exec(message)?.[0]);
    case 'commander.missingArgument':
      return `${pathOf(line)}: the ${/'(.+)'/.exec(message)?.[1] ?? 'word'} is missing`;
    case 'commander.invalidArgument':
      // What stands before repeats the value, which may itself say such words; what stands behind is a sentence of ours.
      return message.replace(/^[^]* is invalid(?: for argument '[^']*')?\. /, '');
    default:
      return sentence(message);
  }
}

/** What is wrong where a command below another one is meant; `word` is in its place. */
export function commandSentence(line: Command, word: string | undefined): string {
  const names = line.commands.map((each) => each.name());
  if (names.length === 0) return `${pathOf(line)}: there is no command below it`;
  const isWord = word !== undefined && !word.startsWith('-');
  const hint = isWord ? didYouMean(word, names) : '';
  if (line.parent !== null) return `${pathOf(line)}: must be ${alternatives(names)}${hint}`;
  return isWord ? `there is no such command${hint}` : 'a command is missing';
}

function missingOption(line: Command, flag: string | undefined): string {
  const choices = line.options.find(({ long }) => long === flag)?.argChoices;
  return `${flag ?? 'an option'} is missing${choices === undefined ? '' : `: ${choices.join(', ')}`}`;
}

function sentence(message: string): string {
  const [first = '', hint] = message.replace(/^error: /, '').split('\n');
  const capital = first.charAt(0).toUpperCase() + first.slice(1);
  return hint === undefined ? capital : `${capital}; ${hint.replace(/^\(Did(.*)\)$/, 'did$1')}`;
}

/** Its words behind `calends`. */
function pathOf(line: Command): string {
  const above = line.parent === null ? '' : pathOf(line.parent);
  return line.parent === null ? '' : `${above} ${line.name()}`.trim();
}

function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
