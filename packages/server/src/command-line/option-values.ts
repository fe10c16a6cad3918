import { defaultOrganization, idRule, isIdText, limits } from '@calends/model';
import { InvalidArgumentError, Option } from 'commander';

/** Reads the id that an option or an argument names. */
export const idOf =
  (name: string, maxLength: number) =>
  (word: string): string => {
    if (isIdText(word, maxLength)) return word;
    throw new InvalidArgumentError(`${name}: ${idRule(maxLength)}`);
  };

/** Whose it is. */
export function organizationOption(meaning: string): Option {
  const usual = `that of the first application in the file of CALENDS_CONFIG, else ${defaultOrganization}`;
  return new Option('--organization <id>', `${meaning} (default: ${usual})`).argParser(
    idOf('--organization', limits.organizationId),
  );
}

/** Reads the number of a page. */
export const pageOf =
  (flag: string) =>
  (word: string): string => {
    if (/^[1-9][0-9]{0,15}$/.test(word) && Number(word) <= limits.pageNumberMax) return word;
    throw new InvalidArgumentError(`${flag}: must be a whole number from 1 to ${String(limits.pageNumberMax)}`);
  };
