import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { signWebhook } from '@calends/notifier-webhook';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../packages/server/src/command-line.js';
import { codeBlocks, filesLike, markdownFiles, read } from './documents.js';

const blocks = markdownFiles().flatMap(({ path, text }) =>
  codeBlocks(text).map((block) => ({ ...block, place: `${path}:${String(block.line)}` })),
);
const inLanguage = (language: string) => blocks.filter((block) => block.language === language);
const pythonGuide = 'docs/guides/receive-web-hooks.md';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

describe('a block of code', () => {
  it('a block of code is of a kind that some test knows what to do with', () => {
    // ts: examples.test.ts, running-examples.test.ts; json: configuration.test.ts, errors.test.ts; sh and python: below; text: nothing that runs.
    const known = ['ts', 'json', 'sh', 'python', 'text'];
    expect(blocks.filter(({ language }) => !known.includes(language)).map(({ place }) => place)).toEqual([]);
  });

  it.each(inLanguage('json'))('a block of code is JSON: $place', ({ code }) => {
    expect(() => JSON.parse(code) as unknown).not.toThrow();
  });
});

describe('a command of a guide', () => {
  const manifests = filesLike(/^(packages\/[^/]+\/)?package\.json$/).map((path) => JSON.parse(read(path)) as Manifest);
  const packages = new Set(
    manifests.flatMap(({ name, ...all }) => [
      name,
      ...[all.dependencies, all.devDependencies, all.peerDependencies].flatMap((each) => Object.keys(each ?? {})),
    ]),
  );
  const scripts = Object.keys((JSON.parse(read('package.json')) as { readonly scripts: object }).scripts);
  // A quoted text may go on over several lines; variables in front are for the command only.
  const commands = inLanguage('sh').flatMap(({ code, place }) =>
    Array.from(code.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|[^\n'])+/g), ([command]) => ({
      place,
      command: command.replace(/\s+#.*$/, '').replace(/^([A-Z_]+=\w+ )+/, ''),
    })).filter(({ command }) => !command.startsWith('#')),
  );

  it.each(commands)('a command of a guide is one that exists: $command ($place)', ({ command, place }) => {
    const [program, verb = '', ...rest] = command.split(/\s+/);
    if (program === 'npm' && verb === 'install') {
      expect(rest.filter((name) => !name.startsWith('-') && !packages.has(name))).toEqual([]);
    } else if (program === 'npm') {
      expect(scripts).toContain(verb === 'run' ? rest[0] : verb);
    } else if (program === 'npx' || program === 'calends') {
      const [command, ...words] = program === 'npx' ? [verb, ...rest] : ['calends', verb, ...rest];
      expect(command).toBe('calends');
      expect(() => parseCommandLine(words)).not.toThrow();
    } else {
      // These are carried out by getting-started.test.ts, one after the other.
      expect(place).toMatch(/^docs\/guides\/getting-started\.md:/);
      expect(command).toMatch(/^(curl |[A-Z]+=)/);
    }
  });
});

describe('a command in a sentence or a table', () => {
  // One without options is the name of a command, and what it needs is told beside it. What was wrong before stands in the changelog.
  const commands = markdownFiles()
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/`calends ([^`\n]* --[^`\n]*)`/g), ([, words = '']) => ({ path, words })),
    );

  it.each(commands)('a command in a sentence or a table runs as it is written: calends $words ($path)', ({ words }) => {
    expect(() => parseCommandLine(words.split(/\s+/))).not.toThrow();
  });
});

describe('the Python of the guide of web hooks', () => {
  const [code = ''] = inLanguage('python').map((block) => block.code);

  it('the Python of the guide of web hooks takes what the library signs, and nothing else', async (test) => {
    expect(inLanguage('python').map(({ place }) => place)).toEqual([expect.stringContaining(pythonGuide)]);
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const timestamp = Math.floor(Date.now() / 1000);
    const body = '{"id":"n-1"}';
    const signature = signWebhook({ id: 'n-1', timestamp, body, secret });
    const headers = { 'webhook-id': 'n-1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
    const late = { ...headers, 'webhook-timestamp': String(timestamp - 600) };
    const calls = [
      [headers, body],
      [headers, `${body} `],
      [late, body],
    ];
    const program = [
      code,
      'import json, sys',
      'secret, calls = json.loads(sys.argv[1])',
      'print([is_ours(secret, headers, body.encode()) for headers, body in calls])',
    ].join('\n');
    const run = promisify(execFile)('python3', ['-c', program, JSON.stringify([secret, calls])]);
    const { stdout } = await run.catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') test.skip('there is no python3 here');
      throw error;
    });
    expect(stdout.trim()).toBe('[True, False, False]');
  });
});
