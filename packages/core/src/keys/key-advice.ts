import type { NamedKey } from '../ports/store/keys.js';
import type { KeyRing } from './key-ring.js';

/**
 * Which step of a rotation is due (D67), a sentence for each secret that does not sign; none where one secret is listed.
 * What holds a key is known where the workers run.
 */
export function keyAdvice(
  { all: [, ...others] }: Pick<KeyRing, 'all'>,
  named: readonly NamedKey[],
  heldBy: ReadonlyMap<string, string>,
): readonly string[] {
  return others.map(({ id }) => {
    const key = named.find((each) => each.id === id);
    if (key === undefined) {
      return `secret: ${id} is listed and has signed nothing yet; once every process lists it, put it first.`;
    }
    if (key.keptAudit !== undefined) return `secret: ${id} is retired, nothing needs it; take it off the list.`;
    const held = heldBy.get(id);
    return `secret: ${id} signed before, and does not sign here any more; keep it listed after the first until it is retired${held === undefined ? '' : ` (${held})`}.`;
  });
}
