import { CalendsError } from '../../domain/calls/errors.js';

/** As often others may be quicker before a booking gives up: each time somebody has taken one of the actors. */
const maxTries = 20;

/** The codes of a time that somebody else took meanwhile: another actor may be free then. */
const taken: readonly string[] = ['slot_conflict', 'limit_reached'];

/**
 * Bounds the tries of one booking: whom a commit finds taken, is not chosen again by what is known then. Where the choice is
 * the same once more, something else stands in the way, such as a booking of the customer's own, and no try will help.
 */
export class Tries {
  #chosen = '';
  #made = 0;
  #refusal: CalendsError | undefined;

  /** @throws what refused the try before, where this one would be the same */
  begin(chosen: object): void {
    const names = JSON.stringify(chosen);
    if (this.#refusal !== undefined && names === this.#chosen) throw this.#refusal;
    this.#chosen = names;
    this.#made += 1;
  }

  /** Whether to choose again after an error. */
  again(error: unknown): boolean {
    if (!CalendsError.is(error) || !taken.includes(error.code)) return false;
    this.#refusal = error;
    return this.#made > 0 && this.#made < maxTries;
  }
}
