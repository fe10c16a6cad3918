import { isIdText } from '@calends/model';
import { InvalidArgumentError } from 'commander';

/** Reads the id that an option names. */
export const idOf =
  (flag: string, maxLength: number) =>
  (word: string): string => {
    if (isIdText(word, maxLength)) return word;
    throw new InvalidArgumentError(
      `${flag}: must have 1 to ${String(maxLength)} characters, and no control characters`,
    );
  };

/** Reads the number of a page. */
export const pageOf =
  (flag: string) =>
  (word: string): string => {
    if (/^[1-9][0-9]{0,8}$/.test(word)) return word;
    throw new InvalidArgumentError(`${flag}: must be a whole number from 1 on`);
  };
