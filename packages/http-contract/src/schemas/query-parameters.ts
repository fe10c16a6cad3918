import * as z from 'zod';
import { faultWords, isCalendarDate, isSafeText, limits, parseTimeZone } from '@calends/model';
import { raise } from '../field-errors.js';
import { type ParameterDocumentation, parameterDocumentation } from '../wire-documentation.js';

/*
 * Readers of query parameters. Each takes all decoded values of its name, in order, and is built once; the OpenAPI schema of
 * the parameter is registered beside it, because what arrives is always text.
 */

type Described = Omit<ParameterDocumentation, 'schema'>;

const INTEGER = /^[0-9]{1,16}$/;

/** A text of 1 to `max` characters; given twice or empty is a fault. */
export function textParameter(max: number, description: string, format?: string) {
  const schema = { type: 'string', minLength: 1, maxLength: max, ...(format === undefined ? {} : { format }) };
  return reader({ schema, description }, (values, context) => soleText(values, max, context));
}

/** The name of a time zone, in the spelling of its list. */
export function zoneParameter(description: string) {
  const schema = { type: 'string', minLength: 1, maxLength: limits.timezone };
  return reader({ schema, description }, (values, context): string => {
    const text = soleValue(values, context);
    if (text === undefined) return z.NEVER;
    const zone = parseTimeZone(text);
    if (zone !== undefined) return zone;
    raise(context, 'invalid_value', 'Must be the name of an IANA time zone, or UTC.');
    return z.NEVER;
  });
}

/** A day of the calendar, `YYYY-MM-DD`. */
export function dateParameter(description: string) {
  return reader({ schema: { type: 'string', format: 'date' }, description }, (values, context): string => {
    const text = soleValue(values, context);
    if (text === undefined) return z.NEVER;
    if (!isCalendarDate(text)) raise(context, 'invalid_format', 'Must be a date, YYYY-MM-DD.');
    return text;
  });
}

/** A whole number in ASCII digits, at most 16 of them (D30). */
export function integerParameter(bounds: { min: number; max: number }, description: string) {
  const schema = { type: 'integer', format: 'int64', minimum: bounds.min, maximum: bounds.max };
  return reader({ schema, description }, (values, context) => {
    const text = soleValue(values, context);
    if (text === undefined) return z.NEVER;
    const value = INTEGER.test(text) ? Number(text) : Number.NaN;
    if (value >= bounds.min && value <= bounds.max) return value;
    raise(context, 'out_of_range', faultWords.between(bounds.min, bounds.max));
    return z.NEVER;
  });
}

/** One of a closed set of words, in the letter case of the document (D31). */
export function wordParameter<const Words extends readonly string[]>(words: Words, description: string) {
  return reader({ schema: { type: 'string', enum: words }, description }, (values, context): Words[number] => {
    const text = soleValue(values, context);
    if (text === undefined) return z.NEVER;
    return knownWord(words, text, context) ?? z.NEVER;
  });
}

/** Strings of at most `max` characters, repeated or comma-separated; none after dropping empty ones means no filter (D33). */
export function textsParameter(max: number, described: Described) {
  const schema = { type: 'array', maxItems: limits.queryValues, items: { type: 'string', maxLength: max } };
  return reader({ schema, ...described }, (values, context) => {
    const items = listItems(values, context)?.filter(isNotEmpty);
    if (items === undefined || !areStrings(items, max, context)) return z.NEVER;
    return items.length === 0 ? undefined : items;
  });
}

/** Like {@link textsParameter}, with at least one string. */
export function requiredTextsParameter(max: number, described: Described, format?: string) {
  const item = { type: 'string', maxLength: max, ...(format === undefined ? {} : { format }) };
  const schema = { type: 'array', minItems: 1, maxItems: limits.queryValues, items: item };
  return reader({ schema, ...described }, (values, context) => {
    const items = listItems(values, context)?.filter(isNotEmpty);
    if (items === undefined || !areStrings(items, max, context)) return z.NEVER;
    if (items.length > 0) return items;
    raise(context, 'required', faultWords.required);
    return z.NEVER;
  });
}

/** Words of a closed set in any letter case, repeated or comma-separated; the value has them in upper case (D33). */
export function wordsParameter<const Words extends readonly string[]>(words: Words, description: string) {
  const schema = { type: 'array', items: { type: 'string', enum: words } };
  return reader({ schema, description }, (values, context): Words[number][] | undefined => {
    const items = listItems(values, context)?.filter(isNotEmpty);
    if (items === undefined) return z.NEVER;
    const known = new Set<Words[number]>();
    for (const item of items) {
      const word = knownWord(words, inCapitals(item), context);
      if (word === undefined) return z.NEVER;
      known.add(word);
    }
    return known.size === 0 ? undefined : [...known];
  });
}

/** One pair of a range; a side that was left empty is absent. */
export interface RangePair {
  readonly from?: string;
  readonly to?: string;
}

/** Pairs `start,end` of which one side may be empty: so empty items are kept here, unlike in other arrays (D32). */
export function rangesParameter(max: number, description: string) {
  const maxValues = limits.queryValues * 2;
  const schema = { type: 'array', maxItems: maxValues, items: { type: 'string', maxLength: max } };
  return reader({ schema, description }, (values, context) => {
    const items = listItems(values, context, maxValues);
    if (items === undefined || !areStrings(items, max, context)) return z.NEVER;
    if (!items.some(isNotEmpty) && items.length === 1) return undefined;
    const pairs = pairsOf(items);
    if (pairs !== undefined) return pairs;
    raise(context, 'invalid_format', 'Must be pairs of start and end, of which one may be left empty.');
    return z.NEVER;
  });
}

function pairsOf(items: readonly string[]): RangePair[] | undefined {
  const pairs: RangePair[] = [];
  for (let index = 0; index < items.length; index += 2) {
    const from = items[index];
    const to = items[index + 1];
    if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
    pairs.push({ ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) });
  }
  return pairs;
}

function reader<Value>(
  documentation: ParameterDocumentation,
  read: (values: readonly string[], context: z.RefinementCtx) => Value,
) {
  const schema = z.array(z.string()).transform((values, context) => read(values, context));
  parameterDocumentation.add(schema, documentation);
  return schema;
}

function soleValue(values: readonly string[], context: z.RefinementCtx): string | undefined {
  const [value] = values;
  if (value === undefined) raise(context, 'required', faultWords.required);
  else if (values.length > 1) raise(context, 'repeated', 'Must be given only once.');
  else return value;
  return undefined;
}

function soleText(values: readonly string[], max: number, context: z.RefinementCtx): string {
  const text = soleValue(values, context);
  if (text === undefined) return z.NEVER;
  if (text === '') raise(context, 'too_short', 'Must not be empty.');
  else if (areStrings([text], max, context)) return text;
  return z.NEVER;
}

function listItems(
  values: readonly string[],
  context: z.RefinementCtx,
  maxValues: number = limits.queryValues,
): string[] | undefined {
  const items: string[] = [];
  for (const value of values) {
    // One more than allowed is enough to know: a long list is not split to its end.
    for (const item of value.split(',', maxValues + 1)) items.push(item.trim());
    if (items.length > maxValues) {
      raise(context, 'too_many', faultWords.tooManyValues(maxValues));
      return undefined;
    }
  }
  return items;
}

function areStrings(items: readonly string[], max: number, context: z.RefinementCtx): boolean {
  for (const item of items) {
    if (item.length > max) {
      raise(context, 'too_long', faultWords.tooLong(max));
      return false;
    }
    if (!isSafeText(item)) {
      raise(context, 'invalid_characters', faultWords.unsafe);
      return false;
    }
  }
  return true;
}

function knownWord<const Words extends readonly string[]>(
  words: Words,
  text: string,
  context: z.RefinementCtx,
): Words[number] | undefined {
  const word = words.find((known) => known === text);
  if (word === undefined) raise(context, 'invalid_value', faultWords.oneOf(words));
  return word;
}

/** In capitals by ASCII only: other letters whose capitals are ASCII make no word of the set (D33). */
function inCapitals(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function isNotEmpty(item: string): boolean {
  return item !== '';
}
