import type { Scheduling } from '@calends/core';
import express5, { type Express, type Router } from 'express';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** A package as a host has it: without the condition under which tests run, which leads to its sources. */
function install(name: string, modules: string): void {
  const [source, target] = [join(dirname(packageFolder), name), join(modules, '@calends', name)];
  cpSync(join(source, 'dist'), join(target, 'dist'), { recursive: true });
  const manifest: unknown = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const ofTests = ['@calends/source', 'module-sync'];
  const forHosts = (key: string, value: unknown): unknown => (ofTests.includes(key) ? undefined : value);
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest, forHosts));
}

/** The built packages in a folder of their own, where `express` is 4.21: what a host with that has. */
function beside4(): Installation {
  // Inside the repository, so that packages of others are found.
  const reports = join(dirname(dirname(packageFolder)), 'reports');
  mkdirSync(reports, { recursive: true });
  const folder = mkdtempSync(join(reports, 'express4-'));
  const modules = join(folder, 'node_modules');
  for (const name of ['core', 'model']) install(name, modules);
  symlinkSync(dirname(require.resolve('express4/package.json')), join(modules, 'express'), 'junction');
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
