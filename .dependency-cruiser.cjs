'use strict';

/** What the sources of each package may import from the others (architecture: Packages, Direction). */
const directions = {
  model: [],
  'http-contract': ['model'],
  core: ['model'],
  'store-conformance': ['core', 'store-memory'],
  'store-memory': ['core'],
  'store-knex': ['core'],
  'notifier-email': ['core'],
  'notifier-sms': ['core'],
  'notifier-webhook': ['core', 'model'],
  'publisher-nats': ['core'],
  'publisher-rabbitmq': ['core'],
  'publisher-redis': ['core'],
  http: ['core', 'http-contract', 'model'],
  'adapter-express': ['http', 'core', 'http-contract'],
  'customer-pages': ['core'],
  server: [
    'adapter-express',
    'core',
    'customer-pages',
    'http',
    'http-contract',
    'model',
    'notifier-email',
    'notifier-sms',
    'notifier-webhook',
    'store-knex',
    'store-memory',
  ],
};

const test = '\\.test\\.ts$|^packages/[^/]+/test/';
const sources = (name) => ({ path: `^packages/${name}/src/`, pathNot: test });
const bundled = Object.keys(directions).flatMap(
  (name) => require(`./packages/${name}/package.json`).calends?.bundled ?? [],
);
const npmPackage = (names) => `(^|/)node_modules/(${names})(/|$)`;

/** Rooms of a package from the top floor to the lowest (`scripts/floors.json`): each uses what lies below it, and its neighbours. */
const floors = require('./scripts/floors.json');

const floorRules = Object.entries(floors)
  .flatMap(([name, storeys]) =>
    storeys.flatMap((rooms, floor) =>
      rooms.map((room) => ({
        name: `${name}-has-floors-and-${room}-uses-none-above-it`,
        comment: 'Nothing runs up: what is decided below knows nothing of what is done with it (ARCHITECTURE.md).',
        severity: 'error',
        from: { path: `^packages/${name}/src/${room}/`, pathNot: test },
        to: { path: `^packages/${name}/src/(${storeys.slice(0, floor).flat().join('|')})/` },
      })),
    ),
  )
  .filter(({ to }) => !to.path.includes('()'));

const packageDirections = Object.entries(directions).map(([name, allowed]) => ({
  name: `${name}-imports-${allowed.length === 0 ? 'no-other-calends-package' : `only-${allowed.join('-and-')}`}`,
  comment:
    'Direction: adapter-express → http → {http-contract, core} → model, store-*, notifier-*, publisher-* and customer-pages → core; the server knows all.',
  severity: 'error',
  from: sources(name),
  to: { path: '^packages/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...packageDirections,
    ...floorRules,
    {
      name: 'no-package-reaches-into-another-by-a-relative-path',
      comment: 'What a package does not export is its own.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'http-contract-imports-only-zod-and-the-model',
      comment: 'It is usable without server code, in a browser too.',
      severity: 'error',
      from: sources('http-contract'),
      to: { pathNot: ['^packages/(http-contract|model)/src/', npmPackage('zod')] },
    },
    {
      name: 'core-knows-inversify-only-in-src-inversify',
      comment: 'The domain stays free of decorators and containers; hosts without Inversify do not install it.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: ['^packages/core/src/inversify/', test] },
      to: { path: [npmPackage('inversify|@inversifyjs|reflect-metadata'), '^packages/core/src/inversify/'] },
    },
    {
      name: 'core-reaches-no-disk-no-network-and-no-process',
      comment: 'The outside world is behind ports (architecture, rules 5 and 7).',
      severity: 'error',
      from: sources('core'),
      to: {
        dependencyTypes: ['core'],
        path: '^(node:)?(fs|net|http|https|http2|dns|tls|dgram|os|child_process|cluster|worker_threads|process)(/|$)',
      },
    },
    {
      name: 'date-fns-tz-is-known-only-to-time-zone',
      comment: 'Most of its functions depend on the zone of the process near DST changes.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/model/src/time/time-zone(\\.test)?\\.ts$' },
      to: { path: npmPackage('date-fns-tz') },
    },
    {
      name: 'only-adapter-express-customer-pages-and-server-know-express',
      comment: 'The pipeline is neutral; Express is one way in.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '^packages/(adapter-express|customer-pages|server)/' },
      to: { path: npmPackage('express|@types/express|@types/express-serve-static-core|supertest') },
    },
    {
      name: 'only-store-knex-and-server-know-knex-and-the-drivers',
      comment: 'Rows are translated in the store; the server makes the knex that it hands in.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '^packages/(store-knex|server)/' },
      to: { path: npmPackage('knex|libsql|better-sqlite3|pg|mysql2|@electric-sql/pglite|knex-pglite') },
    },
    {
      name: 'the-command-line-of-the-server-loads-only-the-model-and-words',
      comment:
        'Help, completion and a misspelt option come without loading the library, its drivers and its notifiers.',
      severity: 'error',
      from: {
        path: '^packages/server/src/(command-line(/|\\.ts$)|cli\\.ts$|configuration/environment-words\\.ts$)',
        pathNot: test,
      },
      to: {
        path: [
          '^packages/(?!model/|server/)',
          '^packages/server/src/(log|configuration/environment-schema|secrets/first)',
        ],
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'sources-import-no-tests',
      comment: 'Tests and their fixtures are not published.',
      severity: 'error',
      from: { path: '^packages/', pathNot: test },
      to: { path: test },
    },
    {
      name: 'sources-use-no-development-dependency',
      comment:
        'It would be missing where the package is installed; what is bundled (`calends.bundled` of the manifest) is inside.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: test },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional', 'type-only'],
        pathNot: ['^packages/', npmPackage(['@types', ...bundled].join('|'))],
      },
    },
    {
      name: 'every-import-can-be-resolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-modules-import-each-other-in-a-circle',
      comment: 'Types included: modules in a circle are one module in two files.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The command of the server imports what the build makes, and nothing else.
    exclude: { path: '^packages/[^/]+/dist/|^packages/server/bin/|\\.config\\.ts$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@calends/source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
