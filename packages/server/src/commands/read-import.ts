import { readFileSync } from 'node:fs';
import { idRule, isIdText } from '@calends/model';
import * as z from 'zod';
import { inOurWords, schemaFaults } from '../configuration/schema-faults.js';
import { utf8Text } from '../configuration/utf8-text.js';
import { RefusedError } from '../exit-codes.js';

/** An id in a file: it becomes part of a path, where an empty one would name something else. */
export function idForm(maxLength: number) {
  return z.string().refine((id) => isIdText(id, maxLength), { error: idRule(maxLength) });
}

/** @throws RefusedError for a file that cannot be read, or is not UTF-8 */
export function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new RefusedError(`${file}: the file cannot be read`);
  }
  const text = utf8Text(bytes);
  if (text === undefined) throw new RefusedError(`${file}: the file is not UTF-8`);
  return text;
}

/**
 * JSON of a form.
 *
 * @throws RefusedError that lists every fault with its place
 */
export function readJson<Form>(file: string, text: string, form: z.ZodType<Form>): Form {
  const result = form.safeParse(parse(file, text), inOurWords);
  if (result.success) return result.data;
  throw refused(file, schemaFaults(form, result.error));
}

/** What is wrong with a file, a line each. */
export function refused(file: string, faults: readonly string[]): RefusedError {
  return new RefusedError(faults.map((fault) => `${file}: ${fault}`).join('\n'));
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of JSON.parse repeats a piece of the file.
    throw new RefusedError(`${file}: the file is not valid JSON`);
  }
}

/**
 * Lets only entries pass that are different ones: of two, the later would take the place of the other without a word.
 *
 * @throws RefusedError that names the places
 */
export function requireEachOnce<Entry>(
  file: string,
  entries: readonly { readonly place: string; readonly entry: Entry }[],
  idOf: (entry: Entry) => string,
): void {
  const first = new Map<string, string>();
  const faults = entries.flatMap(({ place, entry }) => {
    const id = idOf(entry);
    const before = first.get(id);
    first.set(id, before ?? place);
    return before === undefined ? [] : [`${place}: is there already, as ${before}`];
  });
  if (faults.length > 0) throw refused(file, faults);
}

/**
 * Saves one after the other.
 *
 * @throws RefusedError that says which was refused, and how many before it are saved
 */
export async function saveEach<Entry>(
  file: string,
  entries: readonly { readonly place: string; readonly entry: Entry }[],
  save: (entry: Entry) => Promise<unknown>,
): Promise<void> {
  for (const [saved, { place, entry }] of entries.entries()) {
    try {
      await save(entry);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const rest =
        ['nothing of it is saved', 'the one before it is saved'][saved] ?? `the ${String(saved)} before it are saved`;
      throw refused(file, [...error.message.split('\n').map((fault) => `${place}: ${fault}`), rest]);
    }
  }
}
