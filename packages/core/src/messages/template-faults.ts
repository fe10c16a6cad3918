import { didYouMean, parseLocale } from '@calends/model';
import { compileMessage } from './catalogues.js';
import {
  type ArgumentKind,
  argumentKinds,
  type TemplateKey,
  templateKeys,
  type TemplateOverrides,
} from './template-keys.js';

/**
 * What is wrong with overrides, one line for each fault; empty when nothing is.
 *
 * Faults: tags that are no BCP 47 tags or name one language twice, keys that there are none of, broken ICU messages,
 * arguments that the text does not have, texts treated as numbers or dates, and styles in which no number can be written.
 */
export function templateFaults(overrides: TemplateOverrides): readonly string[] {
  if (!isRecord(overrides)) return ['must be an object of locales'];
  const seen = new Map<string, string>();
  return Object.entries(overrides).flatMap(([tag, texts]) => {
    const at = `templates.${tag}`;
    const locale = parseLocale(tag);
    if (locale === undefined) return [`${at}: must be a BCP 47 language tag`];
    const twin = seen.get(locale);
    seen.set(locale, tag);
    const twice = twin === undefined ? [] : [`${at}: is the same language as ${twin}`];
    if (!isRecord(texts)) return [...twice, `${at}: must be an object of texts by key`];
    return [...twice, ...Object.entries(texts).flatMap(([key, text]) => textFaults(`${at}.${key}`, locale, key, text))];
  });
}

function textFaults(at: string, locale: string, key: string, text: unknown): readonly string[] {
  if (!isTemplateKey(key)) return [`${at}: there is no such text${didYouMean(key, templateKeys)}`];
  if (typeof text !== 'string') return [`${at}: must be a string`];
  let elements: readonly Element[];
  try {
    elements = compileMessage(text, locale).getAst();
  } catch (error) {
    return [`${at}: is not an ICU message (${error instanceof Error ? error.message : 'unknown fault'})`];
  }
  const kinds = argumentKinds(key);
  const faults = argumentsIn(elements).flatMap((used) => argumentFaults(used, kinds, locale));
  return [...new Set(faults)].map((fault) => `${at}: ${fault}`);
}

interface UsedArgument {
  readonly name: string;
  readonly as: ArgumentKind | 'date';
  readonly element: Element;
}

function argumentFaults(
  { name, as, element }: UsedArgument,
  kinds: ReadonlyMap<string, ArgumentKind>,
  locale: string,
): readonly string[] {
  const kind = kinds.get(name);
  if (kind === undefined) return [`has no argument ${name}${didYouMean(name, [...kinds.keys()])}`];
  if (as === 'date') return [`the argument ${name} is no date; it is written already`];
  if (as === 'number' && kind === 'text') return [`the argument ${name} is a text, not a number`];
  return canBeWritten(element, locale) ? [] : [`the argument ${name} has a style that no number can be written in`];
}

/** The parser takes any style of a number, and only writing it tells whether it is one: then no message could be made. */
function canBeWritten(element: Element, locale: string): boolean {
  if (!('style' in element)) return true;
  try {
    compileMessage([element], locale).format({ [element.value]: 1 });
    return true;
  } catch {
    return false;
  }
}

type Element = ReturnType<ReturnType<typeof compileMessage>['getAst']>[number];

/** How the parser numbers what a message consists of; its enum is not exported by the formatter. */
const elementTypes = { argument: 1, number: 2, date: 3, time: 4, select: 5, plural: 6 };

function argumentsIn(elements: readonly Element[]): readonly UsedArgument[] {
  return elements.flatMap((element): readonly UsedArgument[] => {
    const within =
      'options' in element ? Object.values(element.options).flatMap(({ value }) => argumentsIn(value)) : [];
    const used = (as: UsedArgument['as']): readonly UsedArgument[] =>
      'value' in element ? [{ name: element.value, as, element }, ...within] : [];
    const type: number = element.type;
    if (type === elementTypes.argument || type === elementTypes.select) return used('text');
    if (type === elementTypes.number || type === elementTypes.plural) return used('number');
    return type === elementTypes.date || type === elementTypes.time ? used('date') : [];
  });
}

function isTemplateKey(key: string): key is TemplateKey {
  return templateKeys.some((known) => known === key);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
