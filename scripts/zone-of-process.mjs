// Set up before every test file: notes who asks for the time zone of the process, and fails the file. One function of the model may ask; what
// stands on it runs under three zones (zoned.json). Nothing else can see a zone, so it runs under one.
import { afterAll } from 'vitest';
import { root } from './prepare.mjs';

/** In whose calls the zone of the process is asked for, and does no harm. */
// Reads offsets by date-fns-tz, which asks `Date` for local fields on its way: what the runs under other zones are for.
const allowedFunction = 'readOffset';
const allowedFolders = [
  // Knex writes when it took a migration, by the clock on the wall of the process; nobody reads it.
  'node_modules/knex/lib/migrations/',
  // Reads mails in tests: asks a date for its text, to see whether it is one.
  'node_modules/postal-mime/',
  // Names a folder of the browser by the hour.
  'node_modules/playwright-core/',
  // Makes a formatter of dates before it refuses a string in the place of one.
  'node_modules/intl-messageformat/',
];

const kept = Symbol.for('calends.tests.zoneAskers');

const deepStack = 50;

/** Whether one of the callers is allowed: by the frames as the engine has them, for a stack as a string, read by source maps, takes seven times as long. */
function isAllowed() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = deepStack;
  Error.prepareStackTrace = (_, frames) => frames;
  const frames = new Error('asked').stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return frames.some(
    (frame) =>
      frame.getFunctionName() === allowedFunction ||
      allowedFolders.some((folder) => frame.getFileName()?.includes(folder) === true),
  );
}

/** Notes the line of ours that asks. */
function note(askers) {
  if (isAllowed()) return;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = deepStack;
  const lines = new Error('asked').stack.split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const ours = lines.find((line) => line.includes(root) && !/node_modules|zone-of-process\.mjs/.test(line));
  if (ours !== undefined) askers.add(ours.trim());
}

const fields = ['Date', 'Day', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds', 'TimezoneOffset'];
const methods = [
  ...fields.flatMap((field) => [`get${field}`, `set${field}`]),
  ...['toString', 'toDateString', 'toTimeString', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'],
].filter((name) => name in Date.prototype);

/** An instant with its offset, or a date alone, which is in UTC (ECMA-262). */
const isInSomeZone = (text) => /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i.test(text) || /^[+-]?\d{4,6}(?:-\d\d){0,2}$/.test(text);

const isLocal = ([first, ...others]) => others.length > 0 || (typeof first === 'string' && !isInSomeZone(first));

function watch() {
  const askers = new Set();
  for (const name of methods) {
    const method = Date.prototype[name];
    const hasZone = ([, options]) => name.startsWith('toLocale') && options?.timeZone !== undefined;
    Date.prototype[name] = function (...given) {
      if (!hasZone(given)) note(askers);
      return method.apply(this, given);
    };
  }
  const parse = Date.parse;
  Date.parse = (text) => {
    if (isLocal([text])) note(askers);
    return parse(text);
  };
  globalThis.Date = new Proxy(Date, {
    construct(target, given, made) {
      if (isLocal(given)) note(askers);
      return Reflect.construct(target, given, made);
    },
    apply(target, self, given) {
      note(askers);
      return Reflect.apply(target, self, given);
    },
  });
  const inZone = ([, options]) => options?.timeZone !== undefined;
  Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
    construct(target, given, made) {
      if (!inZone(given)) note(askers);
      return Reflect.construct(target, given, made);
    },
    apply(target, self, given) {
      if (!inZone(given)) note(askers);
      return Reflect.apply(target, self, given);
    },
  });
  return askers;
}

// Files share a process.
const askers = (globalThis[kept] ??= watch());

afterAll(() => {
  const found = [...askers];
  askers.clear();
  if (found.length > 0) throw new Error(`Asked for the time zone of the process:\n${found.join('\n')}`);
});
