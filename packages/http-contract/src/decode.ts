import type * as z from 'zod';
import {
  faultWords,
  type FieldError,
  type FieldErrorCode,
  isReservedName,
  isSafeText,
  limits,
  plainIssues,
} from '@calends/model';
import { type FieldSource, isMissing, jsonPointer, zodIssuesToFieldErrors } from './field-errors.js';

/** A decoded value, or every fault that was found. */
export type Decoded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Decodes a parsed JSON body: first whether it is safe at all (D8), then against its schema.
 *
 * Fields that the schema does not know are left out of the value. Never throws.
 */
export function decodeBody<Schema extends z.ZodType>(schema: Schema, body: unknown): Decoded<z.output<Schema>> {
  const problems = checkJson(body);
  return problems.length > 0 ? { ok: false, errors: problems } : decode(schema, body, 'body');
}

/**
 * Decodes a query: all decoded values of each name, in the order of the address (D33).
 *
 * Parameters that the schema does not know are left out of the value. Never throws.
 */
export function decodeQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: Readonly<Record<string, readonly string[]>>,
): Decoded<z.output<Schema>> {
  return decode(schema, query, 'query');
}

function decode<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  source: FieldSource,
): Decoded<z.output<Schema>> {
  const result = schema.safeParse(input, { reportInput: true });
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, errors: faultsIn(schema, { input, source }, plainIssues(result.error.issues)) };
}

type Issues = ReturnType<typeof plainIssues>;

function faultsIn(
  schema: z.ZodType,
  { input, source }: { readonly input: unknown; readonly source: FieldSource },
  issues: Issues,
): readonly FieldError[] {
  const nulls = source === 'body' ? issues.filter((issue) => isMissing(issue) && issue.input === null) : [];
  if (nulls.length === 0) return zodIssuesToFieldErrors(issues, source);
  const needed = requiredAmong(schema, input, nulls);
  return zodIssuesToFieldErrors(issues, source, (path) => {
    const place = jsonPointer(path);
    return nulls.some((issue) => jsonPointer(issue.path) === place) && !needed.has(place);
  });
}

/** Which members that are `null` must be there: those that are missed when they are left out. */
function requiredAmong(schema: z.ZodType, input: unknown, nulls: Issues): ReadonlySet<string> {
  const rest = copyOf(input);
  // What cannot be copied was made by a parser of the host: each member is taken for one that must be there.
  if (rest === undefined) return new Set(nulls.map(({ path }) => jsonPointer(path)));
  for (const { path } of nulls) leaveOut(rest, path);
  const result = schema.safeParse(rest, { reportInput: true });
  const missed = plainIssues(result.error?.issues ?? []).filter((issue) => isMissing(issue));
  // An element that is null is there, and of the wrong type.
  const members = missed.filter(({ path }) => typeof path.at(-1) !== 'number');
  return new Set(members.map(({ path }) => jsonPointer(path)));
}

function copyOf(input: unknown): unknown {
  try {
    return structuredClone(input);
  } catch {
    return undefined;
  }
}

function leaveOut(value: unknown, path: readonly PropertyKey[]): void {
  const holder = path.slice(0, -1).reduce<unknown>((at, step) => (isHolder(at) ? at[step] : undefined), value);
  const name = path.at(-1);
  if (name !== undefined && isHolder(holder) && !Array.isArray(holder)) Reflect.deleteProperty(holder, name);
}

function isHolder(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Problems reported for one body; a hostile body could carry a hundred thousand of them. */
const MAX_PROBLEMS = 20;

interface Container {
  readonly value: object;
  readonly depth: number;
  readonly parent: Container | undefined;
  /** Name or index inside the parent; empty for the root. */
  readonly key: string | number;
}

/**
 * Checks parsed JSON for what would break the code behind it (D8): nesting deeper than 16, unsafe text in values and names,
 * names that reach a prototype, numbers beyond the range of a double, and what no JSON has but a parser of the host may have made: a
 * BigInt, a function, a symbol, a member that throws when it is read.
 *
 * Iterative, so that nesting cannot exhaust the stack; run it before a schema. At most 20 problems are listed. A problem with
 * a name points to the object that holds it, so that a dangerous name is never sent back.
 *
 * @returns no entries when the value is safe
 */
export function checkJson(value: unknown): readonly FieldError[] {
  const problems: FieldError[] = [];
  const open: Container[] = [];

  const report = (pointer: string, code: FieldErrorCode, detail: string): void => {
    problems.push({ pointer, code, detail });
  };
  const inspect = (child: unknown, parent: Container | undefined, key: string | number): void => {
    if (typeof child === 'string') {
      if (!isSafeText(child)) report(pointerTo(parent, key), 'invalid_characters', faultWords.unsafe);
    } else if (typeof child === 'number' || typeof child === 'bigint') {
      if (!Number.isFinite(child)) report(pointerTo(parent, key), 'out_of_range', faults.number);
    } else if (typeof child === 'function' || typeof child === 'symbol') {
      report(pointerTo(parent, key), 'invalid_type', faults.json);
    } else if (typeof child === 'object' && child !== null) {
      const depth = parent === undefined ? 1 : parent.depth + 1;
      if (depth > limits.jsonDepth) report(pointerTo(parent, undefined), 'too_deep', faults.depth);
      else open.push({ value: child, depth, parent, key });
    }
  };

  const inspectMembers = (container: Container): void => {
    if (Array.isArray(container.value)) {
      const elements: readonly unknown[] = container.value;
      for (let index = 0; index < elements.length && problems.length < MAX_PROBLEMS; index += 1) {
        inspect(elements[index], container, index);
      }
      return;
    }
    for (const [name, child] of Object.entries(container.value)) {
      if (isReservedName(name)) report(pointerTo(container, undefined), 'reserved_name', faults.name);
      else if (!isSafeText(name)) report(pointerTo(container, undefined), 'invalid_characters', faultWords.unsafe);
      else inspect(child, container, name);
      if (problems.length >= MAX_PROBLEMS) return;
    }
  };

  inspect(value, undefined, '');
  for (let next = open.pop(); next !== undefined && problems.length < MAX_PROBLEMS; next = open.pop()) {
    try {
      inspectMembers(next);
    } catch {
      report(pointerTo(next, undefined), 'invalid_type', faults.json);
    }
  }
  return problems;
}

const faults = {
  json: 'Must be JSON.',
  number: 'Must be a number that a 64-bit float can hold.',
  depth: `Must not be nested deeper than ${String(limits.jsonDepth)} levels.`,
  name: 'Must not contain a member with a reserved name.',
} as const;

/** Maps of a request: names in them are the client's. */
const maps: ReadonlySet<string | number> = new Set(['metadata', 'customFields']);
/** What a field can be called. */
const fieldName = /^[a-z][a-z0-9]*$/i;

/** Pointer to a member of a container, or with no key to the container itself. Goes no further than names can be those of fields (D36). */
function pointerTo(holder: Container | undefined, key: string | number | undefined): string {
  const path = key === undefined || holder === undefined ? [] : [key];
  for (let at = holder; at?.parent !== undefined; at = at.parent) path.unshift(at.key);
  const map = path.findIndex((step) => maps.has(step));
  const within = map === -1 ? path : path.slice(0, map + 1);
  const foreign = within.findIndex((step) => typeof step === 'string' && !fieldName.test(step));
  return jsonPointer(foreign === -1 ? within : within.slice(0, foreign));
}
