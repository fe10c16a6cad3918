// `npm run packaging`: packs every package, checks the tarballs with publint and attw, installs them in an empty
// project, and loads every entry with `import` and `require` on each supported Node that can be had here.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { fetchNode, otherNodes } from './other-nodes.mjs';
import { build, install, npm, packages, root, run, say } from './prepare.mjs';

const faults = [];

async function step(name, args, options) {
  const { code, output } = await run(process.execPath, args, { capture: true, ...options });
  if (code === 0) return output;
  faults.push(name);
  console.error(`${name}\n${output}`);
  return undefined;
}

async function pack(folder) {
  const { code, output } = await npm(
    ['pack', '--workspaces', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder],
    { capture: true },
  );
  if (code !== 0) throw new Error(`npm pack failed\n${output}`);
  const [version] = packages().map(({ manifest }) => manifest.version);
  return packages().map((workspace) => ({
    ...workspace,
    tarball: join(folder, `${workspace.name.replace('@', '').replace('/', '-')}-${version}.tgz`),
  }));
}

async function checkTarball({ name, manifest, tarball }) {
  const content = new Uint8Array(readFileSync(tarball));
  await checkManifest(name, manifest, content);
  await checkDeclarations(name, content);
}

/** What publint finds, its warnings included. */
async function checkManifest(name, manifest, content) {
  const { messages } = await publint({ pack: { tarball: content.buffer }, strict: true });
  const errors = messages.filter(({ type }) => type === 'error');
  if (errors.length === 0) return;
  faults.push(`publint ${name}`);
  for (const each of errors) console.error(`publint ${name}: ${formatMessage(each, manifest)}`);
}

/** What attw finds where a host resolves as Node does since version 16; older resolution knows no `exports`. */
async function checkDeclarations(name, content) {
  const { types, problems } = await checkPackage(createPackageFromTarballData(content));
  const found = types === false ? [{ kind: 'NoTypes' }] : problems;
  const faultsOfNode16 = found.filter((each) => (each.resolutionKind ?? each.resolutionOption) !== 'node10');
  if (faultsOfNode16.length === 0) return;
  faults.push(`attw ${name}`);
  for (const each of faultsOfNode16) console.error(`attw ${name}: ${JSON.stringify(each)}`);
}

/** Two at a time: most of what is looked at here keeps one processor busy. */
async function inLanes(tasks) {
  const waiting = [...tasks];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  await Promise.all([lane(), lane()]);
}

/** The empty project: our tarballs, and the peers that a host brings, at the versions that our lock names. */
function projectManifest(packed) {
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const peers = packed.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
  // The one driver that must be compiled stays away, as for a host that does not use it.
  const names = [...new Set([...peers, '@types/node', 'typescript'])].filter((name) => name !== 'better-sqlite3');
  return {
    private: true,
    dependencies: {
      ...Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`])),
      ...Object.fromEntries(names.map((name) => [name, locked[`node_modules/${name}`].version])),
    },
  };
}

/** The entries that are modules have conditions; a plain file (package.json, a document) has none. */
function entries(packed, { modules }) {
  return packed.flatMap(({ name, manifest }) =>
    Object.entries(manifest.exports)
      .filter(([, target]) => (typeof target === 'object') === modules)
      .map(([subpath]) => name + subpath.slice(1)),
  );
}

/** Also the CommonJS file itself: Node prefers `module-sync`, bundlers and test runners do not. */
function commonJsFiles(packed) {
  return packed.flatMap(({ name, manifest }) =>
    Object.values(manifest.exports)
      .filter((target) => typeof target === 'object')
      .map((target) => `./node_modules/${name}/${target.require.default.slice(2)}`),
  );
}

function writePrograms(project, packed) {
  const names = JSON.stringify(entries(packed, { modules: true }));
  const body = `
  const fault = (text) => { console.error(text); process.exitCode = 1; };
  const listed = (found) => Object.keys(found).filter((key) => key !== 'default' && key !== '__esModule' && key !== 'module.exports').sort().join();
`;
  writeFileSync(
    join(project, 'load.mjs'),
    `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
${body}
for (const name of ${names}) {
  const imported = listed(await import(name));
  if (imported === '') fault(name + ' exports nothing');
  if (imported !== listed(require(name))) fault(name + ' exports other names to require than to import');
}`,
  );
  writeFileSync(
    join(project, 'load.cjs'),
    `${body}
const files = ${JSON.stringify(commonJsFiles(packed))};
for (const file of files) if (listed(require(file)) === '') fault(file + ' exports nothing');
for (const name of ${names}) require(name);
for (const file of ${JSON.stringify(entries(packed, { modules: false }))}) require(file);`,
  );
  const imports = entries(packed, { modules: true }).map((name, index) => `import * as entry${index} from '${name}';`);
  const uses = imports.map((_, index) => `entry${index}`);
  for (const extension of ['mts', 'cts']) {
    writeFileSync(join(project, `use.${extension}`), [...imports, `console.log(${uses.join(', ')});`, ''].join('\n'));
  }
}

async function nodes(workshop) {
  const found = [{ version: process.version, path: process.execPath }];
  for (const version of otherNodes) {
    const path = await fetchNode(version, join(workshop, 'nodes', version));
    if (path !== undefined) found.push({ version: `v${version}`, path });
    else say(`Node ${version} cannot be had from the registry here: the packages were not tried on it`);
  }
  return found;
}

async function makeEmptyProject(workshop, packed) {
  const project = join(workshop, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify(projectManifest(packed), null, 2));
  const { code, output } = await npm(
    ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'],
    { cwd: project, capture: true },
  );
  if (code !== 0) {
    faults.push('the packed packages do not install');
    console.error(output);
    return undefined;
  }
  writePrograms(project, packed);
  // What a strict CommonJS host sees, whose compiler also reads the declarations of packages.
  writeFileSync(
    join(project, 'strict.cts'),
    "import { schedulingModule } from '@calends/core/inversify';\nconsole.log(schedulingModule);\n",
  );
  return project;
}

async function checkTypes(project) {
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023'];
  await step('the types of the installed packages', [tsc, ...options, 'use.mts', 'use.cts'], { cwd: project });
}

async function checkStrictTypes(project) {
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  const strict = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'node16', '--target', 'es2023'];
  await step('the types of core for CommonJS under node16', [tsc, ...strict, '--types', 'node', 'strict.cts'], {
    cwd: project,
  });
}

async function loadOn({ version, path }, project) {
  const found = [];
  const bin = join(project, 'node_modules/@calends/server/bin/calends.js');
  for (const program of ['load.mjs', 'load.cjs']) {
    const loaded = await run(path, ['--no-warnings', program], { cwd: project, capture: true });
    if (loaded.code === 0) continue;
    found.push(`${program} on ${version}`);
    console.error(`${program} on ${version}\n${loaded.output}`);
  }
  const printed = await run(path, ['--no-warnings', bin, 'openapi'], { cwd: project, capture: true });
  if (printed.code !== 0 || !/"openapi":\s*"3\.1/.test(printed.output)) {
    found.push(`calends openapi on ${version}`);
    console.error(`calends openapi on ${version}\n${printed.output.slice(0, 2000)}`);
  }
  faults.push(...found);
  if (found.length === 0) say(`every entry loads with import and require on Node ${version}`);
}

await install();
await build({ declarations: true });

const workshop = mkdtempSync(join(tmpdir(), 'calends-packages-'));
try {
  const packed = await pack(workshop);
  // To install and to download waits for a registry: the tarballs are read meanwhile.
  const [project, found] = await Promise.all([
    makeEmptyProject(workshop, packed),
    nodes(workshop),
    inLanes(packed.map((workspace) => () => checkTarball(workspace))),
  ]);
  say(`publint and attw have read ${packed.length} tarballs`);
  if (project !== undefined) {
    await inLanes([
      () => checkTypes(project),
      () => checkStrictTypes(project),
      ...found.map((node) => () => loadOn(node, project)),
    ]);
  }
} finally {
  rmSync(workshop, { recursive: true, force: true });
}

if (faults.length > 0) {
  say(`packaging faults: ${faults.join('; ')}`);
  process.exit(1);
}
