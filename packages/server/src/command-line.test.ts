import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { linesOf, parseCommandLine, UsageError } from './command-line.js';
import { makeProgram } from './command-line/program.js';
import { environmentWords } from './configuration/environment-words.js';

const hour = 60 * 60_000;

describe('the command line', () => {
  it.each([
    [['serve'], { name: 'serve' }],
    [['migrate'], { name: 'migrate' }],
    [['openapi'], { name: 'openapi' }],
    [['--version'], { name: 'version' }],
    [['--help'], { name: 'help' }],
    [['help'], { name: 'help' }],
    [['help', 'token'], { name: 'help', text: expect.stringContaining('Usage: calends token') }],
    [
      ['help', 'notifications', 'retry'],
      { name: 'help', text: expect.stringContaining('Usage: calends notifications retry') },
    ],
    [
      ['notifications', 'help', 'endpoints', 'show'],
      { name: 'help', text: expect.stringMatching(/Usage: calends notifications endpoints show[^]*Examples:/) },
    ],
    [['notifications', 'retry', 'help'], { name: 'notifications', request: { action: 'retry', id: 'help' } }],
    [['help', '--help'], { name: 'help', text: expect.stringContaining('Usage: calends <command>') }],
    [['completion', 'zsh'], { name: 'completion', shell: 'zsh' }],
    [['serve', '--help'], { name: 'help', text: expect.stringContaining('Usage: calends serve') }],
    [['token', '--help'], { name: 'help' }],
    [['notifications', '--help'], { name: 'help' }],
    [['notifications', 'list', '--help'], { name: 'help' }],
    [
      [
        ...['notifications', 'list', '--application', 'a', '--status', 'FAILED', '--status', 'PENDING'],
        ...['--channel', 'SMS', '--page', '2', '--json'],
      ],
      {
        name: 'notifications',
        request: {
          action: 'list',
          applicationId: 'a',
          filters: { status: ['FAILED', 'PENDING'], channel: ['SMS'], pageNumber: '2' },
          json: true,
        },
      },
    ],
    [
      ['notifications', 'retry', 'n-1', '--organization', 'o'],
      { name: 'notifications', request: { action: 'retry', id: 'n-1', organizationId: 'o' } },
    ],
    [
      ['notifications', 'endpoints', 'list', '--application', 'a'],
      { name: 'notifications', request: { action: 'endpoints', step: 'list', applicationId: 'a', endpointId: '' } },
    ],
    [
      [
        'notifications',
        'endpoints',
        'replay',
        'crm',
        '--application',
        'a',
        '--since',
        '2030-01-01',
        '--organization',
        'o',
      ],
      {
        name: 'notifications',
        request: { step: 'replay', applicationId: 'a', endpointId: 'crm', since: '2030-01-01', organizationId: 'o' },
      },
    ],
    [
      ['services', 'import', 's.json', '--application', 'a'],
      {
        name: 'services',
        request: { action: 'import', file: 's.json', applicationId: 'a', organizationId: undefined },
      },
    ],
    [
      ['hours', 'import', 'a.ics', '--actor', 'b', '--organization', 'o'],
      { name: 'hours', request: { action: 'import', file: 'a.ics', actorId: 'b', organizationId: 'o' } },
    ],
    [
      ['notifications', 'list', '--application', 'a', '--page', '9007199254740991'],
      { name: 'notifications', request: { filters: { pageNumber: '9007199254740991' } } },
    ],
    [['hours', 'list', '--json'], { name: 'hours', request: { action: 'list', json: true } }],
    [
      ['availability', 's', '--agent', 'a', '--agent', 'b', '--from', '2030-05-06', '--why', '2030-05-06T09:00'],
      {
        name: 'availability',
        request: { serviceId: 's', agentIds: ['a', 'b'], from: '2030-05-06', why: '2030-05-06T09:00' },
      },
    ],
    [['token', '--role', 'ROLE_AGENT'], { name: 'token', request: { roles: ['ROLE_AGENT'], validFor: 12 * hour } }],
    [
      [
        ...['token', '--role', 'ROLE_AGENT', '--role', 'ROLE_SUPERVISOR', '--sub', 'agent-7', '--organization', 'o'],
        ...['--applications', 'a, b', '--conference', 'c', '--expires', 'PT1H'],
      ],
      {
        name: 'token',
        request: {
          roles: ['ROLE_AGENT', 'ROLE_SUPERVISOR'],
          sub: 'agent-7',
          organizationId: 'o',
          applicationIds: ['a', 'b'],
          conferenceId: 'c',
          validFor: hour,
        },
      },
    ],
  ])('the command line reads %j', (words, command) => {
    expect(parseCommandLine(words)).toMatchObject(command);
  });

  it.each([
    [[], 'a command is missing'],
    [['server'], 'there is no such command; did you mean serve?'],
    [['x'], 'there is no such command'],
    [['serve', '--port', '80'], "Unknown option '--port'"],
    [['serve', 'now'], "Too many arguments for 'serve'"],
    [['token', '--role', 'ROLE_AGENT', '--subb', 'a'], "Unknown option '--subb'; did you mean --sub?"],
    [['help', 'srve'], 'there is no such command; did you mean serve?'],
    [['help', 'notifications', 'bogus'], 'notifications: must be list, retry or endpoints'],
    [['help', 'notifications', 'retry', 'n-1'], 'notifications retry: there is no command below it'],
    [['notifications', 'help', 'lst'], 'did you mean list?'],
    [['help', '--color'], 'help: has no options'],
    [['completion'], 'completion: the shell is missing'],
    [['completion', 'zhs'], 'completion: must be one of bash, zsh, fish; did you mean zsh?'],
    [['notifications'], 'notifications: must be list, retry or endpoints'],
    [['notifications', 'endpoints'], 'notifications endpoints: must be list, show, enable, disable, test or replay'],
    [['notifications', 'endpoints', 'enabel', 'crm'], 'did you mean enable?'],
    [
      ['notifications', 'endpoints', 'enable', '--application', 'a'],
      'notifications endpoints enable: the id is missing',
    ],
    [['notifications', 'endpoints', 'enable', 'crm'], '--application is missing'],
    [['notifications', 'endpoints', 'replay', 'crm', '--application', 'a'], '--since is missing'],
    [['notifications', 'lst'], 'did you mean list?'],
    [['notifications', 'list'], '--application is missing'],
    [['notifications', 'list', '--application', 'a', '--color', 'red'], "Unknown option '--color'"],
    [['notifications', 'retry'], 'the id is missing'],
    [['notifications', 'retry', '--organization', 'o'], 'the id is missing'],
    [['services'], 'services: must be list or import'],
    [['services', 'list'], '--application is missing'],
    [['hours', 'import'], 'hours import: the file is missing'],
    [['availability'], 'availability: the service is missing'],
    [['availability', 's', '--from', 'Monday'], '--from: must be a date, YYYY-MM-DD'],
    [['availability', 's', '--why', 'noon'], '--why: must be ISO 8601'],
    [['token'], '--role is missing: ROLE_AGENT'],
    [['token', '--role', 'AGENT'], '--role: must be one of'],
    [['token', '--role', 'ROLE_AGNT'], 'did you mean ROLE_AGENT?'],
    [['token', '--role', 'ROLE_AGENT', '--sub', ''], '--sub: must have 1 to'],
    [['token', '--role', 'ROLE_AGENT', '--organization', 'a\u0000'], '--organization: must have 1 to'],
    [['token', '--role', 'ROLE_AGENT', '--applications', 'a,,b'], '--applications: must have 1 to'],
    [['notifications', 'list', '--application', ''], '--application: must have 1 to'],
    [['notifications', 'retry', ''], 'id: must have 1 to 64 characters, and no control characters'],
    [['notifications', 'endpoints', 'show', '', '--application', 'a'], 'id: must have 1 to 64 characters'],
    [['availability', ''], 'service: must have 1 to 64 characters'],
    [['hours', 'list', '--organization', ''], '--organization: must have 1 to 128 characters'],
    ...['0', '1.5', '9007199254740992'].map((page): [string[], string] => [
      ['notifications', 'list', '--application', 'a', '--page', page],
      '--page: must be a whole number from 1 to 9007199254740991',
    ]),
    [['token', '--role', 'ROLE_AGENT', '--expires', 'soon'], '--expires: must be an ISO 8601 duration'],
  ])('the command line refuses %j: %s', (words, message) => {
    expect(() => parseCommandLine(words)).toThrow(UsageError);
    expect(() => parseCommandLine(words)).toThrow(message);
  });

  it.each([
    [['completion', 'tcsh'], 'completion: must be one of bash, zsh, fish; did you mean bash?'],
    [['completion', "hunter2' is invalid. hunter2"], 'completion: must be one of bash, zsh, fish'],
    [['availability', 's', '--from', "hunter2' is invalid. hunter2"], '--from: must be a date, YYYY-MM-DD'],
  ])('the command line refuses %j in a sentence of its own, which does not repeat the word', (words, message) => {
    expect(() => parseCommandLine(words)).toThrow(expect.objectContaining({ message }));
  });

  it.each([
    [['token'], 'Usage: calends token'],
    [['token', '--role', 'AGENT'], 'Usage: calends token'],
    [['notifications'], 'Usage: calends notifications <command>'],
    [['notifications', 'list', '--aplication', 'a'], 'Usage: calends notifications list'],
    [['notifications', 'retry'], 'Usage: calends notifications retry'],
    [['sreve'], 'Usage: calends <command>'],
    [['help', 'notifications', 'bogus'], 'Usage: calends notifications <command>'],
  ])('the command line refuses %j with the usage of what was meant', (words, usage) => {
    expect(() => parseCommandLine(words)).toThrow(expect.objectContaining({ usage: expect.stringContaining(usage) }));
  });
});

const lines = linesOf(makeProgram(() => undefined)).map((line) => {
  const path = pathOf(line);
  return { path, line, name: ['calends', ...path].join(' ') };
});

function pathOf(line: Command): readonly string[] {
  return line.parent === null ? [] : [...pathOf(line.parent), line.name()];
}

function helpOf(path: readonly string[]): string {
  const command = parseCommandLine([...path, '--help']);
  return command.name === 'help' ? command.text : '';
}

describe('an id on the command line', () => {
  const takers = lines.flatMap(({ name, line }) => [
    ...line.options
      .filter(({ flags }) => /<id>|<a,b>/.test(flags))
      .map((taker) => ({ name, what: taker.flags, taker })),
    ...line.registeredArguments
      .filter((argument) => ['id', 'service'].includes(argument.name()))
      .map((taker) => ({ name, what: taker.name(), taker })),
  ]);

  it.each(takers)('no id is an empty word: $name refuses it for $what', ({ taker }) => {
    const read = taker.parseArg as ((word: string, before: unknown) => unknown) | undefined;
    expect(() => read?.('', undefined)).toThrow('must have 1 to');
  });
});

describe('the help', () => {
  it.each(lines)(
    'the help of $name is its own, with an example for each option and argument',
    ({ path, line, name }) => {
      const help = helpOf(path);
      expect(help).toContain(`Usage: ${name}`);
      const [, examples = ''] = help.split('Examples:');
      expect(examples).toContain(name);
      for (const { long } of line.options.filter((option) => option.long !== '--version')) {
        expect(examples).toContain(long);
      }
    },
  );

  it.each(
    lines.flatMap(({ name, line }) =>
      line.options.filter(({ long }) => long !== '--version').map((option) => ({ name, flag: option.long, option })),
    ),
  )('the help of $name says what $flag means, and what holds without it', ({ option }) => {
    expect(option.description).not.toBe('');
    const isTold = option.mandatory || option.defaultValue !== undefined || option.description.includes('(default: ');
    expect(isTold).toBe(true);
  });

  const reaching = ['DATABASE_URL', 'CALENDS_POOLER', 'CALENDS_ENGINE'];
  it.each<readonly [string, readonly string[]]>([
    ['migrate', ['DATABASE_URL', 'CALENDS_POOLER']],
    ['notifications list', reaching],
    ['notifications endpoints test', reaching],
    ['services list', reaching],
    ['hours import', reaching],
    ['availability', reaching],
  ])('the help of %s names what says how the database is reached: %j', (path, names) => {
    for (const name of names) expect(helpOf(path.split(' '))).toContain(`\n  ${name} `);
  });

  it('the help explains every variable of the environment, with default and example', () => {
    for (const path of [[], ['serve']]) {
      const help = helpOf(path).replace(/\s+/g, ' ');
      for (const [name, { meaning, usual = '', example }] of Object.entries(environmentWords)) {
        expect(help).toContain(`${name} ${meaning}`);
        expect(help).toContain(usual);
        expect(help).toContain(`for example ${name}=${example}`);
      }
    }
  });
});
