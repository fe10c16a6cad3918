// Installs and builds what is missing. Shared by `npm start`, `npm test`, `npm run build` and the packaging check.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markEsmOnlyTypes } from './esm-only-types.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

// Not in dist, which is published, and gone with node_modules: a fresh install builds again.
const stamps = join(root, 'node_modules', '.cache', 'calends');

export function say(line) {
  console.log(`calends: ${line}`);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Runs a command to its end; resolves to its exit code (1 if a signal ended it) and, if captured, its output. */
export function run(command, args, { cwd = root, env = process.env, capture = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    const chunks = [];
    // A terminal sends SIGINT to the child too; SIGTERM comes to this process only. Both wait for the child's end.
    const wait = () => undefined;
    const forward = () => child.kill('SIGTERM');
    process.on('SIGINT', wait).on('SIGTERM', forward);
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGINT', wait).off('SIGTERM', forward);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() });
    });
  });
}

/** npm as it was started, so that a version manager's npm is kept; on every platform without a shell. */
export function npm(args, options) {
  const cli = process.env['npm_execpath'];
  if (cli !== undefined && /npm-cli\.c?js$/.test(cli)) return run(process.execPath, [cli, ...args], options);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
}

/** npm keeps in node_modules a record of what it installed: compared with the lock, entry by entry. */
function installedAsLocked() {
  const recordPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recordPath)) return false;
  const locked = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(recordPath).packages;
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true;
    const present = installed[path];
    if (present === undefined) return entry.optional === true || entry.devOptional === true;
    return present.version === entry.version && present.integrity === entry.integrity && present.link === entry.link;
  });
}

export async function install() {
  if (installedAsLocked()) return;
  say(existsSync(join(root, 'node_modules')) ? 'installing: package-lock.json has changed' : 'installing dependencies');
  // The development dependencies build it, also where NODE_ENV is production. Nothing needs an install script.
  const { code } = await npm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']);
  if (code !== 0) {
    say('npm ci failed; its message is above');
    process.exit(code);
  }
}

/** Folders and manifests of the workspaces, in the order of the root package.json: dependencies first. */
export function packages() {
  return readJson(join(root, 'package.json')).workspaces.map((folder) => {
    const manifest = readJson(join(root, folder, 'package.json'));
    return { folder: join(root, folder), name: manifest.name, manifest };
  });
}

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function fingerprint(folder) {
  const hash = createHash('sha256');
  const files = [
    join(root, 'tsconfig.json'),
    join(root, 'tsup.shared.ts'),
    join(folder, 'package.json'),
    join(folder, 'tsup.config.ts'),
    ...sourceFiles(join(folder, 'src')),
  ];
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function stampPath(name) {
  return join(stamps, `${name.replace('@calends/', '')}.json`);
}

function isBuilt({ folder, name }, wanted) {
  if (!existsSync(join(folder, 'dist', 'index.js')) || !existsSync(stampPath(name))) return false;
  return readJson(stampPath(name)).fingerprint === wanted;
}

/** The types of a package follow from those of the others: all were made together, from these sources. */
function isDeclared(wanted) {
  return existsSync(stampPath('declarations')) && readJson(stampPath('declarations')).fingerprint === wanted;
}

function stamp(name, fingerprint) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stampPath(name), JSON.stringify({ fingerprint }));
}

async function bundle(workspace, wanted) {
  rmSync(stampPath(workspace.name), { force: true });
  // tsup empties `dist`: what another run laid there is gone.
  rmSync(stampPath('declarations'), { force: true });
  const tsup = join(root, 'node_modules', 'tsup', 'dist', 'cli-default.js');
  const { code, output } = await run(process.execPath, [tsup], { cwd: workspace.folder, capture: true });
  if (code !== 0) {
    console.error(output);
    say(`${workspace.name} does not build; its message is above`);
    return false;
  }
  stamp(workspace.name, wanted);
  return true;
}

/** Bundles the packages whose sources have changed. No build reads another package's dist (the source condition), so they run beside each other. */
async function bundles(stale) {
  if (stale.length > 0)
    say(`building ${stale.map(({ workspace }) => workspace.name.replace('@calends/', '')).join(', ')}`);
  let failed = false;
  const lanes = Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
    for (let next = stale.shift(); next !== undefined; next = stale.shift()) {
      if (!(await bundle(next.workspace, next.wanted))) failed = true;
    }
  });
  await Promise.all(lanes);
  return !failed;
}

const declared = join(stamps, 'declarations');

async function declarations() {
  const { code } = await run(process.execPath, [join(root, 'scripts', 'declarations.mjs'), declared]);
  if (code !== 0) say('the declarations cannot be made; the message is above');
  return code === 0;
}

function layDeclarations(workspaces) {
  for (const { folder, name } of workspaces) {
    const dist = join(folder, 'dist');
    const old = readdirSync(dist, { recursive: true }).filter((file) => /\.d\.c?ts$/.test(file));
    for (const file of old) rmSync(join(dist, file));
    cpSync(join(declared, name.replace('@calends/', '')), dist, { recursive: true });
    markEsmOnlyTypes(dist);
  }
}

/** Builds what has changed. Only publishing needs declarations (types and tests read the sources), so `npm start` and `npm test` do without. */
export async function build({ declarations: wanted = false, force = false } = {}) {
  const workspaces = packages();
  const prints = new Map(workspaces.map((workspace) => [workspace, fingerprint(workspace.folder)]));
  const all = [...prints.values()].join();
  const stale = workspaces
    .map((workspace) => ({ workspace, wanted: prints.get(workspace) }))
    .filter((each) => force || !isBuilt(each.workspace, each.wanted));
  const declares = wanted && (force || stale.length > 0 || !isDeclared(all));
  const done = await Promise.all([bundles(stale), declares ? declarations() : true]);
  if (done.includes(false)) process.exit(1);
  if (!declares) return;
  layDeclarations(workspaces);
  stamp('declarations', all);
}
