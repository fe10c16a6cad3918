import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { roles } from '@calends/core';
import { completionScript } from './completion.js';
import { makeProgram } from './program.js';

const program = makeProgram(() => undefined);

/** What bash offers where the cursor stands behind these words; the last one is begun. */
function bashOffers(words: readonly string[]): readonly string[] {
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _calends; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-uc', script, 'bash', 'calends', ...words], { encoding: 'utf8' });
  return output.split('\n').filter((word) => word !== '');
}

describe('the completion', () => {
  it.each<readonly [words: readonly string[], offers: readonly string[]]>([
    [['ser'], ['serve', 'services']],
    [['serve'], ['serve']],
    [['hours', 'i'], ['import']],
    [['availability', '--w'], ['--why']],
    [['tok'], ['token']],
    [['--v'], ['--version']],
    [['token', '--role', ''], roles],
    [['token', '--role', 'ROLE_AG'], ['ROLE_AGENT']],
    [['token', '--sub', ''], []],
    [['token', '--role', 'ROLE_AGENT', '--con'], ['--conference']],
    [['notifications', 'l'], ['list']],
    [['notifications', 'list', '--ch'], ['--channel']],
    [['notifications', 'endpoints', 'd'], ['disable']],
    [['notifications', 'list', '--channel', 'S'], ['SMS']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', '--help'],
    ],
    [['sreve', '--p'], []],
  ])('the completion of bash offers behind %j: %j', (words, offers) => {
    expect(bashOffers(words)).toEqual(offers);
  });

  it('the completion of bash evaluates nothing that was typed', () => {
    expect(bashOffers(['token', '--sub', '$(exit 3)', '--role', '`exit 3`ROLE_AG'])).toEqual([]);
  });

  it('the completion of zsh is that of bash, taken over', () => {
    expect(completionScript(program, 'zsh')).toBe(
      `autoload -U +X bashcompinit && bashcompinit\n${completionScript(program, 'bash')}`,
    );
  });

  it('the completion of zsh gives no name a value that zsh takes for its own', () => {
    const own = /\b(path|cdpath|fpath|manpath|argv|status|words|prompt|history|options|functions|commands)\+?=/;
    expect(completionScript(program, 'zsh')).not.toMatch(own);
  });

  it('the completion of fish has every command, option and word', () => {
    const script = completionScript(program, 'fish').split('\n');
    expect(script).toContain('complete -c calends -f');
    expect(script).toContainEqual(
      expect.stringMatching(/^complete -c calends -n '__fish_use_subcommand' -a serve -d /),
    );
    const inToken = "complete -c calends -n '__fish_seen_subcommand_from token'";
    expect(script).toContainEqual(expect.stringContaining(`${inToken} -l role -x -a '${roles.join(' ')}' -d `));
    const inGroup =
      "'__fish_seen_subcommand_from notifications; and not __fish_seen_subcommand_from list retry endpoints'";
    expect(script).toContainEqual(expect.stringContaining(`complete -c calends -n ${inGroup} -a retry -d `));
  });
});
