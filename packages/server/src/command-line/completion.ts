import { Argument, type Command, InvalidArgumentError, type Option } from 'commander';
import { didYouMean } from '@calends/model';
import { addExamples } from './help-texts.js';
import { type Ask, type Shell, shells } from './asked.js';

/** `calends completion`. */
export function addCompletion(program: Command, ask: Ask): void {
  const line = program
    .command('completion')
    .description('print what makes a shell complete the words of calends')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells).argParser(shellOf))
    .action((shell: Shell) => {
      ask({ name: 'completion', shell });
    });
  addExamples(line, [
    'source <(calends completion bash)     # in ~/.bashrc',
    'source <(calends completion zsh)      # in ~/.zshrc, behind compinit',
    'calends completion fish | source      # in ~/.config/fish/config.fish',
  ]);
}

function shellOf(word: string): Shell {
  const shell = shells.find((known) => known === word);
  if (shell !== undefined) return shell;
  throw new InvalidArgumentError(`completion: must be one of ${shells.join(', ')}${didYouMean(word, shells)}`);
}

/**
 * The completion of a program for a shell.
 *
 * It is fixed text made of the commands and options: completing starts no program, and evaluates nothing that was typed.
 */
export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program);
  switch (shell) {
    case 'bash':
      return bashScript(places);
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(places)}`;
    case 'fish':
      return fishScript(places);
  }
}

/** A command as completion sees it. */
interface Place {
  /** Words behind `calends`. */
  readonly path: readonly string[];
  /** What could stand in the place of its last word. */
  readonly beside: readonly string[];
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
  /** What its first argument can be. */
  readonly words: readonly string[];
}

function placesOf(line: Command, path: readonly string[] = [], beside: readonly string[] = []): readonly Place[] {
  const options = line.createHelp().visibleOptions(line);
  const words = line.registeredArguments[0]?.argChoices ?? [];
  const { commands } = line;
  const below = commands.flatMap((each) => {
    const others = commands.filter((other) => other !== each).map((other) => other.name());
    return placesOf(each, [...path, each.name()], others);
  });
  return [{ path, beside, commands, options, words }, ...below];
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;
const flagOf = ({ long, short }: Option): string => long ?? short ?? '';
const keyOf = (path: readonly string[]): string => `'${path.map((word) => ` ${word}`).join('')}'`;

function bashScript(places: readonly Place[]): string {
  const values = places.flatMap(({ path, options }) =>
    options.filter(takesValue).map((option) => {
      const reply = option.argChoices === undefined ? '' : `${replyWith(option.argChoices)}; `;
      return `    ${keyOf([...path, flagOf(option)])}) ${reply}return ;;`;
    }),
  );
  const words = places.map(({ path, commands, options, words: first }) => {
    const all = [...commands.map((each) => each.name()), ...first, ...options.map(flagOf)];
    return `    ${keyOf(path)}) ${replyWith(all)} ;;`;
  });
  const paths = places.filter(({ path }) => path.length > 0).map(({ path }) => keyOf(path));
  return `# Completion of calends, made by \`calends completion\`.
_calends() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" place='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place \${COMP_WORDS[i]}" in
      ${paths.join('|')}) place="$place \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$place $before" in
${values.join('\n')}
  esac
  case "$place" in
${words.join('\n')}
  esac
}
complete -F _calends calends
`;
}

function replyWith(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word"))`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const condition = `-n ${fishText(fishCondition(place))}`;
    return [
      ...place.commands.map(
        (each) =>
          `complete -c calends ${condition} -a ${each.name()} -d ${fishText(each.summary() || each.description())}`,
      ),
      ...(place.words.length === 0 ? [] : [`complete -c calends ${condition} -a ${fishText(place.words.join(' '))}`]),
      ...place.options.map((option) => {
        const value = takesValue(option) ? ` -x -a ${fishText((option.argChoices ?? []).join(' '))}` : '';
        return `complete -c calends ${condition} -l ${flagOf(option).slice(2)}${value} -d ${fishText(option.description)}`;
      }),
    ];
  });
  return `# Completion of calends, made by \`calends completion\`.\ncomplete -c calends -f\n${lines.join('\n')}\n`;
}

function fishCondition({ path, beside, commands }: Place): string {
  if (path.length === 0) return '__fish_use_subcommand';
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  // In a group, a word may be that of another command further down: `notifications endpoints list`.
  const elsewhere = [...(path.length > 1 ? beside : []), ...commands.map((each) => each.name())].join(' ');
  return [...seen, ...(elsewhere === '' ? [] : [`not __fish_seen_subcommand_from ${elsewhere}`])].join('; and ');
}

function fishText(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
