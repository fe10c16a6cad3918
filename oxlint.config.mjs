import { readFileSync } from 'node:fs';

/** Every rule of the list, as an error. */
const on = (prefix, ...rules) => Object.fromEntries(rules.map((rule) => [prefix + rule, 'error']));

/** What is no sense in JavaScript, typed or not. */
const sense = on(
  '',
  ...['constructor-super', 'for-direction', 'getter-return', 'no-async-promise-executor', 'no-case-declarations'],
  ...['no-class-assign', 'no-compare-neg-zero', 'no-cond-assign', 'no-const-assign', 'no-constant-binary-expression'],
  ...['no-constant-condition', 'no-control-regex', 'no-debugger', 'no-delete-var', 'no-dupe-class-members'],
  ...[
    'no-dupe-else-if',
    'no-dupe-keys',
    'no-duplicate-case',
    'no-empty',
    'no-empty-character-class',
    'no-empty-pattern',
  ],
  ...['no-empty-static-block', 'no-ex-assign', 'no-extra-boolean-cast', 'no-fallthrough', 'no-func-assign'],
  ...['no-global-assign', 'no-import-assign', 'no-invalid-regexp', 'no-irregular-whitespace', 'no-loss-of-precision'],
  ...['no-misleading-character-class', 'no-new-native-nonconstructor', 'no-nonoctal-decimal-escape', 'no-obj-calls'],
  ...['no-prototype-builtins', 'no-regex-spaces', 'no-self-assign', 'no-setter-return', 'no-shadow-restricted-names'],
  ...['no-sparse-arrays', 'no-this-before-super', 'no-unassigned-vars', 'no-unexpected-multiline', 'no-unreachable'],
  ...['no-unsafe-finally', 'no-unsafe-negation', 'no-unsafe-optional-chaining', 'no-unused-labels'],
  ...['no-unused-private-class-members', 'no-unused-vars', 'no-useless-assignment', 'no-useless-backreference'],
  ...['no-useless-catch', 'no-useless-escape', 'no-with', 'preserve-caught-error', 'require-yield', 'use-isnan'],
  'valid-typeof',
);

const typescript = {
  ...on('', 'eqeqeq', 'no-console', 'no-var', 'prefer-const', 'prefer-rest-params', 'prefer-spread'),
  ...on('', 'no-array-constructor', 'no-unused-expressions', 'no-useless-constructor'),
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
  ...on(
    'typescript/',
    ...['ban-ts-comment', 'consistent-type-imports', 'no-duplicate-enum-values', 'no-dynamic-delete'],
    ...['no-empty-object-type', 'no-explicit-any', 'no-extra-non-null-assertion', 'no-extraneous-class'],
    ...['no-invalid-void-type', 'no-misused-new', 'no-namespace', 'no-non-null-asserted-nullish-coalescing'],
    ...['no-non-null-asserted-optional-chain', 'no-non-null-assertion', 'no-require-imports', 'no-this-alias'],
    ...['no-unnecessary-type-constraint', 'no-unsafe-declaration-merging', 'no-unsafe-function-type'],
    ...['no-wrapper-object-types', 'prefer-as-const', 'prefer-literal-enum-member', 'prefer-namespace-keyword'],
    ...['triple-slash-reference', 'unified-signatures'],
  ),
};

/** Checked by the compiler in Go: seconds instead of minutes (ADR 0096). */
const typed = {
  ...on(
    'typescript/',
    ...['await-thenable', 'consistent-type-exports', 'no-array-delete', 'no-base-to-string', 'no-deprecated'],
    ...['no-duplicate-type-constituents', 'no-floating-promises', 'no-for-in-array', 'no-generated-empty-object-type'],
    ...[
      'no-implied-eval',
      'no-meaningless-void-operator',
      'no-misused-promises',
      'no-misused-spread',
      'no-mixed-enums',
    ],
    ...['no-redundant-type-constituents', 'no-unnecessary-boolean-literal-compare', 'no-unnecessary-condition'],
    ...['no-unnecessary-template-expression', 'no-unnecessary-type-arguments', 'no-unnecessary-type-assertion'],
    ...['no-unnecessary-type-conversion', 'no-unnecessary-type-parameters', 'no-unsafe-argument'],
    ...['no-unsafe-assignment', 'no-unsafe-call', 'no-unsafe-enum-assignment', 'no-unsafe-enum-comparison'],
    ...['no-unsafe-member-access', 'no-unsafe-return', 'no-unsafe-unary-minus', 'no-useless-default-assignment'],
    ...['only-throw-error', 'prefer-promise-reject-errors', 'prefer-reduce-type-parameter', 'prefer-return-this-type'],
    ...['related-getter-setter-pairs', 'require-await', 'unbound-method', 'use-unknown-in-catch-callback-variable'],
  ),
  'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  'typescript/restrict-plus-operands': [
    'error',
    { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
  ],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  'typescript/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
  ],
};

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
  // What tests of several packages share.
  'scripts/{sample-event,unhandled}.ts',
  'lab/**/*.ts',
];

const syntax = (...forbidden) => ({ 'eslint-js/no-restricted-syntax': ['error', ...forbidden] });
const imports = (...paths) => ({ 'no-restricted-imports': ['error', { paths }] });
const properties = (...restricted) => ({ 'no-restricted-properties': ['error', ...restricted] });

export default {
  plugins: ['typescript'],
  jsPlugins: [{ name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
  categories: { correctness: 'off' },
  ignorePatterns: ['**/dist/**', 'coverage/**', 'reports/**', 'docs-site/**', 'data/**'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  rules: sense,
  overrides: [
    {
      files: ['**/*.ts'],
      rules: {
        ...typescript,
        ...typed,
        ...syntax(...everywhere),
        ...imports(dateFnsTz),
        ...properties(...processRestrictions),
      },
    },
    { files: ['packages/*/src/**/*.ts'], excludeFiles: ['**/*.test.ts'], rules: syntax(...inSources) },
    {
      files: ['packages/{core,model}/src/**/*.ts'],
      excludeFiles: ['packages/core/src/ports/{clock,random}.ts', 'packages/core/src/support/*.ts', '**/*.test.ts'],
      rules: {
        ...syntax(...inSources, bareDate, bareDateCall),
        ...imports(dateFnsTz, ...readsSystem),
        ...properties(...processRestrictions, ...clockRestrictions),
      },
    },
    {
      files: ['packages/core/src/**/*.ts'],
      excludeFiles: [
        'packages/core/src/settings/channels.ts',
        'packages/core/src/delivery/channels/*.ts',
        'packages/core/src/ports/notifier.ts',
        'packages/core/src/ports/{clock,ids,random,secure-random}.ts',
        'packages/core/src/support/*.ts',
        '**/*.test.ts',
      ],
      rules: syntax(...inSources, bareDate, bareDateCall, channelByName),
    },
    {
      files: ['packages/model/src/time/time-zone.ts'],
      rules: imports(
        {
          name: 'date-fns-tz',
          allowImportNames: ['formatInTimeZone'],
          message: 'Only the offset of formatInTimeZone is right in every process zone.',
        },
        ...readsSystem,
      ),
    },
    {
      files: ['packages/*/src/**/*.ts'],
      excludeFiles: ['**/*.test.ts'],
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
        'typescript/no-non-null-assertion': 'off',
        ...properties(...waitRestrictions),
        // Parsed JSON is looked into for the fields that a case is about; its shape is checked against the contract.
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-return': 'off',
        // A host's callback may be async and have nothing to wait for.
        'typescript/require-await': 'off',
        // Operations and ports are objects of functions, which hosts take apart, too.
        'typescript/unbound-method': 'off',
      },
    },
    {
      files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
      rules: { 'no-undef': 'error' },
      env: { es2024: true },
      globals: Object.fromEntries(
        [
          ...['process', 'console', 'URL', 'Buffer', 'fetch', 'performance', 'crypto', 'structuredClone'],
          ...['setTimeout', 'clearTimeout', 'setImmediate', 'setInterval', 'clearInterval', 'queueMicrotask'],
          ...['AbortController', 'AbortSignal', 'TextEncoder', 'TextDecoder', 'module', 'require', '__dirname'],
        ].map((name) => [name, 'readonly']),
      ),
    },
    {
      // Runs in a browser, beside Swagger UI.
      files: ['packages/server/src/reference-page/initializer.js'],
      globals: { SwaggerUIBundle: 'readonly', document: 'readonly', matchMedia: 'readonly' },
    },
  ],
};
