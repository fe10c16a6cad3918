'use strict';

const { options } = require('./.dependency-cruiser.cjs');

/**
 * Circles of folders, looked for without the tests: a test stands beside the file it tests, and may use everything above it.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'no-folders-import-each-other-in-a-circle',
      comment: 'Types included: folders in a circle are one folder under two names.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^packages/([^/]+)/src' },
      to: { circular: true, path: '^packages/$1/src' },
    },
  ],
  options: {
    ...options,
    exclude: { path: `${options.exclude.path}|\\.test\\.ts$|^packages/[^/]+/test/` },
  },
};
