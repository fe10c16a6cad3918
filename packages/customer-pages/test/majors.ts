import type { Scheduling } from '@calends/core';
import express5, { type Express, type Router } from 'express';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { customerPages, type CustomerPagesOptions } from '../src/index.js';

/** Express, and the pages as they are where it is installed. */
export interface Installation {
  readonly express: (() => Express) & Pick<typeof express5, 'json' | 'urlencoded' | 'raw' | 'text'>;
  readonly pages: (scheduling: Scheduling, options?: CustomerPagesOptions) => Router;
  remove(): void;
}

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

/** The sources beside Express 5. */
const beside5 = (): Installation => ({ express: express5, pages: customerPages, remove: () => undefined });

/** The built package in a folder of its own, where `express` is 4.21: what a host with that has. */
function beside4(): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'calends-express4-'));
  mkdirSync(join(folder, 'node_modules', '@calends'), { recursive: true });
  symlinkSync(dirname(require.resolve('express4/package.json')), join(folder, 'node_modules', 'express'), 'junction');
  // Not a link to the package: the condition under which tests run would lead to its sources.
  const core = join(dirname(packageFolder), 'core', 'dist', 'index.cjs');
  writeFileSync(
    join(folder, 'node_modules', '@calends', 'core.js'),
    `module.exports = require(${JSON.stringify(core)});`,
  );
  cpSync(join(packageFolder, 'dist', 'index.cjs'), join(folder, 'pages.cjs'));
  const requireThere = createRequire(join(folder, 'host.cjs'));
  const { customerPages: pages } = requireThere('./pages.cjs') as { customerPages: Installation['pages'] };
  const express = requireThere('express') as Installation['express'];
  return { express, pages, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The versions of Express that the pages are promised for. */
export const majors: readonly (readonly [string, () => Installation])[] = [
  ['Express 5', beside5],
  ['Express 4.21', beside4],
];
