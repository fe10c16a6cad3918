import { faultWords, type FieldError, isReservedName, isSafeText, limits } from '@calends/model';
import { jsonPointer } from './json-pointer.js';

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
 * names that reach a prototype, and numbers beyond the range of a double.
 *
 * Iterative, so that nesting cannot exhaust the stack; run it before a schema. At most 20 problems are listed. A problem with
 * a name points to the object that holds it, so that a dangerous name is never sent back.
 *
 * @returns no entries when the value is safe
 */
export function checkJson(value: unknown): readonly FieldError[] {
  const problems: FieldError[] = [];
  const open: Container[] = [];

  const inspect = (child: unknown, parent: Container | undefined, key: string | number): void => {
    if (typeof child === 'string') {
      if (!isSafeText(child)) problems.push(unsafeCharacters(pointerTo(parent, key)));
    } else if (typeof child === 'number') {
      if (!Number.isFinite(child)) problems.push(outOfRange(pointerTo(parent, key)));
    } else if (typeof child === 'object' && child !== null) {
      const depth = parent === undefined ? 1 : parent.depth + 1;
      if (depth > limits.jsonDepth) problems.push(tooDeep(pointerTo(parent, undefined)));
      else open.push({ value: child, depth, parent, key });
    }
  };

  inspect(value, undefined, '');
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    if (Array.isArray(container.value)) {
      const elements: readonly unknown[] = container.value;
      for (let index = 0; index < elements.length; index += 1) {
        inspect(elements[index], container, index);
        if (problems.length >= MAX_PROBLEMS) return problems;
      }
      continue;
    }
    for (const [name, child] of Object.entries(container.value)) {
      const fault = faultOfName(name, container);
      if (fault === undefined) inspect(child, container, name);
      else problems.push(fault);
      if (problems.length >= MAX_PROBLEMS) return problems;
    }
  }
  return problems;
}

function faultOfName(name: string, holder: Container): FieldError | undefined {
  if (isReservedName(name)) {
    return {
      pointer: pointerTo(holder, undefined),
      code: 'reserved_name',
      detail: 'Must not contain a member with a reserved name.',
    };
  }
  return isSafeText(name) ? undefined : unsafeCharacters(pointerTo(holder, undefined));
}

function unsafeCharacters(pointer: string): FieldError {
  return {
    pointer,
    code: 'invalid_characters',
    detail: faultWords.unsafe,
  };
}

function outOfRange(pointer: string): FieldError {
  return { pointer, code: 'out_of_range', detail: 'Must be a number that a 64-bit float can hold.' };
}

function tooDeep(pointer: string): FieldError {
  return {
    pointer,
    code: 'too_deep',
    detail: `Must not be nested deeper than ${String(limits.jsonDepth)} levels.`,
  };
}

/** Pointer to a member of a container, or with no key to the container itself. */
function pointerTo(holder: Container | undefined, key: string | number | undefined): string {
  const path = key === undefined || holder === undefined ? [] : [key];
  for (let at = holder; at?.parent !== undefined; at = at.parent) path.unshift(at.key);
  return jsonPointer(path);
}
