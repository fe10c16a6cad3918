import js from '@eslint/js';
import { readFileSync } from 'node:fs';
import tseslint from 'typescript-eslint';

const clockMessage = 'Time, randomness and identity are ports (architecture, rule 5): take the Clock or Ids port.';

const processRestrictions = [
  { object: 'process', property: 'exit', message: 'Only the server decides when the process ends.' },
  { object: 'process', property: 'on', message: 'Only the server listens to the process.' },
  { object: 'process', property: 'once', message: 'Only the server listens to the process.' },
];

const clockRestrictions = [
  { object: 'Date', property: 'now', message: clockMessage },
  { object: 'Math', property: 'random', message: clockMessage },
  { object: 'crypto', property: 'randomUUID', message: clockMessage },
  { object: 'crypto', property: 'getRandomValues', message: clockMessage },
  { object: 'performance', property: 'now', message: clockMessage },
];

const waitMessage =
  'A wait that its test leaves behind looks on in the next file, and each look moves the fake clock there: await what happens, or poll in a bounded loop.';

const waitRestrictions = [
  { object: 'vi', property: 'waitFor', message: waitMessage },
  { object: 'vi', property: 'waitUntil', message: waitMessage },
  { object: 'expect', property: 'poll', message: waitMessage },
];

const dateFnsTz = {
  name: 'date-fns-tz',
  message:
    'date-fns-tz depends on the zone of the process near DST changes: convert through time/time-zone.ts of model.',
};

const readsSystem = [
  { name: 'node:crypto', importNames: ['randomUUID', 'randomBytes', 'randomInt'], message: clockMessage },
  { name: 'crypto', importNames: ['randomUUID', 'randomBytes', 'randomInt'], message: clockMessage },
];

const bareExport = { selector: 'ExportAllDeclaration', message: 'Name what is exported: no `export *`.' };
const bareDate = { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: clockMessage };
const bareDateCall = { selector: 'CallExpression[callee.name="Date"]', message: clockMessage };
const zodByName = {
  selector: 'ImportDeclaration[source.value="zod"] > ImportSpecifier[imported.name="z"]',
  message: 'Write `import * as z`: bundlers then leave out what is not used, its languages above all (356 kB of core).',
};
const [, channels = ''] =
  /notificationChannels = \[(.*?)\]/.exec(readFileSync('packages/model/src/sets.ts', 'utf8')) ?? [];
const channelByName = {
  selector: `Literal[value=/^(${channels.replaceAll(/'| /g, '').replaceAll(',', '|')})$/]`,
  message:
    'Ask for what is so of a channel, not for its name: facts stand in settings/channels.ts, what it does in delivery/channels/.',
};
// The CommonJS build puts what stands behind `??` into a function of its own, where no `yield` may be.
const lazyYield = {
  selector: "LogicalExpression[operator='??'] > YieldExpression.right",
  message: 'Ask with `if` or `? :`: the CommonJS build of this is no JavaScript.',
};
// The engine gives each object with a getter of its own a shape of its own, and what the getter closes over lives until the next full collection (ADR 0107).
const accessorInLiteral = {
  selector: "ObjectExpression > Property[kind='get']",
  message: 'Make a class: a getter in a literal is another one each time, and keeps its call alive.',
};
const enumDeclaration = { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' };

const everywhere = [bareExport, zodByName, enumDeclaration, lazyYield];
const inSources = [...everywhere, accessorInLiteral];

const tests = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.ts',
  'docs/**/*.ts',
  'scripts/**/*.test.ts',
  'lab/**/*.ts',
];

export default tseslint.config(
  {
    ignores: ['**/dist/**', '**/node_modules/**', 'coverage/**', 'reports/**', 'docs-site/**', 'data/**'],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    // Rules that need types are in .oxlintrc.json.
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-syntax': ['error', ...everywhere],
      'no-restricted-imports': ['error', { paths: [dateFnsTz] }],
      'no-restricted-properties': ['error', ...processRestrictions],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...inSources] },
  },
  {
    files: ['packages/{core,model}/src/**/*.ts'],
    ignores: ['packages/core/src/ports/{clock,random}.ts', 'packages/core/src/support/*.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...inSources, bareDate, bareDateCall],
      'no-restricted-imports': ['error', { paths: [dateFnsTz, ...readsSystem] }],
      'no-restricted-properties': ['error', ...processRestrictions, ...clockRestrictions],
    },
  },
  {
    files: ['packages/core/src/**/*.ts'],
    ignores: [
      'packages/core/src/settings/channels.ts',
      'packages/core/src/delivery/channels/*.ts',
      'packages/core/src/ports/notifier.ts',
      'packages/core/src/ports/{clock,ids,random,secure-random}.ts',
      'packages/core/src/support/*.ts',
      '**/*.test.ts',
    ],
    rules: {
      'no-restricted-syntax': ['error', ...inSources, bareDate, bareDateCall, channelByName],
    },
  },
  {
    files: ['packages/model/src/time/time-zone.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'date-fns-tz',
              allowImportNames: ['formatInTimeZone'],
              message: 'Only the offset of formatInTimeZone is right in every process zone.',
            },
            ...readsSystem,
          ],
        },
      ],
    },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    // One reason to exist: longer than this, a file has two.
    rules: { 'max-lines': ['error', 350] },
  },
  {
    // The process of the server: it alone listens to signals, to others of its kind, and ends.
    files: ['packages/server/src/cli.ts', 'packages/server/src/{process,processes}/**/*.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: tests,
    rules: {
      // What is not there fails the test, and says where.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-properties': ['error', ...waitRestrictions],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...['process', 'console', 'URL', 'Buffer', 'fetch', 'performance', 'crypto', 'structuredClone'],
          ...['setTimeout', 'clearTimeout', 'setImmediate', 'setInterval', 'clearInterval', 'queueMicrotask'],
          ...['AbortController', 'AbortSignal', 'TextEncoder', 'TextDecoder', 'module', 'require', '__dirname'],
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
